/** Reads what carriers post: texts, and receipts for ours. */
import { createHash } from 'node:crypto'
import type { InboundSegment, Receipt, Refusals } from '../../link.js'
import { meaningIn } from '../../meaning.js'
import { type InboundNumbers, NUMBER_DEFAULTS, type NumberType } from '../../numbers.js'
import { type FormField, charsetOf, decoded, fieldsOf, isKnownCharset, isWide } from './character-sets.js'
import { storedId, parseJson, textAt, valueAt } from './pointers.js'
import type { HttpCarrierSettings, InboundMapping, Pointer, ReceiptMapping } from './settings.js'

/** The value of `{{message_id}}` when the text was sent. */
const OUR_ID = /^msg_[0-9a-z]{26}$/

/** A post lacks a required field; the message is for the carrier. */
export class UnreadablePostError extends Error {}

/** Most items of one post, and fields of a form. */
const maxItems = 1_000

/** The query parameter that holds the secret; it is not part of the document. */
export const tokenParameter = 'token'

/** A request of a carrier. */
interface PostedBody {
  contentType: string
  body: Buffer
  /** The query without its secret; empty if there is none. */
  query?: string
  /** Of a form: the fields with its text and the name of its character set. */
  mapping?: Pick<InboundMapping, 'body' | 'charset'>
}

/**
 * The document that a post holds: JSON, or a form as one flat object, with the fields of the query that it lacks. A text is
 * the field `body`. Without a body the query is all.
 * @throws {UnreadablePostError}
 */
export function readPost({
  contentType,
  body,
  query = '',
  mapping = { body: '/body' },
}: PostedBody): unknown {
  const asked = fieldsIn(Buffer.from(query)).filter(({ name }) => name !== tokenParameter)
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase()
  const form = (fields: FormField[], charset: string | null = null) => formOf(fields, mapping, charset)
  if (body.length === 0 && asked.length > 0) return form(asked)
  if (type === 'application/x-www-form-urlencoded') {
    const posted = fieldsIn(body)
    const names = new Set(posted.map(({ name }) => name))
    return form([...asked.filter(({ name }) => !names.has(name)), ...posted], charsetOf(contentType))
  }
  if (type === 'text/plain' && asked.length > 0) return { body: textOf(contentType, body), ...form(asked) }
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new UnreadablePostError(
      'Send JSON (application/json), a form (application/x-www-form-urlencoded), or a text (text/plain) with a query',
    )
  }
  const document = jsonOf(contentType, body)
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return isObject && asked.length > 0 ? { ...form(asked), ...document } : document
}

function jsonOf(contentType: string, body: Buffer): unknown {
  try {
    return parseJson(decoded(body, charsetOf(contentType)))
  } catch {
    throw new UnreadablePostError('The body is not valid JSON')
  }
}

/** In the character set that its type names (UTF-8 without). */
function textOf(contentType: string, body: Buffer): string {
  const charset = charsetOf(contentType)
  if (charset !== null && !isKnownCharset(charset))
    throw new UnreadablePostError(`The character set ${charset.slice(0, 40)} is not known`)
  return decoded(body, charset)
}

function fieldsIn(form: Buffer): FormField[] {
  const fields = fieldsOf(form, maxItems)
  if (!fields) throw new UnreadablePostError(`A form may have at most ${maxItems} fields`)
  return fields
}

/** A repeated field becomes a list. */
function formOf(
  form: readonly FormField[],
  mapping: Pick<InboundMapping, 'body' | 'charset'>,
  charset: string | null,
): Record<string, string | string[]> {
  const named = form.find(({ name }) => `/${name}` === mapping.charset)
  const written = named ? named.octets.toString('latin1').trim() : charset
  const isOfText = written !== null && isWide(written)
  const fields = new Map<string, string[]>()
  for (const { name, octets } of form) {
    const value = decoded(octets, isOfText && `/${name}` !== mapping.body ? null : written)
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
      concatenation: partOf(mapping, item),
      media: mapping.media.flatMap((pointer) => filesOf(valueAt(item, pointer))),
      carrier_message_id: id ? storedId(id) : null,
      fingerprint: createHash('sha256').update(JSON.stringify(item)).digest('hex'),
    }
  })
}

