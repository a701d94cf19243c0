/** Delivery receipts (SMPP 3.4, 5.2.12, 5.2.28 and appendix B), in the ways in which SMSCs write them. */
import type { Receipt } from '../link.js'
import { TAGS, type Parameters } from './body.js'
import { keptIds } from './message-ids.js'

/** message_state (5.2.28), and those of SMPP 5. */
const STATES = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'SKIPPED',
]

/** By how `stat:` begins, as some SMSCs write the words in full. What is not here is no end. */
const ENDS: readonly (readonly [begin: string, state: Receipt['state'], meaning: string])[] = [
  ['DELIV', 'delivered', ''],
  ['EXPIR', 'undelivered', 'not delivered in time'],
  ['DELET', 'undelivered', 'deleted by the carrier'],
  ['UNDEL', 'undelivered', 'not deliverable'],
  ['UNKN', 'undelivered', 'lost by the carrier'],
  ['FAIL', 'undelivered', 'delivery failed'],
  ['SKIP', 'undelivered', 'skipped by the carrier'],
  ['REJ', 'failed', 'rejected by the carrier'],
]

/**
 * @param from the handset that the message was for
 * @param isFinal false for an intermediate notification
 * @returns null where it says of which message it is neither in its parameters nor in its text
 */
export function parseReceipt(
  from: string,
  text: string,
  parameters: Parameters,
  isFinal: boolean,
): Receipt | null {
  const fields = textFields(text)
  const ids = [textOf(parameters.get(TAGS.receipted_message_id)), fields.id].filter(
    (id): id is string => id !== undefined && id !== '',
  )
  if (ids.length === 0) return null
  const stat = STATES[parameters.get(TAGS.message_state)?.[0] ?? -1] ?? fields.stat ?? ''
  const [, state, meaning] = ENDS.find(([begin]) => stat.toUpperCase().startsWith(begin)) ?? []
  const failed = isFinal && state !== undefined && state !== 'delivered'
  const code = errorCode(parameters.get(TAGS.network_error_code)) ?? fields.err
  return {
    carrier_message_ids: [...new Set(ids.flatMap(keptIds))],
    to: from === '' ? null : from,
    state: isFinal ? (state ?? 'pending') : 'pending',
    error_code: failed ? (code ?? stat) : null,
    error_message: failed ? `${meaning} (${stat})` : null,
  }
}

/** `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`, of which any may be missing. */
function textFields(text: string): { id?: string; stat?: string; err?: string } {
  // what follows is the beginning of the message, and may say anything
  const end = text.search(/\btext\s*:/i)
  const head = (end < 0 ? text : text.slice(0, end)).slice(0, 1000)
  const field = (name: string, value: string) =>
    new RegExp(`(?:^|[^a-z])${name}\\s*:\\s*(${value})`, 'i').exec(head)?.[1]
  const err = field('err', '[\\w-]{1,32}')
  return {
    ...optional('id', field('id', '[^\\s:]+')),
    ...optional('stat', field('stat(?:us)?', '[\\w-]{1,32}')),
    ...optional('err', err !== undefined && /^0*$/.test(err) ? undefined : err),
  }
}

function optional<K extends string>(key: K, value: string | undefined): { [key in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: string })
}

/** A C-octet string, with or without its end. */
function textOf(value: Buffer | undefined): string | undefined {
  return value?.toString('latin1').split('\0')[0]?.trim()
}

/** The network's type in one octet, and its code in two (5.3.2.31). */
function errorCode(value: Buffer | undefined): string | undefined {
  const code = value?.length === 3 ? value.readUInt16BE(1) : 0
  return code === 0 ? undefined : String(code)
}
