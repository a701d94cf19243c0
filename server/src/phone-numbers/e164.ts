/** Phone numbers in E.164, checked against the numbering plans of libphonenumber. */
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { NumberType } from './phone-number.entity.js'

/** A number that could be dialled: digits with the country calling code, no plus sign. */
export interface ParsedNumber {
  digits: string
  dialCode: string
  type: NumberType
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

function parse(e164: string): ParsedNumber | null {
  const parsed = parsePhoneNumberFromString(e164)
  if (!parsed?.isPossible() || parsed.ext) return null
  return {
    digits: parsed.number.slice(1),
    dialCode: parsed.countryCallingCode,
    type: typeOf(parsed.getType(), parsed.country),
  }
}

function typeOf(type: string | undefined, country: string | undefined): NumberType {
  if (type === 'TOLL_FREE') return 'tollfree'
  if (type === 'MOBILE') return 'mobile'
  return country === undefined && type !== undefined ? 'international' : 'local'
}
