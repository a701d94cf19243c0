/** Days and months in UTC, as in the API: `2026-03-01`, `2026-03`. */
import { perLocale } from '../../i18n/language'
import type { Usage, UsageRow } from './queries'

const dayMs = 86_400_000
const monthLength = 'YYYY-MM'.length

/** All days or months of a response, including those without calls and messages. */
function periodsOf({ from, to, group_by }: Usage): string[] {
  const days: string[] = []
  for (let day = Date.parse(from); day <= Date.parse(to); day += dayMs) {
    days.push(group_by === 'month' ? dayOf(day).slice(0, monthLength) : dayOf(day))
  }
  return [...new Set(days)]
}

/** One column of a chart. */
export interface Bar extends Record<UsageRow['direction'], number> {
  period: string
}

export function barsOf(usage: Usage, valueOf: (row: UsageRow) => number): Bar[] {
  const bars = new Map(periodsOf(usage).map((period) => [period, { period, inbound: 0, outbound: 0 }]))
  for (const row of usage.data) {
    const bar = bars.get(row.period)
    if (bar) bar[row.direction] = valueOf(row)
  }
  return [...bars.values()]
}

const formats = {
  day: {
    long: formatOf({ day: 'numeric', month: 'short', year: 'numeric' }),
    short: formatOf({ day: 'numeric', month: 'short' }),
  },
  month: {
    long: formatOf({ month: 'long', year: 'numeric' }),
    short: formatOf({ month: 'short', year: 'numeric' }),
  },
}

function formatOf(form: Intl.DateTimeFormatOptions) {
  return perLocale((tag) => new Intl.DateTimeFormat(tag, { ...form, timeZone: 'UTC' }))
}

/** A day or month in the viewer's format. @param isShort where there is little room */
export function periodText(period: string, isShort = false): string {
  const { long, short } = formats[period.length === monthLength ? 'month' : 'day']
  return (isShort ? short : long)().format(new Date(period))
}

/** First day of the year of months that ends with this day's month. */
export function yearBegin(day = new Date().toISOString()): string {
  const last = new Date(day)
  return dayOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 11, 1))
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
