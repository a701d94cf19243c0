/** Delivery receipts (SMPP 3.4, 5.2.12, 5.2.28 and appendix B), in the ways in which SMSCs write them. */
import type { Receipt, ReceiptState } from '../../link.js'
import { meaningIn } from '../../meaning.js'
import { TAGS, type Parameters } from './body.js'
import { storedIds } from './message-ids.js'
import { meaningOf, messageStates } from './receipt-words.js'

/**
 * @param from the handset that the message was for
 * @param isFinal false for an intermediate notification
 * @param own what the carrier's words mean, before all others
 * @returns null where it says of which message it is neither in its parameters nor in its text
 */
export function parseReceipt(
  from: string,
  text: string,
  parameters: Parameters,
  isFinal: boolean,
  own: Readonly<Record<string, ReceiptState>> = {},
): Receipt | null {
  const fields = textFields(text)
  const ids = [textOf(parameters.get(TAGS.receipted_message_id)), fields.id].filter(
    (id): id is string => id !== undefined && id !== '',
  )
  if (ids.length === 0) return null
  const code = errorCode(parameters.get(TAGS.network_error_code)) ?? fields.err
  const isBare = text.trim() === '' && !parameters.has(TAGS.message_state)
  const stat = statOf(parameters, fields.stat, own) ?? (isBare ? bareState(code) : '')
  const { state, meaning } = meaningOf(stat, own)
  const failed = isFinal && (state === 'undelivered' || state === 'failed')
  return {
    carrier_message_ids: [...new Set(ids.flatMap(storedIds))],
    to: from === '' ? null : from,
    state: isFinal ? state : 'pending',
    error_code: failed ? (code ?? stat) : null,
    error_message: failed ? `${meaning} (${stat})` : null,
  }
}

/** Whether a text that is not marked as a receipt has the form of one (appendix B). */
export function looksLikeReceipt(text: string): boolean {
  const { id, stat } = textFields(text)
  return id !== undefined && stat !== undefined
}

/** From the beginning, with both dates: no person writes all of that by hand (appendix B). */
const wholeReceipt =
  /^\s*id\s*:\s*[^\s:]{1,128}\s+sub\s*:\s*\d{1,5}\s+dlvrd\s*:\s*\d{1,5}\s+submit[ _]date\s*:\s*\d{8,14}\s+done[ _]date\s*:\s*\d{8,14}\s+stat(?:us)?\s*:\s*\w/i

/** Whether a text that nothing says to be a receipt has all that an SMSC writes into one. */
export function isWholeReceipt(text: string): boolean {
  return wholeReceipt.test(text.slice(0, 400))
}

/** The parameter goes before the text, unless the carrier has said what the word in its text means. */
function statOf(
  parameters: Parameters,
  word: string | undefined,
  own: Readonly<Record<string, ReceiptState>>,
): string | undefined {
  if (word !== undefined && meaningIn(own, word)) return word
  const value = parameters.get(TAGS.message_state)
  // Some write the one octet as an integer of two or four.
  return messageStates[value?.length ? value.readUIntBE(0, Math.min(value.length, 6)) : -1] ?? word
}

/** A receipt with nothing but the id was requested for a final state. */
function bareState(code: string | undefined): string {
  return code === undefined ? 'DELIVRD' : 'UNDELIV'
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
