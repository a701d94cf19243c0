/** Usage: what a workspace's calls add up to. */
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { invalidField } from '../http/errors.js'
import { type UsageQuery, maxDays } from './usage.schema.js'

interface Sums {
  calls: number
  seconds: number
  /** USD. */
  cost: number
}

export interface Usage {
  from: string
  to: string
  group_by: 'day' | 'month'
  data: ({ period: string; direction: 'inbound' | 'outbound' } & Sums)[]
  total: Sums
}

const dayMs = 86_400_000
const defaultDays = 30

const periods = { day: '%Y-%m-%d', month: '%Y-%m' }

export class UsageService {
  constructor(private readonly database: Database) {}

  /** Adds up the calls that began on some days, from the index made for it. @throws 400 for days out of bounds */
  async of(workspace: Owner, query: UsageQuery): Promise<Usage> {
    const { from, to, end } = rangeOf(query)
    const rows: Record<string, string>[] = await this.database.source.query(
      `SELECT DATE_FORMAT(created_at, ?) AS period, direction, COUNT(*) AS calls,
         SUM(duration) AS seconds, SUM(cost) AS cost
       FROM calls WHERE workspace_id = ? AND created_at >= ? AND created_at < ?
       GROUP BY period, direction ORDER BY period, direction`,
      [periods[query.group_by], workspace.id, from, end],
    )
    const data = rows.map(({ period, direction, calls, seconds, cost }) => ({
      ...({ period, direction } as Pick<Usage['data'][number], 'period' | 'direction'>),
      calls: Number(calls),
      seconds: Number(seconds),
      cost: Number(cost),
    }))
    return { from, to, group_by: query.group_by, data, total: totalOf(data) }
  }
}

function rangeOf(query: UsageQuery): { from: string; to: string; end: string } {
  const last = query.to === undefined ? Date.now() : Date.parse(query.to)
  const first = query.from === undefined ? last - (defaultDays - 1) * dayMs : Date.parse(query.from)
  const days = Math.floor(last / dayMs) - Math.floor(first / dayMs) + 1
  if (days < 1) throw invalidField('to', 'to must not be before from')
  if (days > maxDays) throw invalidField('to', `to must be within ${maxDays} days of from`)
  return { from: dateOf(first), to: dateOf(last), end: dateOf(last + dayMs) }
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function totalOf(rows: readonly Sums[]): Sums {
  const sum = (of: (row: Sums) => number) => rows.reduce((total, row) => total + of(row), 0)
  const cost = sum((row) => row.cost)
  return {
    calls: sum((row) => row.calls),
    seconds: sum((row) => row.seconds),
    cost: Math.round(cost * 1e6) / 1e6,
  }
}
