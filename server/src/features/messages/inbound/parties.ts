/** Sender and recipient of a text, as carriers write them and as tables store them. */
import { type InboundNumbers, NUMBER_DEFAULTS, type NumberType } from '../../../adapters/sms/numbers.js'
import {
  type ParsedNumber,
  dialledNumber,
  internationalNumber,
  textingRank,
} from '../../../lib/numbering/e164.js'

/** Characters of `conversations.client_number`. */
const longestParty = 20

/** Digits of a short code, at most: longer ones are numbers of the telephone network. */
const longestShortCode = 6

/** A party as a carrier writes it. */
export interface WrittenParty {
  /** Without a plus sign. */
  readonly text: string
  readonly type: NumberType
  readonly numbers: InboundNumbers
}

export function written(
  text: string,
  type: NumberType = 'unknown',
  numbers: InboundNumbers = NUMBER_DEFAULTS,
): WrittenParty {
  const trimmed = text.trim()
  return trimmed.startsWith('+')
    ? { text: trimmed.slice(1), type: 'e164', numbers }
    : { text: trimmed, type, numbers }
}

/**
 * The sender of a text for storage: digits with the country code for a number; short codes and names unchanged, in the
 * ASCII that the column can store. A number that cannot be read as E.164 gets a `#`: its texts are not lost, and it
 * never equals another number.
 * @param country of our number, used if the carrier has none
 */
export function senderOf(party: WrittenParty, country: string): string {
  const digits = digitsOf(party)
  if (digits === null) {
    const name = party.text.replace(/[^ -~]/g, '?')
    return name.slice(0, longestParty) || 'unknown'
  }
  if (digits.length <= longestShortCode) return digits
  const [number] = readings(digits, party, party.numbers.country || country)
  return number ?? `#${digits}`.slice(0, longestParty)
}

/**
 * Our numbers that a text can be for: first those that its type allows, then all other readings. Numbers are digits
 * with the country code; short codes and names are unchanged.
 * @param countries of the carrier's numbers, used if the carrier has no country itself
 */
export function recipientsOf(party: WrittenParty, countries: readonly string[]): readonly string[][] {
  const digits = digitsOf(party)
  if (digits === null) return party.text === '' ? [] : [[party.text]]
  if (digits.length <= longestShortCode) return [[digits]]
  const all = party.numbers.country ? [party.numbers.country] : countries
  const likely = all.flatMap((country) => readings(digits, party, country))
  const any = all.flatMap((country) => [international(digits, country), national(digits, country)])
  // Without a country, only international numbers can be read.
  const plain = all.length === 0 ? readings(digits, party, '') : []
  return [distinct([...likely, ...plain]), distinct([...any.map(digitsOfNumber), ...plain])]
}

/** Whether a number can be read without a country. */
export function isInternational({ type, text, numbers }: WrittenParty): boolean {
  const { inbound_number_format: format } = numbers
  const isE164 = format === 'e164' || (format === 'auto' && type === 'international')
  return (type === 'e164' || isE164) && !text.startsWith('0')
}

/** Removes punctuation, and the carrier's own prefix. Null if anything but digits is left. */
function digitsOf({ text, numbers }: WrittenParty): string | null {
  const plain = text.replace(/[\s().-]/g, '')
  const prefix = numbers.inbound_number_prefix
  const hasPrefix =
    prefix !== '' && plain.startsWith(prefix) && plain.length > prefix.length + longestShortCode
  const digits = hasPrefix ? plain.slice(prefix.length) : plain
  return /^\d+$/.test(digits) ? digits : null
}

/** Readings of digits by their type, the likeliest first. */
function readings(digits: string, { type, numbers }: WrittenParty, country: string): string[] {
  const { inbound_number_format: format } = numbers
  if (type === 'e164' || format === 'e164') return distinct([digitsOfNumber(international(digits, country))])
  if (format === 'national') return distinct([digitsOfNumber(national(digits, country))])
  switch (type) {
    case 'international':
      return distinct([digitsOfNumber(international(digits, country))])
    case 'national':
      return distinct([digitsOfNumber(national(digits, country))])
    case 'unknown':
      return likeliest(national(digits, country), international(digits, country))
    default:
      // Network specific, subscriber's, abbreviated and alphanumeric ones are no numbers of E.164.
      return []
  }
}

/** The likelier sender of texts first; of two alike, the national number. */
function likeliest(national: ParsedNumber | null, e164: ParsedNumber | null): string[] {
  const both = [national, e164].filter((number) => number !== null)
  return distinct(
    both.sort((one, other) => textingRank(other) - textingRank(one)).map(({ digits }) => digits),
  )
}

/** No country code begins with 0: what does has a prefix for other countries, or is national after all. */
function international(digits: string, country: string): ParsedNumber | null {
  return digits.startsWith('0') ? dialled(digits, country) : internationalNumber(`+${digits}`)
}

function national(digits: string, country: string): ParsedNumber | null {
  return dialled(digits, country)
}

/**
 * A number as people of the country dial it. 00 is followed by a country code, also in countries where people dial the
 * code of a long-distance carrier there. Some carriers put a 0 before numbers of countries that have no such prefix.
 */
function dialled(digits: string, country: string): ParsedNumber | null {
  const behind = digits.startsWith('00') ? internationalNumber(digits.slice(2)) : null
  if (behind && textingRank(behind) > 0) return behind
  const number = dialledNumber(digits, country)
  if (number || !/^0[1-9]/.test(digits)) return number
  return dialledNumber(digits.slice(1), country)
}

const digitsOfNumber = (number: ParsedNumber | null | undefined) => number?.digits

function distinct(numbers: readonly (string | undefined)[]): string[] {
  return [...new Set(numbers.filter((number) => number !== undefined))]
}
