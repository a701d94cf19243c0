/** Whole days in the viewer's time zone; pages keep dates in their URLs, the API takes timestamps. */

/** `2026-03-01`, as in the page's URL. */
export interface DayRange {
  from?: string
  to?: string
}

/** Parses the dates of a URL; invalid ones are dropped. */
export function dayRangeOf(search: Record<string, unknown>): DayRange {
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])]
  return { ...(from && { from }), ...(to && { to }) }
}

function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  return Number.isNaN(new Date(`${value}T00:00`).getTime()) ? undefined : value
}

/** The first moment of a day, as the API takes it. */
export function beginOf(day: string): string {
  return new Date(`${day}T00:00`).toISOString()
}

/** The last millisecond of a day. */
export function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString()
}

/** The present day. */
export function today(): string {
  const now = new Date()
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
