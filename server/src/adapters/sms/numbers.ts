/** Numbers as carriers write them, and how a carrier wants ours. */
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** A carrier's type of a number (SMPP 3.4, 5.2.5). `e164`: it has a plus sign, which no setting changes. */
export type NumberType =
  | 'e164'
  | 'unknown'
  | 'international'
  | 'national'
  | 'network'
  | 'subscriber'
  | 'alphanumeric'
  | 'abbreviated'

export const numberFormats = [
  ...(['digits', 'plus', 'international_00', 'international_011'] as const),
  ...(['national', 'national_trunk', 'prefix'] as const),
] as const

export const inboundNumberFormats = ['auto', 'e164', 'national'] as const

export interface NumberSettings {
  /** ISO 3166-1 code of the country of the carrier's national numbers; '': the country of our number. */
  readonly country: string
  /**
   * How numbers go out. `digits`: `12025550100`, `plus`: `+12025550100`, `international_00` and `international_011`: with
   * these digits before, `national`: `2025550100`, `national_trunk`: as people of the country write it (`07700900123`),
   * `prefix`: `number_prefix` and the digits. Numbers of other countries than the carrier's are never written nationally.
   */
  readonly number_format: (typeof numberFormats)[number]
  readonly number_prefix: string
  /**
   * How numbers without a plus sign are read. `auto`: by their type, and of an unknown type as numbers of the country where
   * they are valid there, else as E.164. `e164` and `national`: whatever their type.
   */
  readonly inbound_number_format: (typeof inboundNumberFormats)[number]
  /** The carrier's prefix of its numbers, which is removed. */
  readonly inbound_number_prefix: string
  /** Whether names and short codes may be the senders of texts. */
  readonly takes_originators: boolean
}

export type InboundNumbers = Pick<
  NumberSettings,
  'country' | 'inbound_number_format' | 'inbound_number_prefix'
>

export const NUMBER_DEFAULTS = {
  country: '',
  number_format: 'digits',
  number_prefix: '',
  inbound_number_format: 'auto',
  inbound_number_prefix: '',
  takes_originators: false,
} as const satisfies NumberSettings

export interface OutboundNumber {
  readonly text: string
  readonly type: NumberType
  /** Whether the type must be said, as the digits alone would be read as another number. */
  readonly needsType: boolean
}

/**
 * Writes a party as a carrier wants it.
 * @param party a number of E.164 without its plus sign, a short code or a name
 * @param country of our number, where the carrier has none
 */
export function writeNumber(
  party: string,
  settings: Pick<NumberSettings, 'country' | 'number_format' | 'number_prefix'>,
  country: string,
): OutboundNumber {
  if (!isE164(party)) {
    return { text: party, type: /^\d+$/.test(party) ? 'abbreviated' : 'alphanumeric', needsType: false }
  }
  const written = (text: string, type: NumberType, needsType = false) => ({ text, type, needsType })
  switch (settings.number_format) {
    case 'digits':
      return written(party, 'international')
    case 'plus':
      return written(`+${party}`, 'international')
    case 'international_00':
      return written(`00${party}`, 'unknown')
    case 'international_011':
      return written(`011${party}`, 'unknown')
    case 'prefix':
      return written(`${settings.number_prefix}${party}`, 'unknown')
    case 'national':
    case 'national_trunk': {
      const national = nationalForm(party, settings.country || country, settings.number_format)
      return national === null ? written(party, 'international', true) : written(national, 'national')
    }
  }
}

/** Whether a party is a number of the telephone network: digits with the country code, no plus sign. */
export function isE164(party: string): boolean {
  return /^[1-9]\d{6,14}$/.test(party)
}

/** The country of a number in E.164 without its plus sign; '' if it has none, or is not such a number. */
export function countryOf(party: string): string {
  const parsed = isE164(party) ? parsePhoneNumberFromString(`+${party}`) : undefined
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? ''
}

/** @returns null for a number of another country */
function nationalForm(digits: string, country: string, format: 'national' | 'national_trunk'): string | null {
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  if (!parsed || !isSupportedCountry(country)) return null
  if (parsed.countryCallingCode !== getCountryCallingCode(country)) return null
  return format === 'national' ? parsed.nationalNumber : parsed.formatNational().replace(/\D/g, '')
}
