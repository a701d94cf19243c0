/** All rows that have a retention, in the order in which they are swept. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type AgingRows, OldRowsWalk } from './aging-rows.js'
import type { CallRemoval, Deleted } from './call-removal.js'
import { LedgerFolding } from './ledger-folding.js'
import { type MessageRemoval, messageStatusesUnderWay } from './message-removal.js'
import type { RetentionKind } from '../workspaces/retention-policy.js'
import { UsageAging } from './usage-aging.js'

/** Rows of a step: with what belongs to a call these are some thousand rows of all tables. */
const callsAtOnce = 100
const messagesAtOnce = 200
const rowsAtOnce = 500

interface Parts {
  database: Database
  calls: Pick<CallRemoval, 'remove'>
  messages: Pick<MessageRemoval, 'remove' | 'removeEmpty'>
  /** @returns how many were deleted */
  deleteRecordings: (workspace: Owner, ids: readonly string[]) => Promise<number>
}

export function agingRowsOf(parts: Parts): readonly AgingRows[] {
  return [
    ...walksOf(parts),
    new LedgerFolding(parts.database),
    new UsageAging(parts.database, 'usage_days'),
    new UsageAging(parts.database, 'rated_usage_days'),
  ]
}

/** Those that are found by their age in an index. */
export function walksOf({ database, calls, messages, deleteRecordings }: Parts): readonly OldRowsWalk[] {
  const of = (workspaceId: string | null): Owner => ({ id: workspaceId ?? '' })
  const plain = (kind: RetentionKind, table: string, index: string, where?: string) =>
    new OldRowsWalk(
      ...([database, kind, { table, index, ...(where && { where }) }, rowsAtOnce] as const),
      async (_, ids) => {
        const { affectedRows } = await database.source.query<{ affectedRows: number }>(
          `DELETE FROM ${table} WHERE id IN (?)${where ? ` AND ${where}` : ''}`,
          [ids],
        )
        return affectedRows
      },
    )
  return [
    // A call whose recording is not stored yet waits for that: its timeline gets an event then.
    new OldRowsWalk(
      ...([database, 'calls'] as const),
      {
        ...{ table: 'calls', index: 'calls_history' },
        where: `live IS NULL AND NOT EXISTS (SELECT 1 FROM recordings recording
          WHERE recording.workspace_id = calls.workspace_id AND recording.call_id = calls.id
            AND recording.status NOT IN ('ready', 'failed'))`,
      },
      callsAtOnce,
      async (workspaceId, ids) => (await calls.remove(of(workspaceId), ids, false))['calls'] ?? 0,
    ),
    new OldRowsWalk(
      ...([database, 'recordings'] as const),
      {
        ...{ table: 'recordings', index: 'recordings_by_created_at' },
        where: "status IN ('ready', 'failed')",
      },
      rowsAtOnce,
      async (workspaceId, ids) => deleteRecordings(of(workspaceId), ids),
    ),
    new OldRowsWalk(
      ...([database, 'messages'] as const),
      {
        ...{ table: 'messages', index: 'messages_by_created_at' },
        ...{ where: 'status NOT IN (?)', values: [messageStatusesUnderWay] },
      },
      messagesAtOnce,
      async (workspaceId, ids) => (await messages.remove(of(workspaceId), ids))['messages'] ?? 0,
    ),
    new OldRowsWalk(
      ...([database, 'messages'] as const),
      { table: 'conversations', index: 'conversations_by_age', where: 'message_count = 0' },
      messagesAtOnce,
      async (workspaceId, ids) => {
        let all: Deleted['conversations'] = 0
        for (const id of ids) {
          const deleted = await database.transaction(async (tx) =>
            messages.removeEmpty(tx, of(workspaceId), id),
          )
          all += deleted?.['conversations'] ?? 0
        }
        return all
      },
    ),
    plain(
      'webhook_deliveries',
      'webhook_deliveries',
      'webhook_deliveries_by_workspace',
      "status <> 'pending'",
    ),
    plain('audit_log', 'audit_log', 'audit_log_by_created_at'),
    plain('audit_log', 'erasures', 'erasures_by_created_at', "status = 'completed'"),
  ]
}
