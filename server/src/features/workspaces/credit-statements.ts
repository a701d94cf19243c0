/** Statements that change a workspace's balance, and what is held and spent of it, in one step each. */
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { sumOf } from '../../lib/money.js'
import type { CreditReason } from './credit-entry.entity.js'
import { beginnings } from './spend-periods.js'

export interface NewEntry {
  /** USD, negative for a charge. */
  readonly amount: number
  readonly reason: CreditReason
  /** What it is for, which is charged once only; the entry's own id by default. */
  readonly reference?: string
  readonly note: string
  /** Of a refund, when what is paid back was charged: it makes no room in an hour or day after that. */
  readonly chargedAt?: Date
}

/** What a call that has ended costs, and held. USD. */
export interface CallCharge {
  readonly callId: string
  readonly held: number
  readonly cost: number
}

/**
 * Numbers the entry and counts what it charges, in the statement that changes the balance. An hour that has begun stays:
 * a statement that waited, or a server whose clock is behind, counts into it.
 */
const counted = `entries = entries + ?,
  hour_spent = GREATEST(0, IF(hour_began >= ?, hour_spent, 0) + ?), hour_began = IF(hour_began >= ?, hour_began, ?),
  day_spent = GREATEST(0, IF(day_began >= ?, day_spent, 0) + ?), day_began = IF(day_began >= ?, day_began, ?)`

/** Whether less is spent and held than may be spent, in the statement that would spend or hold more. */
const withinLimits = `NOT EXISTS (SELECT 1 FROM workspaces WHERE workspaces.id = credit_balances.workspace_id
  AND (workspaces.max_spend_per_hour <= held + ? + IF(hour_began >= ?, hour_spent, 0)
    OR workspaces.max_spend_per_day <= held + ? + IF(day_began >= ?, day_spent, 0)))`

/** What a charge adds to what is spent; a message that is paid back takes it off again, where it was charged. */
function countOf({
  amount,
  reason,
  chargedAt,
}: Pick<NewEntry, 'amount' | 'reason' | 'chargedAt'>): unknown[] {
  const { hour, day } = beginnings(new Date())
  const isSpending = reason !== 'top_up' && reason !== 'correction'
  const spentIn = (began: Date) =>
    isSpending && (!chargedAt || chargedAt >= began) ? (-amount).toFixed(6) : '0'
  return [hour, spentIn(hour), hour, hour, day, spentIn(day), day, day]
}

/** @param beyond USD that are held before, in the same statement */
function limitsBeyond(beyond: number): unknown[] {
  const { hour, day } = beginnings(new Date())
  return [beyond.toFixed(6), hour, beyond.toFixed(6), day]
}

type Sql = [text: string, values: unknown[]]

/** Holds all or nothing: each of them where the ones before it are held. */
export function holding({ id }: Owner, amounts: readonly number[]): Sql {
  const all = sumOf(amounts)
  return [
    `UPDATE credit_balances SET held = held + ? WHERE workspace_id = ? AND balance - held >= ? AND ${withinLimits}`,
    [all.toFixed(6), id, all.toFixed(6), ...limitsBeyond(sumOf(amounts.slice(0, -1)))],
  ]
}

/** Changes the balance by the sum of some entries, and numbers them. */
export function booking(
  { id }: Owner,
  sum: Pick<NewEntry, 'amount' | 'reason' | 'chargedAt'>,
  held: number,
  entries: number,
): Sql {
  return [
    `UPDATE credit_balances SET balance = balance + ?, held = held - ?, ${counted} WHERE workspace_id = ?`,
    [sum.amount.toFixed(6), held.toFixed(6), entries, ...countOf(sum), id],
  ]
}

/** Books one entry where so much is available. @param least USD that must be available before */
export function spending({ id }: Owner, entry: NewEntry, least: number): Sql {
  return [
    `UPDATE credit_balances SET balance = balance + ?, ${counted}
     WHERE workspace_id = ? AND balance - held >= ? AND ${withinLimits}`,
    [
      ...[entry.amount.toFixed(6), 1, ...countOf(entry), id],
      ...[Math.max(-entry.amount, least).toFixed(6), ...limitsBeyond(0)],
    ],
  ]
}

/** Writes entries whose sum is in the balance already, each with the balance after it. */
export function entering({ id }: Owner, entries: readonly (NewEntry & { readonly id: string })[]): Sql {
  const now = new Date()
  const rows = entries.map((entry, index) => {
    const after = entries.slice(index + 1)
    return [
      ...[
        entry.id,
        entry.amount.toFixed(6),
        sumOf(after.map(({ amount }) => amount)).toFixed(6),
        entry.reason,
      ],
      ...[entry.reference ?? entry.id, entry.note, after.length, now, id],
    ]
  })
  const select = `SELECT ?, workspace_id, ?, balance - ?, ?, ?, ?, entries - ?, ? FROM credit_balances WHERE workspace_id = ?`
  return [
    `INSERT INTO credit_entries (id, workspace_id, amount, balance, reason, reference, note, sequence, created_at)
     ${rows.map(() => select).join(' UNION ALL ')}`,
    rows.flat(),
  ]
}

export function entryOf({ callId, cost }: CallCharge): NewEntry & { id: string } {
  return { id: newId('cr'), amount: -cost, reason: 'call', reference: callId, note: '' }
}
