/** Which workspaces' jobs of the outbox are claimed next: they take turns, however many jobs one of them has. */
import type { Places } from '../../lib/turns.js'
import type { Database } from './database.js'

/**
 * The workspaces that have jobs of a kind, and when the first of each is due. MariaDB steps through the index from workspace to
 * workspace (loose index scan), however many jobs each has, where the columns that are grouped by begin the index and the
 * table's statistics show several jobs a workspace. While they do not, as after a sudden burst, it reads all entries of the kind.
 */
export const firstJobs = `
  SELECT workspace_id, MIN(due_at) AS due_at FROM outbox WHERE kind = ? GROUP BY kind, workspace_id ORDER BY workspace_id`

export class OutboxTurns {
  /** The workspace that was served last: the next one begins. */
  private last = ''

  constructor(
    private readonly database: Database,
    private readonly kind: string,
    private readonly places: Places,
  ) {}

  /** How many jobs of each workspace to claim. @returns null when no job is due */
  async next(now: Date): Promise<ReadonlyMap<string, number> | null> {
    const due = await this.due(now)
    return due.length === 0 ? null : this.deal(due)
  }

  /** In the order of their ids. Jobs of other cells count, too: claims pass them over. */
  private async due(now: Date): Promise<string[]> {
    const rows = await this.database.source.query<{ workspace_id: string; due_at: Date }[]>(firstJobs, [
      this.kind,
    ])
    return rows.filter(({ due_at }) => due_at <= now).map(({ workspace_id }) => workspace_id)
  }

  /** Deals the free places, one to each in rotation. */
  private deal(due: readonly string[]): Map<string, number> {
    const first = due.findIndex((id) => id > this.last)
    const rotation = first < 0 ? due : [...due.slice(first), ...due.slice(0, first)]
    const shares = new Map<string, number>()
    for (let isDealt = true; isDealt;) {
      isDealt = false
      for (const id of rotation) {
        if (!this.places.mayTake(id)) continue
        this.places.take(id)
        shares.set(id, (shares.get(id) ?? 0) + 1)
        this.last = id
        isDealt = true
      }
    }
    // Each job takes its place as it begins.
    for (const [id, count] of shares) this.places.giveBack(id, count)
    return shares
  }
}
