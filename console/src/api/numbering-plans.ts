/** The numbering plans of all countries. They are large, so that they come when they are needed. */
import type * as Library from 'libphonenumber-js/min'
import { writtenNumber } from './written-number'

type NumberingPlans = Pick<typeof Library, 'isSupportedCountry' | 'parsePhoneNumberFromString'>

export const numberingPlans = async () => import('libphonenumber-js/min')

/** A number, and the country (ISO 3166-1) whose number it is. */
export interface NumberOfCountry {
  country: string
  /** Digits without the country code. */
  number: string
}

/**
 * Reads a number that is written with a country code: after a plus sign, or after what people of `country` dial before it
 * (`00`, `011`), as the server does.
 * @returns null for all other texts
 */
export async function withCountryCode(text: string, country: string | null): Promise<NumberOfCountry | null> {
  return /\d/.test(text) ? withCodeOf(await numberingPlans(), text, country) : null
}

/** As {@link withCountryCode}, by plans that are there. */
export function withCodeOf(
  { isSupportedCountry, parsePhoneNumberFromString }: NumberingPlans,
  text: string,
  country: string | null,
): NumberOfCountry | null {
  const written = writtenNumber(text)
  if (!/^\+?\d{7,20}$/.test(written)) return null
  const read = (one: string) => {
    const parsed =
      country && isSupportedCountry(country)
        ? parsePhoneNumberFromString(one, country)
        : parsePhoneNumberFromString(one)
    const digits = `${parsed?.countryCallingCode ?? ''}${parsed?.nationalNumber ?? ''}`
    // Where nothing stands before the country code, the digits are a number of the chosen country.
    const hasCode = one.startsWith('+') || (one.length > digits.length && one.endsWith(digits))
    return parsed?.isPossible() && hasCode ? parsed : null
  }
  const found = read(written) ?? (written.startsWith('00') ? read(`+${written.slice(2)}`) : null)
  if (!found) return null
  // Countries share codes: the chosen one stays where the number may be its own.
  const possible = found.getPossibleCountries()
  const own = found.country ?? possible.find((one) => one === country) ?? possible[0]
  return own === undefined ? null : { country: own, number: found.nationalNumber }
}
