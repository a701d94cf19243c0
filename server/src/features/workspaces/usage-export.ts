/** Rated usage, for who writes bills: what was charged by workspace, day, kind and prefix. */
import { Readable } from 'node:stream'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type CsvCell, csvLine } from '../../infrastructure/http/csv.js'
import { chargedSegments, kindOfLeg } from './usage-kinds.js'
import { dayMs, rangeOf } from './usage-days.js'
import type { ExportQuery } from './usage.schema.js'

/** Charges of one prefix on one day. */
interface RatedUsage {
  workspace_id: string
  /** In UTC: where the call or message began. */
  day: string
  kind: 'inbound_call' | 'message' | 'outbound_call' | 'voice_agent'
  /** The deck and prefix of the rate; null: a fee of a number, or the price of a model. */
  rate_deck_id: string | null
  prefix: string | null
  /** Legs of calls that were answered, or messages that a carrier has taken, if only in part. */
  count: number
  /** Charged, with minimums and increments. */
  seconds: number
  segments: number
  /** USD. */
  cost: number
}

type Row = Omit<RatedUsage, 'workspace_id' | 'day' | 'count' | 'seconds' | 'segments' | 'cost'> & {
  day: Date
} & Record<'count' | 'seconds' | 'segments' | 'cost', string>

const columns = [
  ...(['workspace_id', 'day', 'kind', 'rate_deck_id', 'prefix'] as const),
  ...(['count', 'seconds', 'segments', 'cost'] as const),
]

/** Days that are added up at once, so that what is in memory stays small whatever is asked for. */
const days = 7
const workspacesAtOnce = 100

/** What there is by now, and what was deleted: each has its own rows of a day. */
const rated = `
  SELECT day, kind, rate_deck_id, prefix, SUM(count) AS count, SUM(seconds) AS seconds, SUM(segments) AS segments,
    SUM(cost) AS cost FROM (
  SELECT CAST(calls.created_at AS DATE) AS day, ${kindOfLeg} AS kind, leg.rate_deck_id, leg.rate_prefix AS prefix,
    COUNT(*) AS count, SUM(leg.charged_seconds) AS seconds, 0 AS segments, SUM(leg.cost) AS cost
  FROM calls JOIN call_legs leg ON leg.call_id = calls.id
  WHERE calls.workspace_id = ? AND calls.created_at >= ? AND calls.created_at < ?
    AND calls.live IS NULL AND leg.cost > 0
  GROUP BY day, kind, leg.rate_deck_id, leg.rate_prefix
  UNION ALL
  SELECT CAST(created_at AS DATE) AS day, 'message' AS kind, rate_deck_id, rate_prefix AS prefix,
    COUNT(*) AS count, 0 AS seconds, ${chargedSegments} AS segments, SUM(cost) AS cost
  FROM messages
  WHERE workspace_id = ? AND created_at >= ? AND created_at < ? AND direction = 'outbound' AND cost > 0
  GROUP BY day, rate_deck_id, rate_prefix
  UNION ALL
  SELECT day, kind, NULLIF(rate_deck_id, ''), NULLIF(prefix, ''), count, seconds, segments, cost
  FROM rated_usage_days WHERE workspace_id = ? AND day >= ? AND day < ?
  ) parts GROUP BY day, kind, rate_deck_id, prefix
  ORDER BY day, kind, rate_deck_id, prefix`

export class UsageExport {
  constructor(private readonly database: Database) {}

  /**
   * One line for each workspace, day, kind and prefix, in this order, written at the pace of who reads.
   * @param workspace null for all
   * @throws 400 for days out of bounds
   */
  of(workspace: Owner | null, query: ExportQuery): Readable {
    const { from, end } = rangeOf(query)
    const all = workspace ? single(workspace.id) : this.workspaces()
    return Readable.from(this.lines(all, from, end, query.format), { objectMode: false })
  }

  private async *lines(
    workspaces: AsyncIterable<string>,
    from: string,
    end: string,
    format: ExportQuery['format'],
  ): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(columns)
    for await (const id of workspaces) {
      for (let day = Date.parse(from); day < Date.parse(end); day += days * dayMs) {
        const until = Math.min(day + days * dayMs, Date.parse(end))
        const rows = await this.rated(id, new Date(day), new Date(until))
        if (rows.length > 0) yield rows.map(format === 'csv' ? csvOf : jsonOf).join('')
      }
    }
  }

  private async rated(workspace_id: string, from: Date, until: Date): Promise<RatedUsage[]> {
    const span = [workspace_id, from, until]
    const rows = await this.database.source.query<Row[]>(rated, [...span, ...span, ...span])
    return rows.map(({ day, kind, rate_deck_id, prefix, count, seconds, segments, cost }) => ({
      ...{ workspace_id, day: day.toISOString().slice(0, 10), kind, rate_deck_id, prefix },
      ...{ count: Number(count), seconds: Number(seconds), segments: Number(segments), cost: Number(cost) },
    }))
  }

  private async *workspaces(): AsyncGenerator<string> {
    let last = ''
    for (;;) {
      const rows = await this.database.source.query<{ id: string }[]>(
        'SELECT id FROM workspaces WHERE id > ? ORDER BY id LIMIT ?',
        [last, workspacesAtOnce],
      )
      for (const { id } of rows) yield id
      last = rows.at(-1)?.id ?? ''
      if (rows.length < workspacesAtOnce) return
    }
  }
}

async function* single(id: string): AsyncGenerator<string> {
  yield id
}

function csvOf(row: RatedUsage): string {
  return csvLine(columns.map((column): CsvCell => row[column]))
}

function jsonOf(row: RatedUsage): string {
  return `${JSON.stringify(row)}\n`
}
