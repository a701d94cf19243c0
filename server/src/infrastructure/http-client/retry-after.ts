/** The header `Retry-After` of a server that wants to be asked later. */

/** No server is waited for longer than this, whatever it says: a day. */
const maxMs = 86_400_000

/**
 * Milliseconds to wait, from seconds or a date (RFC 9110, 10.2.3); undefined without a header, or for a value that is
 * neither. A date that has passed is 0.
 */
export function retryAfterOf(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2,8},? /.test(text)
  if (!isDate && !/^\d{1,12}$/.test(text)) return undefined
  const ms = isDate ? Date.parse(text) - now : Number(text) * 1_000
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxMs)
}
