/** Header fields that somebody else has chosen, for requests that we make. */
import Type from 'typebox'
import { ValidationError } from './errors.js'
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
])

/**
 * @param field what the request calls the map
 * @throws 400 naming each header that may not be set, or that is there twice
 */
export function checkHeaders(field: string, chosen: Readonly<Record<string, string>>): void {
  const seen = new Set<string>()
  const problems = Object.keys(chosen).flatMap((name) => {
    const key = name.toLowerCase()
    const place = `${field}.${name}`
    if (ownHeaders.has(key)) return [{ field: place, messages: [`${place} is set by the platform itself`] }]
    if (seen.has(key)) return [{ field: place, messages: [`${place} is there twice`] }]
    seen.add(key)
    return []
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
