/** Header fields that somebody else has chosen, for requests that we make. */
import Type from 'typebox'
import { ValidationError, invalidField } from './errors.js'
import { patterned } from './shapes.js'

/** RFC 9110, 5.1 and 5.5: a token, and a value without line breaks. */
const headerName = patterned(
  "^[A-Za-z0-9!#$%&'*+.^`|~-][A-Za-z0-9!#$%&'*+.^_`|~-]{0,99}$",
  'an HTTP field name',
)
const headerValue = patterned(
  '^([!-~]([ -~\\t]{0,1022}[!-~])?)?$',
  'up to 1024 visible ASCII characters, with spaces inside only',
)

/** A map of them; what a schema cannot say is left to {@link checkHeaders}. */
export function headers(maxProperties: number, description: string, preset?: Record<string, string>) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: headerName,
    additionalProperties: headerValue,
    maxProperties,
    description,
    ...(preset && { default: preset }),
  })
}

/** Headers that belong to the connection or that our own client writes (RFC 9110, 7.6.1). */
const ownHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive', 'proxy-authenticate'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  // Standard Webhooks, and the trace of a request.
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'traceparent', 'tracestate'],
])

/** What the platform says of itself in a request. */
const ownPrefix = 'jackfield-'

/**
 * @param field what the request calls the map
 * @throws 400 naming each header that may not be set, or that is there twice
 */
export function checkHeaders(field: string, chosen: Readonly<Record<string, string>>): void {
  const seen = new Set<string>()
  const problems = Object.keys(chosen).flatMap((name) => {
    const key = name.toLowerCase()
    const place = `${field}.${name}`
    if (ownHeaders.has(key) || key.startsWith(ownPrefix))
      return [{ field: place, messages: [`${place} is set by the platform itself`] }]
    if (seen.has(key)) return [{ field: place, messages: [`${place} is there twice`] }]
    seen.add(key)
    return []
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/**
 * A URL without its user and password, which go into the headers as Basic credentials (RFC 7617).
 * @param places what the request calls the URL and the headers
 * @throws 400 for credentials that no header can hold, and for those that the headers hold as well
 */
export function withCredentials(
  places: { url: string; headers: string },
  text: string,
  headers: Readonly<Record<string, string>>,
): { url: string; headers: Record<string, string> } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.username === '' && url.password === '')) return { url: text, headers: { ...headers } }
  const own = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization')
  if (own !== undefined)
    throw invalidField(places.url, `${places.url} must hold no credentials beside ${places.headers}.${own}`)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (user === undefined || password === undefined || user.includes(':'))
    throw invalidField(places.url, `${places.url} must hold a user without a colon, and a password, in UTF-8`)
  const basic = Buffer.from(`${user}:${password}`).toString('base64')
  ;[url.username, url.password] = ['', '']
  return { url: url.href, headers: { ...headers, Authorization: `Basic ${basic}` } }
}

/** Headers without the credentials among them. */
export function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  )
}

/** A percent-encoded text; undefined if it is not UTF-8 or has control characters. */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text)
    return /\p{Cc}/u.test(plain) ? undefined : plain
  } catch {
    return undefined
  }
}
