/** Which digits call the emergency service of a country. */
import { callingCode } from './e164.js'
import { emergencyNumbers } from './emergency-numbers.js'

/** Lets people try emergency calls without a call to the service: it reads back where the caller is (NENA). */
const testNumber = '933'

/** The countries and territories whose carriers have it. */
const withTestNumber: ReadonlySet<string> = new Set(['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP'])

/** Of countries whose plan lists none: the number of GSM networks everywhere (3GPP TS 22.101 section 10.1.1). */
const anywhere = '112'

/** Emergency numbers, and test numbers, of a country (ISO 3166-1). */
export function emergencyNumbersOf(country: string): string[] {
  const own = (emergencyNumbers[country] ?? anywhere).split(' ')
  return withTestNumber.has(country) ? [...own, testNumber] : own
}

export function isEmergencyNumber(digits: string, country: string): boolean {
  return emergencyNumbersOf(country).includes(digits)
}

/**
 * Whether an emergency number gives way to an extension of the same digits. Only 112 does, in countries with the code 1:
 * it is no number of their fixed networks, and 911 stays.
 */
export function yieldsToExtensions(digits: string, country: string): boolean {
  return digits === '112' && callingCode(country) === '1'
}
