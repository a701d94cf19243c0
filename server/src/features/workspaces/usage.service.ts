/** Usage: what a workspace's calls and messages add up to. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { rangeOf } from './usage-days.js'
import type { UsageQuery } from './usage.schema.js'

const names = ['calls', 'seconds', 'cost', 'messages', 'segments', 'message_cost'] as const

/** Costs are USD. */
type Sums = Record<(typeof names)[number], number>

/** Sums of the calls and messages of one direction in a day or month. */
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

/** Of the texts that name a period. */
const lengths = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length }

type DayRow = Pick<UsageRow, 'direction'> & { day: Date } & Partial<Record<keyof Sums, string>>

const none: Sums = { calls: 0, seconds: 0, cost: 0, messages: 0, segments: 0, message_cost: 0 }

const ofCalls = `SELECT CAST(created_at AS DATE) AS day, direction, COUNT(*) AS calls,
    SUM(duration) AS seconds, SUM(cost) AS cost FROM calls`
/** What calls and messages that were deleted add up to. */
const ofDeleted = `SELECT day, direction, calls, seconds, cost, messages, segments, message_cost FROM usage_days`
const ofMessages = `SELECT CAST(created_at AS DATE) AS day, direction, COUNT(*) AS messages,
    SUM(segments) AS segments, COALESCE(SUM(cost), 0) AS message_cost FROM messages`

export class UsageService {
  constructor(private readonly database: Database) {}

  /** Adds up the calls and messages that began on some days. @throws 400 for days out of bounds */
  async of(workspace: Owner, query: UsageQuery): Promise<Usage> {
    const { from, to, end } = rangeOf(query)
    const values = [workspace.id, from, end]
    // In one snapshot, so that what is deleted meanwhile is counted once.
    const rows = await this.database.snapshot(async (tx) => {
      const found: DayRow[][] = []
      for (const sums of [ofCalls, ofMessages]) {
        const sql = `${sums} WHERE workspace_id = ? AND created_at >= ? AND created_at < ? GROUP BY day, direction`
        found.push(await tx.query<DayRow[]>(sql, values))
      }
      found.push(await tx.query(`${ofDeleted} WHERE workspace_id = ? AND day >= ? AND day < ?`, values))
      return found
    })
    const length = lengths[query.group_by]
    const days = rows.flat().map(({ day, direction, ...sums }): UsageRow => {
      const numbers = Object.entries(sums).map(([name, sum]) => [name, Number(sum)] as const)
      return {
        period: day.toISOString().slice(0, length),
        direction,
        ...none,
        ...Object.fromEntries(numbers),
      }
    })
    return { from, to, group_by: query.group_by, data: byPeriod(days), total: sumOf(days) }
  }
}

/** Adds up what there is of each period and direction; the database does no more than the days, as that is quickest. */
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
  const sum = (name: keyof Sums) => rows.reduce((total, row) => total + row[name], 0)
  return Object.fromEntries(names.map((name) => [name, Math.round(sum(name) * 1e6) / 1e6])) as Sums
}
