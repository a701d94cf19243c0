/** The days that somebody asks for. */
import { invalidField } from '../../infrastructure/http/errors.js'
import { maxDays } from './usage.schema.js'

export const dayMs = 86_400_000
const defaultDays = 30

/** @returns days in UTC as YYYY-MM-DD; `end` is the first that is not asked for @throws 400 */
export function rangeOf(query: { from?: string; to?: string }): { from: string; to: string; end: string } {
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
