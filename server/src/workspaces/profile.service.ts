/** What a workspace is told about itself. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import type { CreditService } from './credit.service.js'
import type { UpdateProfile } from './profile.schema.js'
import type { Workspace } from './workspace.entity.js'
import type { WorkspaceService } from './workspace.service.js'

/** A workspace with what it has, and how much of it it may have. */
export interface Profile extends Workspace {
  credit_balance: number
  limits: Record<string, { max: number; used: number }>
  counts: { live_calls: number }
}

interface Options {
  database: Database
  workspaces: WorkspaceService
  credit: CreditService
  /** How many rows a workspace may have, by table. */
  limits: Readonly<Record<string, number>>
  liveCalls: (workspace: Owner) => Promise<number>
}

export class ProfileService {
  constructor(private readonly options: Options) {}

  /** Names of what is limited. */
  get limited(): string[] {
    return Object.keys(this.options.limits)
  }

  async get(workspace: Owner): Promise<Profile> {
    const { workspaces, credit, liveCalls } = this.options
    const [row, credit_balance, used, live_calls] = await Promise.all([
      workspaces.get(workspace.id),
      credit.balance(workspace),
      this.used(workspace),
      liveCalls(workspace),
    ])
    const limits = Object.entries(this.options.limits).map(
      ([name, max]) => [name, { max, used: used.get(name) ?? 0 }] as const,
    )
    return { ...row, credit_balance, limits: Object.fromEntries(limits), counts: { live_calls } }
  }

  /** @throws 400 unknown country */
  async update(workspace: Owner, input: UpdateProfile): Promise<Profile> {
    await this.options.workspaces.update(workspace.id, input)
    return this.get(workspace)
  }

  /** Counted from the indexes of all tables in one statement. */
  private async used(workspace: Owner): Promise<ReadonlyMap<string, number>> {
    const counts = this.limited.map(
      (table) => `SELECT '${table}' AS name, COUNT(*) AS used FROM ${table} WHERE workspace_id = ?`,
    )
    const rows: { name: string; used: string }[] = await this.options.database.source.query(
      counts.join(' UNION ALL '),
      counts.map(() => workspace.id),
    )
    return new Map(rows.map(({ name, used }) => [name, Number(used)]))
  }
}
