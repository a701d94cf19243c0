/** The usage of days: kept for as long as the ledger's entries, and at least for as long as tax law asks. */
import type { Database } from '../../infrastructure/database/database.js'
import type { AgingRows, Step } from './aging-rows.js'

const rowsAtOnce = 1_000

const leastMs = 3_653 * 86_400_000

export class UsageAging implements AgingRows {
  readonly kind = 'ledger'

  constructor(
    private readonly database: Database,
    readonly name: 'usage_days' | 'rated_usage_days',
  ) {}

  async step(workspaceId: string | null, before: Date): Promise<Step> {
    const end = new Date(Math.min(before.getTime(), Date.now() - leastMs))
    const { affectedRows: deleted } = await this.database.source.query<{ affectedRows: number }>(
      `DELETE FROM ${this.name} WHERE workspace_id = ? AND day < ? LIMIT ${rowsAtOnce}`,
      [workspaceId, end.toISOString().slice(0, 10)],
    )
    return { next: deleted < rowsAtOnce ? null : { created_at: before, id: '' }, deleted }
  }
}
