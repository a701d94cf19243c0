/**
 * Secrets that customers put where people also look: values of headers, and credentials in URLs. Readers
 * is shown a mask in their place; a change that sends the mask back keeps what is stored.
 */
import { type FieldProblem, ValidationError } from './errors.js'

/** Placeholder of a secret; its characters may be in a header and a URL. */
export const mask = '********'

/** Deeper than any node, action or change of ours is nested. */
const maxDepth = 20

const headerFields = new Set(['headers', 'webhook_headers'])
const wholeUrl = /^(?:https?|wss?):\/\/\S*$/i
const urlsInText = /(?:https?|wss?):\/\/[^\s"'<>\\]+/gi
const headersInText = /("(?:webhook_)?headers"\s*:\s*\{)([^{}]*)/g
const valueInText = /("[^"]*"\s*:\s*)"(?:[^"\\]|\\.)*"?/g

type Headers = Readonly<Record<string, string>>

/** The names of headers, each with a mask for its value. */
export function maskedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, mask]))
}

/** A URL with masks for its user, its password and the values in its query. */
export function maskedUrl(url: string): string {
  const [, scheme = '', user, rest = url, query, fragment] =
    /^(\w+:\/\/)([^@/?#]*@)?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  const values = query?.replace(/=[^&]*/g, `=${mask}`) ?? ''
  return `${scheme}${user ? `${mask}@` : ''}${rest}${values}${fragment ? `#${mask}` : ''}`
}

/** A value with masks for all headers and URLs in it, as they stand in nodes of flows, actions and changes. */
export function maskedValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return wholeUrl.test(value) ? maskedUrl(value) : value
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, depth + 1))
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => [
    key,
    headerFields.has(key) && isTexts(item) ? maskedHeaders(item) : maskedValue(item, depth + 1),
  ])
  return Object.fromEntries(entries) as unknown
}

/** A text, such as the beginning of a body, with masks for the headers and URLs in it. */
export function maskedText(text: string): string {
  return text
    .replace(
      headersInText,
      (_, begin: string, values: string) => begin + values.replace(valueInText, `$1"${mask}"`),
    )
    .replace(urlsInText, maskedUrl)
}

/** Details of a call's timeline with masks, also in the beginnings of bodies that were sent and answered. */
export function maskedDetails(details: object): Record<string, unknown> {
  const masked = maskedValue(details) as Record<string, unknown>
  for (const field of ['request', 'response', 'message']) {
    const text = masked[field]
    if (typeof text === 'string') masked[field] = maskedText(text)
  }
  return masked
}

/** Headers with what is stored in place of each mask. @throws 400 naming a header whose value is not known */
export function storedHeaders(field: string, given: Headers, stored: Headers): Record<string, string> {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  const problems: FieldProblem[] = []
  const kept = Object.entries(given).map(([name, value]) => {
    if (value !== mask) return [name, value] as const
    const secret = known.get(name.toLowerCase())
    if (secret === undefined) problems.push(unknownMask(`${field}.${name}`))
    return [name, secret ?? value] as const
  })
  if (problems.length > 0) throw new ValidationError(problems)
  return Object.fromEntries(kept)
}

/** A URL, or the stored one when it is sent back with its masks. @throws 400 naming the field when it is another's */
export function storedUrl(field: string, given: string, stored: string | null): string {
  if (!given.includes(mask)) return given
  if (stored !== null && maskedUrl(stored) === given) return stored
  throw new ValidationError([unknownMask(field)])
}

/** Nodes of a flow with what the stored nodes of the same ids hold in place of masks. @throws 400 naming each that is not known */
export function storedNodes<N extends { id: string }>(
  given: readonly N[],
  stored: readonly { id: string }[],
): N[] {
  const known = new Map(stored.map((node) => [node.id, node]))
  const problems: FieldProblem[] = []
  const nodes = given.map((node, index) => kept(node, known.get(node.id), [`nodes.${index}`], problems) as N)
  if (problems.length > 0) throw new ValidationError(problems)
  return nodes
}

function kept(given: unknown, stored: unknown, path: readonly string[], problems: FieldProblem[]): unknown {
  if (typeof given === 'string') return keptText(given, stored, path, problems)
  if (typeof given !== 'object' || given === null || path.length > maxDepth) return given
  const others = (stored ?? {}) as Readonly<Record<string, unknown>>
  const storedOf = (key: string, item: unknown) => kept(item, others[key], [...path, key], problems)
  if (Array.isArray(given)) return given.map((item, index) => storedOf(String(index), item))
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, storedOf(key, item)]))
}

function keptText(given: string, stored: unknown, path: readonly string[], problems: FieldProblem[]): string {
  const isHeader = headerFields.has(path.at(-2) ?? '') && given === mask
  const isUrl = wholeUrl.test(given) && given.includes(mask)
  if (!isHeader && !isUrl) return given
  if (typeof stored === 'string' && (isHeader || maskedUrl(stored) === given)) return stored
  problems.push(unknownMask(path.join('.')))
  return given
}

function unknownMask(field: string): FieldProblem {
  return {
    field,
    messages: [`${field} holds ${mask}, and no value is stored that it stands for: send the value`],
  }
}

function isTexts(value: unknown): value is Headers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
