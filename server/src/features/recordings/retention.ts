/** For how long recordings are kept. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'

interface Options {
  /** Days for which a workspace's recordings are kept; null: for ever. */
  daysOf: (workspace: Owner) => Promise<number | null>
}

const dayMs = 86_400_000

export class Retention {
  constructor(private readonly options: Options) {}

  /** Days for which a workspace's recordings are kept; null: for ever. */
  async daysOf(workspace: Owner): Promise<number | null> {
    return this.options.daysOf(workspace)
  }
}

/** When a recording is deleted; null: never. */
export function expiryOf(createdAt: Date, days: number | null): Date | null {
  return days === null ? null : new Date(createdAt.getTime() + days * dayMs)
}
