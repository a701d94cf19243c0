/** Everything that is written of a live call. The rows are the truth; a running session is a cache of them. */
import type { Holds, LiveCallCounts } from './admission.js'
import type { CallEnd } from './call-end.js'
import { EventEmitter } from 'node:events'
import { type EntityManager, IsNull } from 'typeorm'
import { mustChange } from '../../../infrastructure/database/combined.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import type { EventSink } from '../../../infrastructure/database/events.js'
import { RefusedError } from '../../../infrastructure/database/pipeline.js'
import {
  byPrimary,
  findRow,
  guardOf,
  guardRow,
  insertRows,
  updateRows,
} from '../../../infrastructure/database/rows.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { CreditService } from '../../workspaces/credit.service.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import { CallAnnouncer, announcementsOf, liveNotesOf } from './call-announcer.js'
import { CallEvent } from './call-event.entity.js'
import { canceledEvents, eventOf, offTimelineEvent } from './call-events.js'
import { CallLeg } from './call-leg.entity.js'
import { payloadOf } from './call-payload.js'
import { Call } from './call.entity.js'
import { type AnswerTransition, endColumns, requireStatus, writeStatus } from './call-state.js'
import { CreatedCalls, type NewCall, writeNewCalls } from './created-calls.js'
import { EndedCalls, publishEnd } from './ended-calls.js'
import type { Answered, Collected } from './script-results.js'
import { writeEndOfLeg } from './locked-legs.js'
import type { ContactNames } from '../../contacts/contact-names.js'
import type { CalledBack } from './settled-agents.js'
import { giveToTeams } from './team-calls.js'

/** A call that this cell wanted to continue has ended, or belongs to another cell. */
export class CallGoneError extends Error {
  constructor(callId: string) {
    super(`${callId} has ended, or another cell has it`)
  }
}

/** Of a call that was rejected on arrival. */
const refusedOutcome = {
  ...{ outcome: 'refused', ended_by: 'server', credit_held: 0 },
  ...{ wait_seconds: 0, ring_seconds: 0, talk_seconds: 0, hold_seconds: 0 },
} as const satisfies Partial<Call>

interface CallStoreEvents {
  /** A live call has changed, or ended. */
  changed: [workspaceId: string, callId: string]
  /** A leg has been written; `isRetry`: earlier legs to the same party failed. */
  legBegun: [leg: CallLeg, isRetry: boolean]
  /** An agent has talked to the caller of earlier calls, which were missed or left voicemails. */
  calledBack: [kind: keyof CalledBack, workspaceId: string, callIds: readonly string[]]
  /** The end of a leg has been written. */
  legEnded: [leg: CallLeg, end: ChannelEnd]
}

export class CallStore extends EventEmitter<CallStoreEvents> {
  private readonly calls: WorkspaceTable<Call>
  private readonly events: WorkspaceTable<CallEvent>
  private readonly announcer: CallAnnouncer
  private readonly created: CreatedCalls
  private readonly endedCalls: EndedCalls

  constructor(
    private readonly database: Database,
    credit: CreditService,
    sink: EventSink,
    limits: LiveCallCounts,
    private readonly holds: Holds,
    /** The cell that this server belongs to. */
    private readonly cell: string,
    contacts: Pick<ContactNames, 'of'>,
  ) {
    super()
    this.calls = new WorkspaceTable(database, Call)
    this.events = new WorkspaceTable(database, CallEvent)
    this.announcer = new CallAnnouncer(sink)
    const { announcer } = this
    this.created = new CreatedCalls({ database, holds, limits, announcer, contacts })
    this.endedCalls = new EndedCalls({ database, credit, limits, announcer })
    for (const part of [this.created, this.endedCalls])
      part.on('changed', (workspaceId, callId) => this.emit('changed', workspaceId, callId))
    this.created.on('legBegun', (leg, isRetry) => this.emit('legBegun', leg, isRetry))
    this.endedCalls.on('legEnded', (leg, end) => this.emit('legEnded', leg, end))
    this.endedCalls.on('calledBack', (kind, workspaceId, ids) =>
      this.emit('calledBack', kind, workspaceId, ids),
    )
  }

  async find(workspace: Owner, id: string): Promise<Call | null> {
    return this.calls.find(workspace, id)
  }

