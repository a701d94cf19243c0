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

/** What the calls of one direction add up to in one day or month. */
interface UsageRow extends Sums {
  period: string
  direction: 'inbound' | 'outbound'
}

interface Usage {
  from: string
  to: string
  group_by: 'day' | 'month'
  data: UsageRow[]
  total: Sums
}

const dayMs = 86_400_000
const defaultDays = 30

/** Of the texts that name a period. */
const lengths = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length }

interface DayRow {
  day: Date
  direction: 'inbound' | 'outbound'
  calls: string
  seconds: string
  cost: string
}

export class UsageService {
  constructor(private readonly database: Database) {}

  /** Adds up the calls that began on some days, from the index made for it. @throws 400 for days out of bounds */
  async of(workspace: Owner, query: UsageQuery): Promise<Usage> {
    const { from, to, end } = rangeOf(query)
    const rows: DayRow[] = await this.database.source.query(
      `SELECT CAST(created_at AS DATE) AS day, direction, COUNT(*) AS calls,
         SUM(duration) AS seconds, SUM(cost) AS cost
       FROM calls WHERE workspace_id = ? AND created_at >= ? AND created_at < ?
       GROUP BY day, direction ORDER BY day, direction`,
      [workspace.id, from, end],
    )
    const days = rows.map(({ day, direction, calls, seconds, cost }) => ({
      ...{ period: day.toISOString().slice(0, lengths[query.group_by]), direction },
      ...{ calls: Number(calls), seconds: Number(seconds), cost: Number(cost) },
    }))
    const data = query.group_by === 'day' ? days : byPeriod(days)
    return { from, to, group_by: query.group_by, data, total: sumOf(days) }
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

/** Adds up the days of each period and direction; the database does no more than the days, as that is quickest. */
function byPeriod(days: readonly UsageRow[]): UsageRow[] {
  const groups = new Map<string, UsageRow[]>()
  for (const day of days) {
    const key = `${day.period} ${day.direction}`
    groups.set(key, [...(groups.get(key) ?? []), day])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => (group[0] ? [{ ...group[0], ...sumOf(group) }] : []))
}

function sumOf(rows: readonly Sums[]): Sums {
  const sum = (of: (row: Sums) => number) => rows.reduce((total, row) => total + of(row), 0)
  const cost = sum((row) => row.cost)
  return {
    calls: sum((row) => row.calls),
    seconds: sum((row) => row.seconds),
    cost: Math.round(cost * 1e6) / 1e6,
  }
}
