/** Telephone numbers as people write them. The numbering plans are large: import this module when a number is sent. */
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Spaces, brackets, points, slashes and dashes that people put between the digits. */
const separators = /[\s()./\u2010-\u2015-]/g

/** Fewer digits are a short code or an extension, more than 17 are no number of any plan. */
const national = /^\d{7,17}$/

/**
 * `+492211234567` of `0221 / 123 45 67` in Germany, `+12025550123` of `(202) 555-0123` in the United States.
 * @param country ISO 3166-1 code; without one nothing is read into digits
 * @returns digits that are no number of that country without separators, and any other text as it was: the API refuses it
 */
export function e164Of(text: string, country: string | undefined): string {
  const digits = withoutSeparators(text)
  return (national.test(digits) && parsed(digits, country)?.number) || digits
}

/** The national number, for a form with a field for the country: of `+49 221 1234567`, `0221 1234567` and `221 1234567`. */
export function nationalOf(text: string, country: string): string {
  const digits = withoutSeparators(text)
  if (!isSupportedCountry(country)) return digits
  const number = parsed(digits, country)
  return number?.countryCallingCode === getCountryCallingCode(country) ? number.nationalNumber : digits
}

/** Whether a text needs a country before it can be sent as E.164. */
export function isNational(text: string): boolean {
  return national.test(withoutSeparators(text))
}

/** Any other text than a number keeps its separators. */
function withoutSeparators(text: string): string {
  const bare = text.replaceAll(separators, '')
  return /^\+?\d+$/.test(bare) ? bare : text.trim()
}

/** As it is dialled in this country, also with the prefix for another country; null if it cannot be a number. */
function parsed(digits: string, country: string | undefined) {
  if (!country || !isSupportedCountry(country)) return null
  const number = parsePhoneNumberFromString(digits, country)
  return number?.isPossible() && !number.ext ? number : null
}
