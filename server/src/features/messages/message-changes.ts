/** Every change of a message's status: by the table of states, each event once, what failed is paid back. */
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../infrastructure/database/database.js'
import { entityOf } from '../../infrastructure/database/rows.js'
import { microsOf, sumOf } from '../../lib/money.js'
import type { CreditService } from '../workspaces/credit.service.js'
import type { MessageEvents } from './message-events.js'
import type { OptOuts } from './inbound/opt-outs.js'
import { type NextStatus, statesBefore } from './message-states.js'
import { Message, publishStatus } from './message.entity.js'

/** A change of a message's state. */
export interface MessageChange {
  readonly id: string
  readonly to: NextStatus
  /** Why it was not delivered: the carrier's code, or a word of ours. */
  readonly error_code?: string
  readonly error_message?: string
  /** Whether the carrier says that the client has opted out. */
  readonly optedOut?: boolean
  /** The carrier that has taken it, and the carrier's id of it. */
  readonly carrier_id?: string
  readonly carrier_message_id?: string | null
}

const maxErrorCode = 40
const maxErrorMessage = 255

export class MessageChanges {
  constructor(
    private readonly events: MessageEvents,
    private readonly credit: CreditService,
    private readonly optOuts: Pick<OptOuts, 'learn'>,
  ) {}

  /**
   * Applies changes, at most one of each message, in few statements however many there are.
   * @returns the messages that have changed; the others were not in a state before
   */
  async apply(tx: EntityManager, asked: readonly MessageChange[]): Promise<readonly Message[]> {
    if (asked.length === 0) return []
    // In one order everywhere, so that two that change the same messages do not lock each other out.
    const byId = new Map(asked.toSorted(byMessage).map((change) => [change.id, change]))
    const rows = await tx.query<Record<string, unknown>[]>(
      'SELECT * FROM messages WHERE id IN (?) ORDER BY id FOR UPDATE',
      [[...byId.keys()]],
    )
    const at = new Date()
    const changes = rows.flatMap((row) => {
      const message = entityOf(tx, Message, row)
      const change = byId.get(message.id)
      return change && statesBefore[change.to].includes(message.status) ? [{ message, change }] : []
    })
    const taken = await takenOf(tx, changes)
    const changed = changes.map(({ message, change }) =>
      after(message, change, at, taken.get(message.id) ?? 0),
    )
    if (changed.length === 0) return []
    if (asked.every(isBegun)) await writeBegun(tx, changed, at)
    else await write(tx, changed)
    for (const message of changed) if (message.status === 'failed') await this.payBack(tx, message)
    for (const message of changed) if (byId.get(message.id)?.optedOut) await this.optOuts.learn(tx, message)
    await this.events.record(tx, changed)
    afterCommit(tx, () => changed.forEach(publishStatus))
    return changed
  }

  /** All but what a carrier has taken of it. */
  private async payBack(tx: EntityManager, message: Message): Promise<void> {
    const { id, workspace_id, price, cost, created_at: chargedAt } = message
    const amount = sumOf([price, -(cost ?? 0)])
    if (amount === 0) return
    const about = { reason: 'message_refund', reference: id, note: 'Message failed', chargedAt } as const
    await this.credit.book(tx, { id: workspace_id }, { amount, ...about })
  }
}

interface Change {
  readonly message: Message
  readonly change: MessageChange
}

/** How many segments a carrier has taken of each failed message, while that is known. */
async function takenOf(tx: EntityManager, changes: readonly Change[]): Promise<ReadonlyMap<string, number>> {
  const ids = changes.flatMap(({ message: { id, segments, price }, change: { to } }) =>
    to === 'failed' && segments > 1 && price > 0 ? [id] : [],
  )
  if (ids.length === 0) return new Map()
  const rows = await tx.query<{ message_id: string; taken: string }[]>(
    'SELECT message_id, COUNT(*) AS taken FROM message_segments WHERE message_id IN (?) GROUP BY message_id',
    [ids],
  )
  return new Map(rows.map(({ message_id, taken }) => [message_id, Number(taken)]))
}

/** @param taken segments of a message that fails which a carrier has taken: they are paid for */
function after(message: Message, change: MessageChange, at: Date, taken: number): Message {
  const { price, segments } = message
  return {
    ...message,
    status: change.to,
    updated_at: at,
    ...(change.to === 'sent' && { sent_at: at, cost: price }),
    ...(taken > 0 && { cost: shareOf(price, Math.min(taken, segments), segments) }),
    ...(change.carrier_id !== undefined && { carrier_id: change.carrier_id }),
    ...(change.carrier_message_id !== undefined && { carrier_message_id: change.carrier_message_id }),
    ...(change.error_code !== undefined && { error_code: change.error_code.slice(0, maxErrorCode) }),
    ...(change.error_message !== undefined && {
      error_message: change.error_message.slice(0, maxErrorMessage),
    }),
  }
}

/** USD, for this many segments. */
function shareOf(price: number, taken: number, segments: number): number {
  return Math.round((microsOf(price) * taken) / segments) / 1e6
}

/** Whether no more than its status changes. */
function isBegun({ to, ...more }: MessageChange): boolean {
  return to === 'sending' && Object.keys(more).length === 1
}

/** All are given the same: with thousands a second that is worth a statement of its own. */
async function writeBegun(tx: EntityManager, messages: readonly Message[], at: Date): Promise<void> {
  const ids = messages.map(({ id }) => id)
  await tx.query(`UPDATE messages SET status = 'sending', updated_at = ? WHERE id IN (?)`, [at, ids])
}

/** Writes what may have changed, of all messages in one statement. */
async function write(tx: EntityManager, messages: readonly Message[]): Promise<void> {
  const values = messages.map((message) => [
    ...[message.id, message.status, message.cost, message.error_code, message.error_message],
    ...[message.carrier_id, message.carrier_message_id, message.sent_at, message.updated_at],
  ])
  const [first, ...others] = values.map((row) => row.map(() => '?'))
  const names = [
    ...['id', 'status', 'cost', 'error_code', 'error_message'],
    ...['carrier_id', 'carrier_message_id', 'sent_at', 'updated_at'],
  ]
  const named = first?.map((place, index) => `${place} AS ${names[index]}`).join(', ')
  const rows = [`SELECT ${named}`, ...others.map((places) => `SELECT ${places.join(', ')}`)]
  const set = names.slice(1).map((name) => `message.${name} = changed.${name}`)
  await tx.query(
    `UPDATE messages message JOIN (${rows.join(' UNION ALL ')}) changed ON message.id = changed.id
     SET ${set.join(', ')}`,
    values.flat(),
  )
}

function byMessage(one: MessageChange, other: MessageChange): number {
  return one.id < other.id ? -1 : 1
}
