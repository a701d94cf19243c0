/** What carriers post to us: texts, and receipts for ours. */
import { createHash } from 'node:crypto'
import type { InboundSegment, Receipt, ReceiptState } from '../link.js'
import { type InboundNumbers, NUMBER_DEFAULTS, type NumberType } from '../numbers.js'
import { keptId, parseJson, textAt, valueAt } from './pointers.js'
import type { InboundMapping, Pointer, ReceiptMapping } from './settings.js'

/** A post that does not hold what it must; the message is for the carrier. */
export class UnreadablePostError extends Error {}

/** Items of one post, and fields of a form. */
const maxItems = 1_000

/** The document that a post holds: JSON, or a form as one flat object. @throws {UnreadablePostError} */
export function readPost(contentType: string, body: Buffer): unknown {
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return formOf(new URLSearchParams(body.toString()))
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new UnreadablePostError(
      'Send JSON (application/json) or a form (application/x-www-form-urlencoded)',
    )
  }
  try {
    return parseJson(body.toString())
  } catch {
    throw new UnreadablePostError('The body is not valid JSON')
  }
}

/** A field that stands there more than once is a list. */
function formOf(form: URLSearchParams): Record<string, string | string[]> {
  const fields = new Map<string, string[]>()
  let count = 0
  for (const [name, value] of form) {
    if (++count > maxItems) throw new UnreadablePostError(`A form may have at most ${maxItems} fields`)
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

/** The texts of a post. @throws {UnreadablePostError} */
export function textsOf(
  mapping: InboundMapping,
  document: unknown,
  numbers: InboundNumbers = NUMBER_DEFAULTS,
): InboundSegment[] {
  return itemsOf(document, mapping.items).map((item) => {
    const id = textAt(item, mapping.id)
    const [from, to] = [partyOf(needed(item, mapping.from)), partyOf(needed(item, mapping.to))]
    return {
      ...{ from: from.digits, from_type: from.type, to: to.digits, to_type: to.type, numbers },
      body: textAt(item, mapping.body) ?? '',
      concatenation: null,
      media: mapping.media.flatMap((pointer) => filesOf(valueAt(item, pointer))),
      carrier_message_id: id ? keptId(id) : null,
      fingerprint: createHash('sha256').update(JSON.stringify(item)).digest('hex'),
    }
  })
}

/** The receipts of a post. @throws {UnreadablePostError} */
export function receiptsOf(mapping: ReceiptMapping, document: unknown): Receipt[] {
  const states = new Map(
    Object.entries(mapping.statuses).map(([word, state]): [string, ReceiptState] => [
      word.toLowerCase(),
      state,
    ]),
  )
  return itemsOf(document, mapping.items).map((item) => {
    const to = textAt(item, mapping.to)
    return {
      carrier_message_ids: [keptId(needed(item, mapping.id))],
      to: to && digitsOf(to),
      // A word that nobody explained is no end of anything.
      state: states.get(needed(item, mapping.status).toLowerCase()) ?? 'pending',
      error_code: textAt(item, mapping.error_code),
      error_message: textAt(item, mapping.error_message),
    }
  })
}

function itemsOf(document: unknown, pointer: Pointer | null): readonly unknown[] {
  if (pointer === null) return [document]
  const items = valueAt(document, pointer)
  if (!Array.isArray(items)) throw new UnreadablePostError(`There must be a list at ${pointer || 'the top'}`)
  if (items.length > maxItems) throw new UnreadablePostError(`At most ${maxItems} may be posted at once`)
  return items
}

function needed(item: unknown, pointer: Pointer): string {
  const text = textAt(item, pointer)
  if (!text) throw new UnreadablePostError(`There must be a text at ${pointer}`)
  return text
}

/** A number as digits, without what people write around them; a sender that is no number stays as it is. */
function digitsOf(number: string): string {
  const digits = number
    .trim()
    .replace(/^(\+|00)/, '')
    .replace(/[\s().-]/g, '')
  return /^\d+$/.test(digits) ? digits : number
}

/** A plus sign, or 00, stands before numbers with their country code alone. */
function partyOf(number: string): { digits: string; type: NumberType } {
  const isInternational = /^\s*(\+|00)\s*[1-9]/.test(number)
  return { digits: digitsOf(number), type: isInternational ? 'e164' : 'unknown' }
}

/** The files that a value names: an address, an object with one, or a list of these. */
function filesOf(value: unknown): { url: string; content_type: string | null }[] {
  if (Array.isArray(value)) return value.flatMap((one) => (Array.isArray(one) ? [] : filesOf(one)))
  const url = typeof value === 'string' ? value : textAt(value, '/url')
  return url ? [{ url, content_type: textAt(value, '/content_type') }] : []
}
