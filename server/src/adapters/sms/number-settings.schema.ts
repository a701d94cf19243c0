import { isSupportedCountry } from 'libphonenumber-js/max'
import Type from 'typebox'
import { NUMBER_DEFAULTS, type NumberSettings, inboundNumberFormats, numberFormats } from './numbers.js'
import { patterned } from '../../infrastructure/http/shapes.js'
import type { FormField, FormSection } from './carrier-form.js'

const prefix = (description: string) => ({
  ...patterned('^[0-9*#]{0,16}$', 'up to 16 digits, * or #', { description }),
  default: '',
})

/** What a carrier of any kind has of numbers. @param preset how they go out without a setting */
export const numberSettings = (preset: NumberSettings['number_format']) => ({
  country: {
    ...patterned('^([A-Z]{2})?$', 'empty, or a two-letter ISO 3166-1 country code in capitals', {
      description: 'Whose national numbers it writes; empty: the country of our number',
    }),
    default: NUMBER_DEFAULTS.country,
  },
  number_format: Type.Enum([...numberFormats], {
    default: preset,
    description:
      'How numbers go out: digits, with a plus sign, with 00 or 011 before, in national form (with the prefix that people dial: national_trunk), or with number_prefix before. Numbers of other countries are never written nationally',
  }),
  number_prefix: prefix('What precedes numbers if number_format is prefix'),
  inbound_number_format: Type.Enum([...inboundNumberFormats], {
    default: NUMBER_DEFAULTS.inbound_number_format,
    description:
      'How numbers without a plus sign are read: auto by their type, and where that is unknown as national ones where they are valid, else as E.164; e164 and national whatever their type',
  }),
  inbound_number_prefix: prefix('What it puts before its numbers, which is taken off'),
  takes_originators: Type.Boolean({
    default: NUMBER_DEFAULTS.takes_originators,
    description: 'Whether names and short codes may be the senders of texts',
  }),
})

/** What a schema cannot say of them: the field, and the rule that it breaks. */
export function numberProblem(
  settings: Pick<NumberSettings, 'country' | 'number_format' | 'number_prefix'>,
): { field: string; problem: string } | undefined {
  if (settings.country !== '' && !isSupportedCountry(settings.country)) {
    return { field: 'country', problem: 'must be the code of a country that has telephone numbers' }
  }
  return settings.number_format === 'prefix' && settings.number_prefix === ''
    ? { field: 'number_prefix', problem: 'must not be empty where number_format is prefix' }
    : undefined
}

/** The fields of a form for them, and further ones of a kind. */
export function numbersSection(...more: readonly (string | FormField)[]): FormSection {
  const inboundWords = { national: 'inboundNational' }
  return {
    title: 'numbers',
    fields: [
      { name: 'country', editor: 'country' },
      ...['number_format', 'number_prefix'],
      { name: 'inbound_number_format', words: inboundWords },
      ...['inbound_number_prefix', 'takes_originators'],
      ...more,
    ],
  }
}