/** The receipts of a post. @throws {UnreadablePostError} */
export function receiptsOf(mapping: ReceiptMapping, document: unknown, refusals: Refusals = {}): Receipt[] {
  return itemsOf(document, mapping.items).map((item) => {
    const to = textAt(item, mapping.to)
    const own = textAt(item, mapping.message_id ?? null)
    const id = own ? textAt(item, mapping.id) : needed(item, mapping.id)
    const error_code = textAt(item, mapping.error_code)
    const ids = [...(id ? [id] : []), ...(own ? [own] : [])]
    const ours = ids.find((one) => OUR_ID.test(one))
    const hasOptedOut = error_code !== null && meaningIn(refusals, error_code) === 'opted_out'
    return {
      carrier_message_ids: ids.map(storedId),
      to: to && digitsOf(to),
      // An unknown word is no end of anything.
      state: meaningIn(mapping.statuses, needed(item, mapping.status)) ?? 'pending',
      error_code,
      error_message: textAt(item, mapping.error_message),
      ...(ours && { message_id: ours }),
      ...(hasOptedOut && { has_opted_out: true }),
    }
  })
}

/** The concatenation of a part of a long text; null for a whole text. */
function partOf(mapping: InboundMapping, item: unknown): InboundSegment['concatenation'] {
  const [reference, part, parts] = [mapping.part_reference, mapping.part, mapping.parts].map((pointer) =>
    textAt(item, pointer ?? null),
  )
  if (!reference || !/^\d{1,3}$/.test(part ?? '') || !/^\d{1,3}$/.test(parts ?? '')) return null
  return { reference: referenceOf(reference), index: Number(part) - 1, total: Number(parts) }
}

/** A reference as the number that the column holds; words are hashed. */
function referenceOf(reference: string): number {
  if (/^\d{1,9}$/.test(reference)) return Number(reference)
  return createHash('sha256').update(reference).digest().readUInt32BE() >>> 1
}

/** The kind of a post, if one URL has both: by its own word, or null if that says nothing. */
export function kindOf(kinds: HttpCarrierSettings['kinds'], document: unknown): 'text' | 'receipt' | null {
  const word = kinds && textAt(document, kinds.pointer)
  if (!kinds || word === null) return null
  if (kinds.texts.includes(word)) return 'text'
  return kinds.receipts.includes(word) ? 'receipt' : null
}

/** Whether a post holds receipts with words that are known, whatever else it holds. */
export function hasKnownStatus(mapping: ReceiptMapping, document: unknown): boolean {
  return areAll(
    listAt(document, mapping.items),
    (item) =>
      meaningIn(mapping.statuses, textAt(item, mapping.status) ?? '') !== undefined &&
      Boolean(textAt(item, mapping.id) ?? textAt(item, mapping.message_id ?? null)),
  )
}

/** Whether a post holds texts, with what they say. */
export function hasTexts(mapping: InboundMapping, document: unknown): boolean {
  return areAll(listAt(document, mapping.items), (item) =>
    [mapping.from, mapping.to, mapping.body].every((pointer) => textAt(item, pointer) !== null),
  )
}

function areAll(items: readonly unknown[] | null, test: (item: unknown) => boolean): boolean {
  return items !== null && items.length > 0 && items.length <= maxItems && items.every(test)
}

/** The items of a post; null where there is no list. */
function listAt(document: unknown, pointer: Pointer | null): readonly unknown[] | null {
  const items = pointer === null ? [document] : valueAt(document, pointer)
  return Array.isArray(items) ? items : null
}

function itemsOf(document: unknown, pointer: Pointer | null): readonly unknown[] {
  const items = listAt(document, pointer)
  if (!items) throw new UnreadablePostError(`There must be a list at ${pointer || 'the top'}`)
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

/** Numbers with a plus sign or 00 have their country code; the type of others is unknown. */
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
