/**
 * What deleted calls and messages add up to, by day: usage and bills need it when the calls and messages are gone. It has
 * neither numbers nor names. Both statements run in the transaction that deletes what they add up.
 */
import type { EntityManager } from 'typeorm'
import { chargedSegments, kindOfLeg } from '../workspaces/usage-kinds.js'

const summed = {
  usage_days: ['calls', 'seconds', 'cost', 'messages', 'segments', 'message_cost'],
  rated_usage_days: ['count', 'seconds', 'segments', 'cost'],
} as const

function added(table: keyof typeof summed): string {
  const sums = summed[table].map((column) => `${column} = ${table}.${column} + VALUES(${column})`)
  return `ON DUPLICATE KEY UPDATE ${sums.join(', ')}`
}

const usageOfCalls = `
  INSERT INTO usage_days (workspace_id, day, direction, calls, seconds, cost)
  SELECT workspace_id, CAST(created_at AS DATE), direction, COUNT(*), SUM(duration), SUM(cost)
  FROM calls WHERE id IN (?) GROUP BY 1, 2, 3 ${added('usage_days')}`

const ratedCalls = `
  INSERT INTO rated_usage_days (workspace_id, day, kind, rate_deck_id, prefix, count, seconds, segments, cost)
  SELECT calls.workspace_id, CAST(calls.created_at AS DATE), ${kindOfLeg},
    COALESCE(leg.rate_deck_id, ''), COALESCE(leg.rate_prefix, ''),
    COUNT(*), SUM(leg.charged_seconds), 0, SUM(leg.cost)
  FROM calls JOIN call_legs leg ON leg.call_id = calls.id
  WHERE calls.id IN (?) AND leg.cost > 0 GROUP BY 1, 2, 3, 4, 5 ${added('rated_usage_days')}`

const usageOfMessages = `
  INSERT INTO usage_days (workspace_id, day, direction, messages, segments, message_cost)
  SELECT workspace_id, CAST(created_at AS DATE), direction, COUNT(*), SUM(segments), COALESCE(SUM(cost), 0)
  FROM messages WHERE id IN (?) GROUP BY 1, 2, 3 ${added('usage_days')}`

const ratedMessages = `
  INSERT INTO rated_usage_days (workspace_id, day, kind, rate_deck_id, prefix, count, seconds, segments, cost)
  SELECT workspace_id, CAST(created_at AS DATE), 'message', COALESCE(rate_deck_id, ''), COALESCE(rate_prefix, ''),
    COUNT(*), 0, ${chargedSegments}, SUM(cost)
  FROM messages WHERE id IN (?) AND direction = 'outbound' AND cost > 0
  GROUP BY 1, 2, 3, 4, 5 ${added('rated_usage_days')}`

/** Keeps the usage of calls that the transaction deletes. */
export async function keepUsageOfCalls(tx: EntityManager, ids: readonly string[]): Promise<void> {
  await tx.query(usageOfCalls, [ids])
  await tx.query(ratedCalls, [ids])
}

/** The same of messages. */
export async function keepUsageOfMessages(tx: EntityManager, ids: readonly string[]): Promise<void> {
  await tx.query(usageOfMessages, [ids])
  await tx.query(ratedMessages, [ids])
}

/** The entries of the ledger stay when their call or message goes: they are marked, and their text is removed. */
export async function detachEntries(
  tx: EntityManager,
  reasons: readonly string[],
  references: readonly string[],
): Promise<void> {
  for (const reason of reasons)
    await tx.query(
      "UPDATE credit_entries SET is_subject_deleted = 1, note = '' WHERE reason = ? AND reference IN (?)",
      [reason, references],
    )
}
