/** Writes outcomes of submissions, and receipts, of one carrier: a batch in a transaction of few statements. */
import { isE164 } from '../../../adapters/sms/numbers.js'
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../../infrastructure/database/database.js'
import type { MessageChange, MessageChanges } from '../message-changes.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { holdsLease } from './carrier-leases.js'
import { routesOf } from './routes.js'
import type { Outcome, Refused, Sent } from './outcome.js'
import { keptCarrierMessageId, type ReceiptWriter } from './receipt-writer.js'
import { type Decision, decide } from './retry.js'

type Accepted = Extract<Outcome, { kind: 'accepted' }>
type Again = Extract<Decision, { kind: 'again' }>

interface Options {
  database: Database
  changes: MessageChanges
  receipts: ReceiptWriter
  serverId: string
  /** Called after the commit: a carrier has been given messages. */
  wake: (carrierId: string) => void
}

export class Outcomes {
  constructor(private readonly options: Options) {}

  /** All of a carrier's, none before those that came before. */
  async write(carrierId: string, outcomes: readonly Outcome[]): Promise<void> {
    await this.options.database.transaction(async (tx) => {
      const accepted = outcomes.filter((one) => one.kind === 'accepted')
      const refused = outcomes.filter((one) => one.kind === 'refused')
      const released = outcomes.filter((one) => one.kind === 'released')
      const failed = await this.requeue(tx, carrierId, refused, released)
      const sent = await this.accept(tx, carrierId, accepted, failed)
      // A receipt may name the message by the carrier's id, or by ours.
      const ids = accepted.flatMap(({ carrierMessageId, message }) => [
        ...(carrierMessageId === null ? [] : [keptCarrierMessageId(carrierMessageId) ?? '']),
        message.text.id,
      ])
      const { receipts } = this.options
      const waiting = await receipts.takeWaiting(tx, carrierId, ids)
      const received = outcomes.flatMap((one) => (one.kind === 'receipt' ? [one.receipt] : []))
      await receipts.apply(tx, carrierId, [...waiting, ...received], { sent })
    })
  }

  /** @returns what has failed for good */
  private async requeue(
    tx: EntityManager,
    carrierId: string,
    refused: readonly Refused[],
    released: readonly { message: { text: { id: string } } }[],
  ): Promise<MessageChange[]> {
    if (refused.length + released.length === 0) return []
    const { serverId, wake } = this.options
    // Who holds it now has put everything back, and may be submitting it.
    if (!(await holdsLease(tx, carrierId, serverId))) return []
    if (released.length > 0) {
      await tx.query(
        `UPDATE message_queue SET state = 'queued' WHERE message_id IN (?) AND state = 'submitting'`,
        [released.map(({ message }) => message.text.id)],
      )
    }
    const routes = await routesOf(
      tx,
      refused.map(({ message }) => message.phone_number_id),
    )
    const again = new Map<string, Again>()
    const failed: MessageChange[] = []
    for (const one of refused) {
      const { id, media, from } = one.message.text
      const carried = { attachments: media.length, originator: isE164(from) ? null : from }
      const decision = decide(one, carrierId, routes.get(one.message.phone_number_id) ?? [], carried)
      if (decision.kind === 'again') again.set(id, decision)
      else {
        const { code, message, optedOut = false } = decision
        failed.push({ id, to: 'failed', error_code: code, error_message: message, optedOut })
      }
    }
    await putBack(tx, again)
    const others = new Set([...again.values()].map((one) => one.carrierId))
    others.delete(carrierId)
    for (const id of others) afterCommit(tx, () => wake(id))
    return failed
  }

  /** @returns the messages that are sent now and have several segments */
  private async accept(
    tx: EntityManager,
    carrierId: string,
    accepted: readonly Accepted[],
    failed: readonly MessageChange[],
  ): Promise<string[]> {
    const sent = accepted.flatMap(({ message, sent }) => (sent ? [{ id: message.text.id, ...sent }] : []))
    const changes = [...sent.map((one) => changeOf(one, carrierId)), ...failed]
    const over = changes.map(({ id }) => id)
    if (over.length > 0) await tx.query('DELETE FROM message_queue WHERE message_id IN (?)', [over])
    await keepSegments(tx, carrierId, accepted)
    await this.options.changes.apply(tx, changes)
    if (failed.length > 0) {
      await tx.query('DELETE FROM message_segments WHERE message_id IN (?)', [failed.map(({ id }) => id)])
    }
    return sent.filter(({ segments }) => segments > 1).map(({ id }) => id)
  }
}

function changeOf({ id, carrierMessageId }: Sent & { id: string }, carrierId: string): MessageChange {
  return {
    ...{ id, to: 'sent', carrier_id: carrierId },
    ...(carrierMessageId !== undefined && { carrier_message_id: keptCarrierMessageId(carrierMessageId) }),
  }
}

async function keepSegments(
  tx: EntityManager,
  carrierId: string,
  accepted: readonly Accepted[],
): Promise<void> {
  const now = new Date()
  const rows = accepted
    .filter(({ segment }) => segment !== null)
    .map(({ message, segment, carrierMessageId }) => [
      ...[message.text.id, segment, message.workspace_id, carrierId, keptCarrierMessageId(carrierMessageId)],
      ...[message.text.to, 'accepted', now],
    ])
  if (rows.length === 0) return
  // A segment that was submitted twice is counted once.
  await tx.query(
    `INSERT IGNORE INTO message_segments
       (message_id, segment, workspace_id, carrier_id, carrier_message_id, client_number, state, accepted_at)
     VALUES ?`,
    [rows],
  )
}

/** Each as it was decided, all in one statement. */
async function putBack(tx: EntityManager, again: ReadonlyMap<string, Again>): Promise<void> {
  if (again.size === 0) return
  const row = 'SELECT ? AS id, ? AS carrier_id, ? AS due_at, ? AS attempts'
  const rows = Array.from(again, () => row).join(' UNION ALL ')
  await tx.query(
    `UPDATE message_queue queued JOIN (${rows}) decided ON queued.message_id = decided.id
     SET queued.state = 'queued', queued.carrier_id = decided.carrier_id, queued.due_at = decided.due_at,
       queued.attempts = decided.attempts
     WHERE queued.state = 'submitting'`,
    [...again].flatMap(([id, { carrierId, dueAt, attempts }]) => [id, carrierId, dueAt, attempts]),
  )
}
