/** Phone numbers in E.164, checked against the numbering plans of libphonenumber. */
import {
  type PhoneNumber,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

export type NumberType = 'local' | 'tollfree' | 'mobile' | 'international'

/** A number that could be dialled: digits with the country calling code, no plus sign. */
export interface ParsedNumber {
  digits: string
  dialCode: string
  type: NumberType
  /** ISO 3166-1 code of its country, or of all that it could be of; none for numbers of no country. */
  countries: readonly string[]
}

/**
 * Joins a national number to its country. Length and country are checked, not whether the number is
 * in service: plans change faster than any copy of them.
 * @returns null when the country is unknown or the number cannot be one of it
 */
export function nationalNumber(national: string, country: string): ParsedNumber | null {
  if (!isSupportedCountry(country)) return null
  return parse(`+${getCountryCallingCode(country)}${national}`)
}

/** Reads `+12025550100`, or the same without the plus sign. */
export function internationalNumber(text: string): ParsedNumber | null {
  return /^\+?[1-9]\d{6,14}$/.test(text) ? parse(text.startsWith('+') ? text : `+${text}`) : null
}

/**
 * Reads a number as it is dialled on a telephone: E.164, or the way people of a country dial, with their prefixes
 * for other areas and other countries (`2025550100`, `12025550100`, `011 44…` in the United States; `00` before a
 * country code everywhere). What is no number of that country is none: digits alone never name another one's. Numbers of
 * fewer than seven digits are not numbers of the telephone network.
 */
export function dialledNumber(text: string, country: string): ParsedNumber | null {
  if (text.startsWith('+')) return internationalNumber(text)
  if (!/^\d{7,20}$/.test(text)) return null
  const national = isSupportedCountry(country) ? read(parsePhoneNumberFromString(text, country)) : null
  return national ?? (text.startsWith('00') ? internationalNumber(text.slice(2)) : null)
}

/** Spaces, brackets, points, slashes and dashes that people put between the digits. */
const separators = /[\s()./\u2010-\u2015-]/g

/** `+12025550123` of `+1 (202) 555-0123`; a text that is no number stays as it is. */
export function withoutSeparators(text: string): string {
  const digits = text.replaceAll(separators, '')
  return /^\+?\d+$/.test(digits) ? digits : text
}

/** What people of a country dial for one of its own numbers: `030123456` for 4930123456 in Germany; null for all others. */
export function nationalDigits(digits: string, country: string): string | null {
  if (!isSupportedCountry(country)) return null
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  if (parsed?.countryCallingCode !== getCountryCallingCode(country)) return null
  return parsed.formatNational().replaceAll(/\D/g, '')
}

/** Digits that stand before the numbers of a country (ISO 3166-1); null where it has no numbering plan. */
export function callingCode(country: string): string | null {
  return isSupportedCountry(country) ? getCountryCallingCode(country) : null
}

/** Whether a country (ISO 3166-1) has a numbering plan. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code)
}

/** Kinds of numbers that telephones have with which people write texts. */
const texting: ReadonlySet<string> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

/**
 * How likely a number sends texts, by its country's numbering plan: 2 for a mobile number, 1 for another number of the plan,
 * 0 for one that only has a possible length.
 */
export function textingRank({ digits }: Pick<ParsedNumber, 'digits'>): 0 | 1 | 2 {
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  if (!parsed?.isValid()) return 0
  return texting.has(parsed.getType() ?? '') ? 2 : 1
}

/**
 * Who sent or is sent a message, as the API shows it: `+12025550100` for the digits that tables hold. Short codes
 * (`72345`) and names (`AMAZON`) are shown as carriers write them.
 */
export function shownNumber(party: string): string {
  return /^[1-9]\d{6,14}$/.test(party) ? `+${party}` : party
}

/** Lines of people and companies. All others are of a kind that only the operator says is a customer's. */
const ordinary: ReadonlySet<string> = new Set(['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP'])

/** Whether a number is an ordinary one by the numbering plans: not toll-free, premium-rate, shared-cost, short or unknown. */
export function isOrdinaryNumber(digits: string): boolean {
  return ordinary.has(parsePhoneNumberFromString(`+${digits}`)?.getType() ?? '')
}

/** Kinds of numbers whose owner gets a share of what callers pay, or that are expensive by their plan. */
const costly: ReadonlySet<string> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER'])

/** Whether callers of a number pay more than for a call, as far as the numbering plans say. */
export function isPremiumRate({ digits }: Pick<ParsedNumber, 'digits'>): boolean {
  return costly.has(parsePhoneNumberFromString(`+${digits}`)?.getType() ?? '')
}

function parse(e164: string): ParsedNumber | null {
  return read(parsePhoneNumberFromString(e164))
}

function read(parsed: PhoneNumber | undefined): ParsedNumber | null {
  if (!parsed?.isPossible() || parsed.ext) return null
  return {
    digits: parsed.number.slice(1),
    dialCode: parsed.countryCallingCode,
    type: typeOf(parsed.getType(), parsed.country),
    countries: parsed.country ? [parsed.country] : parsed.getPossibleCountries(),
  }
}

function typeOf(type: string | undefined, country: string | undefined): NumberType {
  if (type === 'TOLL_FREE') return 'tollfree'
  if (type === 'MOBILE') return 'mobile'
  return country === undefined && type !== undefined ? 'international' : 'local'
}
