/** Fields that choose countries by their names in the viewer's language. */
import { MultiSelect, type MultiSelectProps, Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { countryCodes } from './country-codes'
import { locale, perLocale } from '../i18n/language'

type Kept = 'data' | 'searchable' | 'multiple'

const countryNames = perLocale((tag) => new Intl.DisplayNames([tag], { type: 'region' }))

function useCountries() {
  const language = locale()
  return useMemo(
    () =>
      countryCodes
        .map((value) => ({ value, label: countryOf(value) }))
        .sort((a, b) => a.label.localeCompare(b.label, language)),
    [language],
  )
}

/** Name of a country in the viewer's language. @param code of ISO 3166-1 */
export function countryOf(code: string): string {
  return countryNames().of(code) ?? code
}

export function CountryField(props: Omit<SelectProps, Kept>) {
  return <Select {...props} data={useCountries()} searchable />
}

export function CountriesField(props: Omit<MultiSelectProps, Kept>) {
  return <MultiSelect {...props} data={useCountries()} searchable hidePickedOptions />
}
