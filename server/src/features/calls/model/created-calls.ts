/**
 * Writes new calls. Those of one workspace that come while others are written are written together: they hold credit of one
 * account, and count up one number of live calls. Where these do not allow all of them, each is written by itself.
 */
import { EventEmitter } from 'node:events'
import type { EntityManager } from 'typeorm'
import { RefusedError } from '../../../infrastructure/database/pipeline.js'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { GroupCommit } from '../../../infrastructure/database/group-commit.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import type { ContactNames } from '../../contacts/contact-names.js'
import type { FirstHold, Holds, LiveCallCounts } from './admission.js'
import { type CallAnnouncer, announcementsOf } from './call-announcer.js'
import { CallEvent } from './call-event.entity.js'
import { eventOf } from './call-events.js'
import { CallLeg } from './call-leg.entity.js'
import { payloadOf } from './call-payload.js'
import { Call } from './call.entity.js'
import { outsideNumber } from './outside-number.js'

/** A new call, as it is to be written. */
export interface NewCall {
  readonly call: Call
  readonly hold: FirstHold
  /** Its first leg, if it has one. */
  readonly leg?: CallLeg | undefined
  /** It counts whatever the limit. */
  readonly isEmergency?: boolean
  /** Writes what belongs to it before it, in the same transaction, which may be tried again. */
  readonly also?: ((tx: EntityManager) => Promise<void>) | undefined
}

interface CreatedCallsEvents {
  /** A call is live now. */
  changed: [workspaceId: string, callId: string]
  legBegun: [leg: CallLeg, isRetry: boolean]
}

interface Parts {
  readonly database: Database
  readonly holds: Holds
  readonly limits: Pick<LiveCallCounts, 'occupy' | 'occupyAll'>
  readonly announcer: CallAnnouncer
  readonly contacts: Pick<ContactNames, 'of'>
}

export class CreatedCalls extends EventEmitter<CreatedCallsEvents> {
  private readonly beginnings = new GroupCommit<NewCall, null>(async (calls) => this.writeTogether(calls))

  constructor(private readonly parts: Parts) {
    super()
  }

  /**
   * Writes a new call with its first event and, if it has one, its first leg.
   * @throws {TooManyCallsError} the workspace is at its limit, {@link NoCreditError} it has no credit left for the call;
   * then nothing is written
   */
  async write(created: NewCall): Promise<void> {
    if (this.parts.database.isPart) await this.writeSingly(created)
    else await this.beginnings.add(created.call.workspace_id, created)
  }

  /** @param calls of one workspace */
  private async writeTogether(calls: readonly NewCall[]): Promise<null[]> {
    const { database, holds, limits } = this.parts
    const [first] = calls
    if (!first) return []
    const workspace = { id: first.call.workspace_id }
    try {
      await database.combine(async (tx) => {
        await this.writeRows(tx, calls)
        await holds.beginAll(
          tx,
          workspace,
          calls.map(({ hold }) => hold.amount),
        )
        await limits.occupyAll(tx, workspace, {
          ordinary: calls.filter(({ isEmergency }) => !isEmergency).length,
          emergencies: calls.filter(({ isEmergency }) => isEmergency).length,
        })
      })
    } catch (error) {
      if (!(error instanceof RefusedError) || calls.length > 1) throw error
      await this.writeSingly(first)
    }
    return calls.map(() => null)
  }

  /** Step by step, to hold what there is, or to say why the call may not begin. */
  private async writeSingly(created: NewCall): Promise<void> {
    const { database, holds, limits } = this.parts
    const { call, hold, isEmergency = false } = created
    await database.transaction(async (tx) => {
      await this.writeRows(tx, [created])
      await holds.begin(tx, call, hold)
      await limits.occupy(tx, { id: call.workspace_id }, isEmergency)
    })
  }

  /** A new ringing call is published in one event: the caller hears ringback at once. */
  private async writeRows(tx: EntityManager, created: readonly NewCall[]): Promise<void> {
    for (const { also } of created) await also?.(tx)
    for (const { call, hold } of created) call.credit_held = hold.amount
    const calls = created.map(({ call }) => call)
    await this.nameContacts(tx, calls)
    const legs = created.flatMap(({ leg }) => leg ?? [])
    await writeNewCalls(tx, this.parts.announcer, calls, legs)
    afterCommit(tx, () => {
      for (const leg of legs) this.emit('legBegun', leg, false)
      for (const { workspace_id, id } of calls) this.emit('changed', workspace_id, id)
    })
  }

  /** The party outside of the workspace goes by the name of its contact, where it has one. */
  private async nameContacts(tx: EntityManager, calls: readonly Call[]): Promise<void> {
    const numbers = calls.map(outsideNumber)
    const [first] = calls
    const known = numbers.filter((number) => number !== '')
    if (!first || known.length === 0) return
    const contacts = await this.parts.contacts.of({ id: first.workspace_id }, [...new Set(known)], tx)
    calls.forEach((call, index) => {
      const contact = contacts.get(numbers[index] ?? '')
      if (!contact) return
      if (call.direction === 'inbound') call.from_name = contact.name.slice(0, 64)
      else if (call.to_name === call.to_number) call.to_name = contact.name.slice(0, 80)
    })
  }
}

/** Writes new calls of one workspace with their legs and first events. */
export async function writeNewCalls(
  tx: EntityManager,
  announcer: CallAnnouncer,
  calls: readonly Call[],
  legs: readonly CallLeg[],
): Promise<void> {
  await insertRows(tx, Call, calls)
  await insertRows(tx, CallLeg, legs)
  const begun = calls.map((call) => ({ call, events: firstEventsOf(call) }))
  await insertRows(
    tx,
    CallEvent,
    begun.flatMap(({ events }) => events),
  )
  await announcer.publish(
    tx,
    begun.flatMap(({ call, events }) => announcementsOf(call, undefined, events)),
  )
  afterCommit(tx, () => {
    for (const call of calls) {
      const payload = payloadOf(call, call.created_at)
      topics.callBegun.publish(payload)
      if (call.status === 'ringing') topics.callRinging.publish(payload)
    }
  })
}

function firstEventsOf(call: Call): CallEvent[] {
  const to_party = { number: call.to_number, name: call.to_name }
  const events = [eventOf(call, 'call.created', call.created_at, { to_party })]
  if (call.status === 'ringing')
    events.push(eventOf(call, 'call.ringing', call.created_at, { sip_code: 180, to_party }))
  return events
}
