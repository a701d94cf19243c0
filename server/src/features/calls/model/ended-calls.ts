/**
 * Writes the ends of calls. Those of one workspace that come while others are written are written together: they charge one
 * account, and count down one number of live calls.
 */
import { EventEmitter } from 'node:events'
import type { EntityManager } from 'typeorm'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { GroupCommit } from '../../../infrastructure/database/group-commit.js'
import type { WorkspaceEvent } from '../../../infrastructure/database/events.js'
import { insertRows, updateRowsLater } from '../../../infrastructure/database/rows.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import { sumOf } from '../../../lib/money.js'
import type { CreditService } from '../../workspaces/credit.service.js'
import type { CallCharge } from '../../workspaces/credit-statements.js'
import type { LiveCallCounts } from './admission.js'
import { type CallAnnouncer, announcementsOf, liveNotesOf } from './call-announcer.js'
import { type CallEnd, secondsOfTalk } from './call-end.js'
import { CallEvent } from './call-event.entity.js'
import { canceledEvents, eventOf } from './call-events.js'
import { type EndingCall, readEnding } from './call-facts.js'
import type { CallLeg } from './call-leg.entity.js'
import { outcomeOf } from './call-outcome.js'
import { payloadOf } from './call-payload.js'
import { endColumns } from './call-state.js'
import { Call } from './call.entity.js'
import { answerOfLeg } from './leg-ends.js'
import {
  type LockedLeg,
  chargesOf,
  endOpenLegs,
  lockedLegs,
  writeCharges,
  writeEndOfLeg,
} from './locked-legs.js'
import { type CalledBack, settleAgents } from './settled-agents.js'
import { giveToTeams } from './team-calls.js'

/** The end of a call, as it is to be written. */
export interface EndToWrite {
  readonly call: Call
  readonly end: CallEnd
  /** The leg that ended with it. */
  readonly line?: { readonly leg: CallLeg; readonly end: ChannelEnd } | undefined
  /** Timeline events that are not written yet. */
  readonly notes: readonly CallEvent[]
  /** That drives the call: one that another cell continues is left alone. */
  readonly cell: string
}

/** What the ends of one transaction write at once, after all else. */
interface Together {
  readonly timeline: CallEvent[]
  readonly published: WorkspaceEvent[]
  readonly charges: CallCharge[]
}

interface EndedCallsEvents {
  /** A live call has ended. */
  changed: [workspaceId: string, callId: string]
  /** An agent has talked to the caller of earlier calls, which were missed or left voicemails. */
  calledBack: [kind: keyof CalledBack, workspaceId: string, callIds: readonly string[]]
  /** The end of a leg has been written. */
  legEnded: [leg: CallLeg, end: ChannelEnd]
}

interface Parts {
  readonly database: Database
  readonly credit: CreditService
  readonly limits: Pick<LiveCallCounts, 'vacate'>
  readonly announcer: CallAnnouncer
}

export class EndedCalls extends EventEmitter<EndedCallsEvents> {
  private readonly ends = new GroupCommit<EndToWrite, boolean>(async (ends) => this.writeAll(ends))

  constructor(private readonly parts: Parts) {
    super()
  }

  /**
   * Ends a call: rows, last events and charge in one transaction, and once only, by the first caller.
   * @returns whether this ended the call; false for a repetition
   */
  async write(end: EndToWrite): Promise<boolean> {
    const [result] = this.parts.database.isPart
      ? await this.writeAll([end])
      : [await this.ends.add(end.call.workspace_id, end)]
    return result ?? false
  }

  /** @param ends of one workspace */
  private async writeAll(ends: readonly EndToWrite[]): Promise<boolean[]> {
    const { database, credit, limits, announcer } = this.parts
    return database.combine(async (tx) => {
      // Calls are locked in one order, so that two transactions cannot deadlock.
      const inOrder = [...ends.entries()].sort(([, one], [, other]) => (one.call.id < other.call.id ? -1 : 1))
      const read = await readTogether(
        tx,
        inOrder.map(([, { call }]) => call),
      )
      const together: Together = { timeline: [], published: [], charges: [] }
      const results = ends.map(() => false)
      for (const [place, end] of inOrder) {
        const known = read.get(end.call.id)
        if (known) results[place] = await this.writeOne(tx, end, known, together)
      }
      const [first] = ends
      if (!first) return results
      const workspace = { id: first.call.workspace_id }
      await insertRows(tx, CallEvent, together.timeline)
      await announcer.publish(tx, together.published)
      const ended = together.charges.length
      if (ended === 0) return results
      await credit.settle(tx, workspace, together.charges)
      await limits.vacate(tx, workspace, ended)
      return results
    })
  }

