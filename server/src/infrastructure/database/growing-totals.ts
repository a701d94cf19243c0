/**
 * How many rows a workspace has in a table that grows for ever. A count of millions takes seconds: the count of older
 * rows is kept, and only younger ones are counted each time.
 *
 * Rows that were deleted since, as old ones by the retention sweep, are still in a total for {@link lifeMs} at most.
 */
import type { DataSource } from 'typeorm'

/** Fewer rows are counted each time. */
const leastKept = 2_000

/** Younger rows may not be committed yet, or have the time of another server's clock. */
const youngMs = 60_000

/** A count of this age is used once more, and made again meanwhile. */
const staleMs = 30_000
const lifeMs = 600_000

/** Workspaces whose counts are kept, the ones asked for last. */
const mostKept = 5_000

interface Count {
  readonly rows: number
  /** Of rows that were created earlier. */
  readonly until: Date
  readonly madeAt: number
}

interface Options {
  readonly leastKept: number
  readonly now: () => number
}

type Query = <T>(sql: string, values: unknown[]) => Promise<T>

export class GrowingTotals {
  private readonly counts = new Map<string, Count>()
  private readonly counting = new Set<string>()

  constructor(
    private readonly query: Query,
    /** It has an index of `workspace_id` and `created_at`. */
    private readonly table: string,
    private readonly options: Options = { leastKept, now: Date.now },
  ) {}

  async of(workspaceId: string): Promise<number> {
    const kept = this.counts.get(workspaceId)
    const age = this.options.now() - (kept?.madeAt ?? -Infinity)
    if (!kept || age > lifeMs) return this.count(workspaceId)
    this.keep(workspaceId, kept)
    if (age > staleMs) void this.countAgain(workspaceId)
    const [row] = await this.query<{ younger: string }[]>(`SELECT ${this.counted('>=')} AS younger`, [
      ...[workspaceId, kept.until],
    ])
    return kept.rows + Number(row?.younger)
  }

  private async countAgain(workspaceId: string): Promise<void> {
    if (this.counting.has(workspaceId)) return
    this.counting.add(workspaceId)
    try {
      await this.count(workspaceId)
    } catch {
      // The next one that asks counts again.
    } finally {
      this.counting.delete(workspaceId)
    }
  }

  /** Counts all, and keeps the count of those that are not young. */
  private async count(workspaceId: string): Promise<number> {
    const madeAt = this.options.now()
    const until = new Date(madeAt - youngMs)
    const [row] = await this.query<{ older: string; younger: string }[]>(
      `SELECT ${this.counted('<')} AS older, ${this.counted('>=')} AS younger`,
      [workspaceId, until, workspaceId, until],
    )
    const rows = Number(row?.older)
    if (rows >= this.options.leastKept) this.keep(workspaceId, { rows, until, madeAt })
    else this.counts.delete(workspaceId)
    return rows + Number(row?.younger)
  }

  private counted(than: '<' | '>='): string {
    return `(SELECT COUNT(*) FROM \`${this.table}\` WHERE workspace_id = ? AND created_at ${than} ?)`
  }

  /** A map begins with what was used longest ago. */
  private keep(workspaceId: string, count: Count): void {
    this.counts.delete(workspaceId)
    this.counts.set(workspaceId, count)
    const [oldest] = this.counts.keys()
    if (this.counts.size > mostKept && oldest !== undefined) this.counts.delete(oldest)
  }
}

const known = new WeakMap<DataSource, Map<string, GrowingTotals>>()

/** How many rows a workspace has in a table. */
export async function growingTotal(
  { source }: { readonly source: DataSource },
  table: 'calls' | 'messages',
  workspaceId: string,
): Promise<number> {
  const tables = known.get(source) ?? new Map<string, GrowingTotals>()
  known.set(source, tables)
  const totals =
    tables.get(table) ?? new GrowingTotals(async (sql, values) => source.query(sql, values), table)
  tables.set(table, totals)
  return totals.of(workspaceId)
}