  /** The timeline, oldest first. */
  async timeline(call: Call, page: { page: number; limit: number }): Promise<Page<CallEvent>> {
    const [rows, total] = await this.database.platformTable(CallEvent).findAndCount({
      where: { call_id: call.id, workspace_id: call.workspace_id },
      order: { created_at: 'ASC', id: 'ASC' },
      skip: (page.page - 1) * page.limit,
      take: page.limit,
    })
    return { rows, total }
  }

  /** A call by its id alone, for the platform's own work. */
  async load(id: string): Promise<Call | null> {
    return findRow(this.database.source.manager, Call, { id })
  }

  /** All calls of a cell that have not ended; of this server's cell by default. */
  async live(cell = this.cell): Promise<Call[]> {
    return this.database.platformTable(Call).findBy({ live: 1, cell })
  }

  /** The cell of a live call; null for any other. */
  async cellOf(id: string): Promise<string | null> {
    const call = await this.database
      .platformTable(Call)
      .findOne({ select: { cell: true }, where: { id, live: 1 } })
    return call?.cell ?? null
  }

  async countLive(workspace: Owner, tx?: EntityManager): Promise<number> {
    const calls = tx?.getRepository(Call) ?? this.database.platformTable(Call)
    return calls.countBy({ workspace_id: workspace.id, live: 1 })
  }

  /** Ids of a workspace's live calls that have not been answered, and how many have. */
  async liveOf(workspace: Owner): Promise<{ unanswered: string[]; answered: number }> {
    const rows = await this.database
      .platformTable(Call)
      .find({ where: { workspace_id: workspace.id, live: 1 }, select: { id: true, answered_at: true } })
    const unanswered = rows.filter(({ answered_at }) => answered_at === null).map(({ id }) => id)
    return { unanswered, answered: rows.length - unanswered.length }
  }

  async legsOf(callId: string): Promise<CallLeg[]> {
    return this.database.platformTable(CallLeg).find({ where: { call_id: callId }, order: { id: 'ASC' } })
  }

  /** Legs of live calls of this cell that belong to agents, ringing ones included. */
  async legsOfAgents(): Promise<CallLeg[]> {
    return this.database
      .platformTable(CallLeg)
      .createQueryBuilder('leg')
      .innerJoin(Call, 'call', 'call.id = leg.call_id AND call.live = 1 AND call.cell = :cell', {
        cell: this.cell,
      })
      .where('leg.agent_id IS NOT NULL AND leg.ended_at IS NULL')
      .getMany()
  }

  /** Legs of live calls of this cell whose far end is an app. */
  async legsOfApps(): Promise<CallLeg[]> {
    return this.database
      .platformTable(CallLeg)
      .createQueryBuilder('leg')
      .innerJoin(Call, 'call', 'call.id = leg.call_id AND call.live = 1 AND call.cell = :cell', {
        cell: this.cell,
      })
      .where("leg.uri LIKE 'app:%' AND leg.ended_at IS NULL")
      .getMany()
  }

  /**
   * Writes a new call with its first event and, if it has one, its first leg.
   * @throws {TooManyCallsError} the workspace is at its limit, {@link NoCreditError} it has no credit left for the call;
   * then nothing is written
   */
  async create(created: NewCall): Promise<void> {
    await this.created.write(created)
  }

  /** Writes a call that was rejected on arrival: it starts and ends at once, and never counts against limits. */
  async refused(call: Call, leg: CallLeg, end: CallEnd): Promise<void> {
    const { live, status, ...ended } = endColumns(end)
    const { why } = end
    await this.database.combine(async (tx) => {
      const row = { ...call, ...ended, ...refusedOutcome, status, live }
      await writeNewCalls(tx, this.announcer, [row], [{ ...leg, ...ended }])
      const { ended_at, ...how } = ended
      const event = eventOf(call, 'call.ended', ended_at, { ...how, details: why ?? null })
      await giveToTeams(tx, call, [leg])
      await insertRows(tx, CallEvent, [event])
      const result = { status, duration: 0, cost: 0, outcome: refusedOutcome.outcome }
      const canceled = canceledEvents(call, end, ended_at)
      await this.announcer.publish(tx, [...announcementsOf(call, result, [event]), ...canceled])
      afterCommit(tx, () => {
        this.emit('legBegun', leg, false)
        this.emit('changed', call.workspace_id, call.id)
        publishEnd(call, end, 0)
      })
    })
  }

