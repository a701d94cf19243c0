/** A field that chooses a country by its name in the viewer's language. */
import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { countryCodes } from './country-codes'
import { locale } from '../i18n/language'

export function CountryField(props: Omit<SelectProps, 'data' | 'searchable' | 'multiple'>) {
  const language = locale()
  const data = useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return countryCodes
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .sort((a, b) => a.label.localeCompare(b.label, language))
  }, [language])
  return <Select {...props} data={data} searchable />
}
