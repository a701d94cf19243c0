/** How far an erasure is: what was deleted is counted in the transaction that deletes it. */
import type { EntityManager } from 'typeorm'
import { withRests } from '../../../infrastructure/database/batches.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { type Deleted, sumOf } from '../call-removal.js'

export class Progress {
  /** What is under way, by table. */
  readonly waitingFor: Record<string, number> = {}

  constructor(
    private readonly database: Database,
    private readonly id: string,
    private readonly stopping: AbortSignal,
  ) {}

  /** The pages of a walk, with rests between them. @throws when the server stops */
  paced<P>(pages: AsyncIterable<P>): AsyncIterable<P> {
    return withRests(pages, this.stopping)
  }

  /** Deletes something in a transaction, and counts it there. @returns what was deleted */
  async counted(work: (tx: EntityManager) => Promise<Deleted>): Promise<Deleted> {
    return this.database.transaction(async (tx) => {
      const deleted = await work(tx)
      await this.add(tx, deleted)
      return deleted
    })
  }

  waits(table: string, count: number): void {
    if (count > 0) this.waitingFor[table] = (this.waitingFor[table] ?? 0) + count
  }

  private async add(tx: EntityManager, deleted: Deleted): Promise<void> {
    const some = Object.fromEntries(Object.entries(deleted).filter(([, count]) => count > 0))
    if (Object.keys(some).length === 0) return
    const [row] = await tx.query<{ deleted: string | Deleted }[]>(
      'SELECT deleted FROM erasures WHERE id = ? FOR UPDATE',
      [this.id],
    )
    if (!row) return
    const before = typeof row.deleted === 'string' ? (JSON.parse(row.deleted) as Deleted) : row.deleted
    await tx.query('UPDATE erasures SET deleted = ? WHERE id = ?', [
      ...[JSON.stringify(sumOf(before, some)), this.id],
    ])
  }
}