  /**
   * Writes a leg that is about to be dialled.
   * @param isRetry whether an earlier address of the same party has failed
   * @throws {CallGoneError} the call has ended, or belongs to another cell: dialling would start a leg that is never
   * charged
   */
  async addLeg(leg: CallLeg, isRetry = false): Promise<void> {
    const ownLive = { text: 'id = ? AND live = 1 AND cell = ?', values: [leg.call_id, this.cell] }
    try {
      await this.database.combine(async (tx) => {
        await mustChange(tx, ...guardOf('calls', ownLive))
        await insertRows(tx, CallLeg, [leg])
      })
    } catch (error) {
      throw error instanceof RefusedError ? new CallGoneError(leg.call_id) : error
    }
    this.emit('legBegun', leg, isRetry)
    this.changed(undefined, leg.workspace_id, leg.call_id)
  }

  /**
   * Moves a live leg to another call, with its cost and its share of the credit hold.
   * @param spent USD that the first call has cost without the leg: its hold from now on
   * @param event for the timeline of the first call
   * @throws {CallGoneError} one of the calls has ended, or belongs to another cell
   */
  async moveLeg(leg: CallLeg, to: Call, spent: number, event: CallEvent): Promise<void> {
    const from = leg.call_id
    await this.database.transaction(async (tx) => {
      // Lock the calls in one order, so that two moves at once cannot deadlock.
      for (const id of [from, to.id].sort()) {
        const ownLive = { text: 'id = ? AND live = 1 AND cell = ?', values: [id, this.cell] }
        if (!(await guardRow(tx, 'calls', ownLive))) throw new CallGoneError(id)
      }
      await updateRows(tx, CallLeg, { id: leg.id }, { call_id: to.id, role: 'destination' })
      to.credit_held = await this.holds.move(tx, from, to.id, spent)
      await insertRows(tx, CallEvent, [event])
      await this.announcer.publish(tx, liveNotesOf([event]))
    })
    Object.assign(leg, { call_id: to.id, role: 'destination' })
    for (const id of [from, to.id]) this.changed(undefined, to.workspace_id, id)
  }

  async ringing(call: Call, sipCode: number, at: Date): Promise<void> {
    const to = { number: call.to_number, name: call.to_name }
    await this.ifAllowed(async (tx) => {
      await requireStatus(tx, call, this.cell, 'ring')
      this.changed(tx, call.workspace_id, call.id)
      const event = eventOf(call, 'call.ringing', at, { sip_code: sipCode, to_party: to })
      await this.announcer.record(tx, call, undefined, event)
      afterCommit(tx, () => topics.callRinging.publish(payloadOf(call, at)))
    })
  }

  /** @param transition `bridge` when the answer bridges two people, rather than starting a script */
  async answered(call: Call, leg: CallLeg, at: Date, transition: AnswerTransition = 'answer'): Promise<void> {
    await this.ifAllowed(async (tx) => {
      await requireStatus(tx, call, this.cell, transition, { legId: leg.id, at })
      this.changed(tx, call.workspace_id, call.id)
      const event = eventOf(call, 'call.answered', at, { sip_code: 200 })
      await insertRows(tx, CallEvent, [event])
      const started = transition === 'answer' ? [offTimelineEvent(call, 'call.started', at)] : []
      await this.announcer.publish(tx, [...announcementsOf(call, undefined, [event]), ...started])
      afterCommit(tx, () => topics.callAnswered.publish(payloadOf(call, at)))
    })
  }

  /** Does nothing where the status does not allow the change, the call has ended or another cell drives it. */
  private async ifAllowed(change: (tx: EntityManager) => Promise<void>): Promise<void> {
    try {
      await this.database.combine(change)
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
    }
  }

  /**
   * The caller's name is known now.
   * @param name at most 64 characters
   */
  async nameCaller(call: Call, name: string): Promise<void> {
    const named = { from_name: name, search_text: Call.searchText.of({ ...call, from_name: name }) }
    await this.database.platformTable(Call).update(call.id, named)
    this.changed(undefined, call.workspace_id, call.id)
  }

  /** The call is to reach a member of a team from now on. */
  async setTeam(call: Pick<Call, 'id'>, teamId: string): Promise<void> {
    await this.database.source.query(`UPDATE calls ${byPrimary} SET team_id = ? WHERE id = ? AND live = 1`, [
      ...[teamId, call.id],
    ])
  }

