/** Whole days in the viewer's zone, as pages keep them in their addresses and the API takes their moments. */

/** `2026-03-01`, as a page keeps it in its address. */
export interface DayRange {
  from?: string
  to?: string
}

/** Reads the days of an address; what is no day is left out. */
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
