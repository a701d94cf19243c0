/** For how long recordings are kept: so many days as their workspace says, or as the operator does. */
import type { Owner } from '../database/workspace-table.js'
import type { RecordingStore } from './recording-store.js'

interface Options {
  store: RecordingStore
  /** Days of workspaces that do not say; 0: for ever. */
  defaultDays: number
  /** What a workspace says; null when it does not. */
  ownDaysOf: (workspace: Owner) => Promise<number | null>
  /** All workspaces, with what they say. */
  workspaces: () => Promise<{ id: string; days: number | null }[]>
  wake: () => void
}

const dayMs = 86_400_000
const deletedAtOnce = 500

export class Retention {
  constructor(private readonly options: Options) {}

  /** Days for which a workspace's recordings are kept; null: for ever. */
  async daysOf(workspace: Owner): Promise<number | null> {
    return this.days(await this.options.ownDaysOf(workspace))
  }

  /** Deletes what is older than it is kept, some at a time. */
  async sweep(now = new Date()): Promise<void> {
    const { store, wake, workspaces } = this.options
    for (const workspace of await workspaces()) {
      const days = this.days(workspace.days)
      if (days === null) continue
      const before = new Date(now.getTime() - days * dayMs)
      while (await store.deleteSome(workspace.id, { before }, deletedAtOnce)) wake()
      wake()
    }
  }

  private days(own: number | null): number | null {
    return (own ?? this.options.defaultDays) || null
  }
}

/** When a recording is deleted; null: never. */
export function expiryOf(createdAt: Date, days: number | null): Date | null {
  return days === null ? null : new Date(createdAt.getTime() + days * dayMs)
}