  /** A party of a call is put on hold, or is so no more. */
  async setHeld(call: Pick<Call, 'id'>, isHeld: boolean, at: Date): Promise<void> {
    const { source } = this.database
    if (isHeld)
      await source.query(
        `UPDATE calls ${byPrimary} SET held_at = COALESCE(held_at, ?) WHERE id = ? AND live = 1`,
        [at, call.id],
      )
    else
      await source.query(
        `UPDATE calls ${byPrimary}
         SET hold_ms = hold_ms + GREATEST(0, TIMESTAMPDIFF(MICROSECOND, held_at, ?) DIV 1000), held_at = NULL
         WHERE id = ? AND live = 1 AND held_at IS NOT NULL`,
        [at, call.id],
      )
  }

  /** As {@link setHeld}, for the call of a channel; does nothing for a channel without one. */
  async setHeldOn(channelId: string, isHeld: boolean, at: Date): Promise<void> {
    const [leg] = await this.database.source.query<{ call_id: string }[]>(
      'SELECT call_id FROM call_legs WHERE channel_id = ?',
      [channelId],
    )
    if (leg) await this.setHeld({ id: leg.call_id }, isHeld, at)
  }

  /** A call that the switch bridged is driven from now on, on one of its legs. */
  async setLine(call: Call, line: 'caller' | 'called'): Promise<void> {
    await this.calls.update({ id: call.workspace_id }, call.id, { line })
  }

  /** The script has bridged its leg, or that bridge has ended. */
  async bridged(call: Call, transition: 'bridge' | 'unbridge'): Promise<void> {
    if (await writeStatus(this.database.source.manager, call, this.cell, transition))
      this.changed(undefined, call.workspace_id, call.id)
  }

  /** Adds to the timeline of a call that may have ended; does nothing if there is no such call. */
  async noteOf(tx: EntityManager, callId: string, event: CallEvent['event'], details: object): Promise<void> {
    const call = await tx.findOneBy(Call, { id: callId })
    if (!call) return
    const note = eventOf(call, event, new Date(), { details })
    await this.events.in(tx).insert(note)
    await this.announcer.publish(tx, liveNotesOf([note]))
  }

  /** Adds script events to the timeline and publishes them to live viewers of the call only. */
  async note(...events: CallEvent[]): Promise<void> {
    const { manager } = this.database.source
    await insertRows(manager, CallEvent, events)
    await this.announcer.publish(manager, liveNotesOf(events))
  }

  /** Records the keys that the caller pressed, and notifies subscribers. */
  async keysCollected(tx: EntityManager, call: Call, keys: Collected): Promise<void> {
    await this.announcer.record(
      tx,
      call,
      keys,
      eventOf(call, 'call.ivr_collected', new Date(), { details: keys }),
    )
  }

  /** Records who has answered, and notifies subscribers. */
  async answeredBy(tx: EntityManager, call: Call, answered: Answered): Promise<void> {
    const event = eventOf(call, 'call.machine_detection', new Date(), { details: answered })
    await this.announcer.record(tx, call, answered, event)
  }

  async legAnswered(leg: CallLeg, at: Date): Promise<void> {
    const open = { id: leg.id, ended_at: IsNull() }
    await this.database.platformTable(CallLeg).update(open, { answered_at: at })
    this.changed(undefined, leg.workspace_id, leg.call_id)
  }

  async legEnded(leg: CallLeg, end: ChannelEnd, tx?: EntityManager): Promise<void> {
    await writeEndOfLeg(tx ?? this.database.source.manager, leg, end)
    this.emit('legEnded', leg, end)
    this.changed(tx, leg.workspace_id, leg.call_id)
  }

  /**
   * Ends a call: rows, last events and charge in one transaction, and once only, by the first caller.
   * @param line the leg that ended with it
   * @param notes timeline events that are not written yet
   * @param cell that drives it: a call that another cell continues is left alone
   * @returns whether this ended the call; false for a repetition
   */
  async ended(
    call: Call,
    end: CallEnd,
    line?: { leg: CallLeg; end: ChannelEnd },
    notes: readonly CallEvent[] = [],
    cell = this.cell,
  ): Promise<boolean> {
    return this.endedCalls.write({ call, end, line, notes, cell })
  }

  private changed(tx: EntityManager | undefined, workspaceId: string, callId: string): void {
    const publish = () => this.emit('changed', workspaceId, callId)
    if (tx) afterCommit(tx, publish)
    else publish()
  }
}
