/**
 * Alerts to calls that look like toll fraud: a workspace's first to a country, far more to one than usual, and many short
 * ones. One row of the workspace for each country has what is usual: its busiest hour, which decays by half in a week.
 */
import type { Logger } from 'pino'
import { inBackground } from '../../infrastructure/database/pool-use.js'
import type { Database } from '../../infrastructure/database/database.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import { beginnings } from '../workspaces/spend-periods.js'
import type { AlertService } from './alert.service.js'

/** The settings `alerts.*`. */
interface Thresholds {
  /** So many calls to a country in an hour are never a burst. */
  burst_calls: number
  /** So many times as many as in the busiest hour before are one. */
  burst_times: number
  short_calls: number
  short_seconds: number
}

interface Counted {
  workspace_id: string
  country_code: string
  calls: number
}

/** In place of a country, of numbers of none, such as those of satellites (CLDR's unknown region). */
export const noCountry = 'ZZ'

const writeMs = 2_000

/** Countries of workspaces, and workspaces, that are counted at once; calls of more are not looked at. */
const maxCounted = 10_000

/** So many hours until half of what is usual is forgotten. */
const halfLifeHours = 168

export class FraudWatch {
  private counts = new Map<string, Counted>()
  /** Short calls of this hour, by workspace. Each server counts for itself. */
  private readonly short = new Map<string, number>()
  private shortHour = 0
  private readonly writing: RepeatingTask

  constructor(
    private readonly database: Database,
    private readonly alerts: AlertService,
    log: Logger,
    private readonly thresholds: Thresholds,
  ) {
    this.writing = new RepeatingTask(
      { everyMs: writeMs, log, failure: ['alert.count_failed', 'called countries could not be counted'] },
      async () => inBackground('', async () => this.write()),
    )
  }

  start(): void {
    this.writing.start()
  }

  async stop(): Promise<void> {
    await this.writing.settled()
    await this.writing.stop()
  }

  /** A call to a number of the telephone network begins. @param country_code ISO 3166-1, or {@link noCountry} */
  began(workspace_id: string, country_code: string): void {
    this.add({ workspace_id, country_code, calls: 1 })
  }

  /** A call to the telephone network that was answered has ended. @param seconds that it lasted */
  ended(workspace_id: string, seconds: number): void {
    if (seconds > this.thresholds.short_seconds) return
    const { hour } = beginnings(new Date())
    if (this.shortHour !== hour.getTime()) {
      this.short.clear()
      this.shortHour = hour.getTime()
    }
    const count = (this.short.get(workspace_id) ?? 0) + 1
    if (count > 1 || this.short.size < maxCounted) this.short.set(workspace_id, count)
    if (count !== this.thresholds.short_calls) return
    this.alerts.raiseLater({
      ...{ workspace_id, kind: 'calls_short', period_began: hour },
      details: { calls: count, seconds: this.thresholds.short_seconds },
      message: `${count} calls within an hour ended ${this.thresholds.short_seconds} seconds after their answer, or sooner`,
    })
  }

  private add({ workspace_id, country_code, calls }: Counted): void {
    const key = `${workspace_id} ${country_code}`
    const counted = this.counts.get(key)
    if (counted) counted.calls += calls
    else if (this.counts.size < maxCounted) this.counts.set(key, { workspace_id, country_code, calls })
  }

  private async write(): Promise<void> {
    const counts = [...this.counts.values()]
    this.counts = new Map()
    for (const [index, counted] of counts.entries()) {
      try {
        await this.count(counted)
      } catch (error) {
        for (const one of counts.slice(index)) this.add(one)
        throw error
      }
    }
  }

  private async count({ workspace_id, country_code, calls }: Counted): Promise<void> {
    const { burst_calls, burst_times } = this.thresholds
    const now = new Date()
    const { hour } = beginnings(now)
    const [affectedRows, row] = await this.database.transaction(async (tx) => {
      // A burst makes only as much usual as is no burst.
      const { affectedRows } = await tx.query<{ affectedRows: number }>(
        `INSERT INTO called_countries
         (workspace_id, country_code, first_called_at, hour_began, hour_calls, usual_calls)
       SELECT id, ?, ?, ?, ?, 0 FROM workspaces WHERE id = ?
       ON DUPLICATE KEY UPDATE
         usual_calls = IF(called_countries.hour_began >= VALUES(hour_began), usual_calls, GREATEST(
           LEAST(called_countries.hour_calls, GREATEST(?, ? * usual_calls)),
           usual_calls * POW(0.5,
             TIMESTAMPDIFF(HOUR, called_countries.hour_began, VALUES(hour_began)) / ${halfLifeHours}))),
         hour_calls = IF(called_countries.hour_began >= VALUES(hour_began), called_countries.hour_calls, 0)
           + VALUES(hour_calls),
         hour_began = GREATEST(called_countries.hour_began, VALUES(hour_began))`,
        [country_code, now, hour, calls, workspace_id, burst_calls, burst_times],
      )
      const [row] = await tx.query<{ hour_calls: number; usual_calls: string; home: string }[]>(
        `SELECT hour_calls, usual_calls, workspaces.country_code AS home FROM called_countries
       JOIN workspaces ON workspaces.id = workspace_id
       WHERE workspace_id = ? AND called_countries.country_code = ?`,
        [workspace_id, country_code],
      )
      return [affectedRows, row] as const
    })
    if (!row) return
    const about = { workspace_id, period_began: hour, country_code }
    if (affectedRows === 1 && row.home !== country_code)
      this.alerts.raiseLater({
        ...about,
        ...{ kind: 'calls_new_country', details: {} },
        message: `The first call to ${nameOf(country_code)}`,
      })
    const usual = Number(row.usual_calls)
    if (row.hour_calls > Math.max(burst_calls, burst_times * usual))
      this.alerts.raiseLater({
        ...{ ...about, kind: 'calls_burst' },
        details: { calls: row.hour_calls, usual: Math.round(usual) },
        message: `${row.hour_calls} calls to ${nameOf(country_code)} within an hour, where ${Math.round(usual)} were usual`,
      })
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'region' })

function nameOf(country_code: string): string {
  const name = country_code === noCountry ? 'numbers of no country' : names.of(country_code)
  return `${name ?? country_code} (${country_code})`
}
