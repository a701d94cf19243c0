import { Fieldset, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CountryField } from '../../../design/country-field'
import { type SettingField, SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'
import type { CarrierValues } from './carrier-values'
import { useSettingWords } from './setting-words'

interface NumberFieldsProps {
  form: UseFormReturnType<CarrierValues>
  kind: 'smpp' | 'http'
  /** Further fields of this kind. */
  more?: readonly SettingField[]
}

/** Number formats: how the carrier writes numbers, and how it expects ours. */
export function NumberFields({ form, kind, more = [] }: NumberFieldsProps) {
  const t = useTexts(settingsTexts)
  const { choices, field } = useSettingWords(kind)
  return (
    <Fieldset legend={t('numbers')}>
      <Stack gap="sm">
        <CountryField
          label={t('country')}
          description={t('countryHint')}
          clearable
          {...form.getInputProps(`${kind}.country`)}
        />
        <SettingFields
          form={form}
          fields={[
            {
              ...{ ...field('number_format'), kind: 'choice' },
              choices: choices(
                ...(['digits', 'plus', 'international_00', 'international_011'] as const),
                ...(['national', 'national_trunk', 'prefix'] as const),
              ),
            },
            { ...field('number_prefix'), hint: t('number_prefixHint') },
            {
              ...{ ...field('inbound_number_format'), kind: 'choice' },
              choices: [...choices('auto', 'e164'), { value: 'national', label: t('inboundNational') }],
            },
            { ...field('inbound_number_prefix'), hint: t('inbound_number_prefixHint') },
            { ...field('takes_originators'), kind: 'flag' },
            ...more,
          ]}
        />
      </Stack>
    </Fieldset>
  )
}