  private async writeOne(
    tx: EntityManager,
    { call, end, line, notes, cell }: EndToWrite,
    { legs, ending }: KnownCall,
    together: Together,
  ): Promise<boolean> {
    const [row] = legs
    if (row?.cell !== cell) return false
    if (line) await this.endLeg(tx, line, legs)
    together.timeline.push(...notes)
    if (!row.live) return false
    await endOpenLegs(tx, call.id, legs, end.endedAt)
    const charges = chargesOf(legs, end.endedAt)
    const cost = sumOf(charges.map((one) => one.cost))
    if (cost > 0) await writeCharges(tx, call.id, charges)
    const duration = end.isUnconnected ? 0 : secondsOfTalk(row.call_answered_at, end.endedAt)
    const facts = ending(legs)
    const outcome = outcomeOf(facts.facts, end)
    await updateRowsLater(
      tx,
      Call,
      { id: call.id },
      {
        ...endColumns(end),
        duration,
        ...(end.isUnconnected && { answered_at: null }),
        ...{ ...outcome, held_at: null, cost, credit_held: 0 },
      },
    )
    const calledBack = await settleAgents(tx, call, facts, outcome, end.endedAt)
    const details = { sip_code: end.sipCode, hangup_cause: end.hangupCause, details: end.why ?? null }
    const offered = facts.facts.offers.map(({ agent_id }) => agent_id)
    await giveToTeams(tx, call, legs, offered, outcome.team_id)
    const result = { status: end.status, duration, cost, outcome: outcome.outcome }
    const event = eventOf(call, 'call.ended', end.notifiedAt ?? end.endedAt, details)
    together.timeline.push(event)
    together.published.push(
      ...liveNotesOf(notes),
      ...announcementsOf(call, result, [event]),
      ...canceledEvents(call, end, event.created_at),
    )
    together.charges.push({ callId: call.id, held: Number(row.credit_held), cost })
    // Another end of the same call may be among those that are written together.
    for (const leg of legs) leg.live = null
    afterCommit(tx, () => {
      this.emit('changed', call.workspace_id, call.id)
      publishEnd(call, end, duration)
      this.publishCalledBack(call, calledBack)
    })
    return true
  }

  private async endLeg(
    tx: EntityManager,
    { leg, end }: { readonly leg: CallLeg; readonly end: ChannelEnd },
    legs: readonly LockedLeg[],
  ): Promise<void> {
    await writeEndOfLeg(tx, leg, end)
    afterCommit(tx, () => {
      this.emit('legEnded', leg, end)
      this.emit('changed', leg.workspace_id, leg.call_id)
    })
    const own = legs.find(({ id }) => id === leg.id)
    if (!own) return
    own.answered_at = answerOfLeg({ answered_at: leg.answered_at ?? own.answered_at }, end)
    own.ended_at = end.endedAt
    own.is_ended_by_peer = flagOf(end.isByPeer)
  }

  private publishCalledBack({ workspace_id }: Call, calls: CalledBack): void {
    for (const kind of ['missed_calls', 'voicemails'] as const)
      if (calls[kind].length > 0) this.emit('calledBack', kind, workspace_id, calls[kind])
  }
}

/** The rows of a call, locked, and what its outcome is computed from beside them. */
interface KnownCall {
  readonly legs: LockedLeg[]
  readonly ending: (legs: readonly LockedLeg[]) => EndingCall
}

/** Reads all in one round trip. */
async function readTogether(tx: EntityManager, calls: readonly Call[]): Promise<Map<string, KnownCall>> {
  const unlike = [...new Map(calls.map((call) => [call.id, call])).values()]
  const locked = unlike.map(async ({ id }) => lockedLegs(tx, id))
  const read = await Promise.all(
    unlike.map(async (call, index) => {
      const [ending, legs = []] = await Promise.all([readEnding(tx, call), locked[index]])
      return [call.id, { legs, ending }] as const
    }),
  )
  return new Map(read)
}

const flagOf = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0)

export function publishEnd(call: Call, end: CallEnd, duration: number): void {
  const { status, hangupCause, sipCode, endedBy, endedAt } = end
  const { created_at: createdAt } = call
  const answeredAt = end.isUnconnected ? null : call.answered_at
  const payload = { ...payloadOf(call, endedAt), createdAt, answeredAt }
  topics.callEnded.publish({ ...payload, status, hangupCause, sipCode, endedBy, duration })
}
