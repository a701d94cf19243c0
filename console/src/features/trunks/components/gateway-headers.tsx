import { Fieldset, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CountryField } from '../../../design/country-field'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { headersTexts } from '../texts'
import type { GatewayValues } from './gateway-addresses'

const formats = [
  ...(['plus', 'digits', 'international_00', 'international_011'] as const),
  ...(['national', 'national_trunk', 'prefix'] as const),
] as const

/** Headers and number formats that the carrier requires; most require nothing. */
export function GatewayHeaders({ form }: { form: UseFormReturnType<GatewayValues> }) {
  const t = useTexts(headersTexts)
  const choices = formats.map((value) => ({ value: value, label: t(value) }))
  return (
    <Fieldset legend={t('headers')}>
      <Stack gap="sm">
        <SettingFields
          form={form}
          fields={[
            { path: 'from_user', label: t('fromUser'), hint: t('fromUserHint') },
            { path: 'from_domain', label: t('fromDomain'), hint: t('fromDomainHint') },
            { path: 'contact_host', label: t('contactHost'), hint: t('contactHostHint') },
            { path: 'request_domain', label: t('requestDomain'), hint: t('requestDomainHint') },
            { path: 'number_format', label: t('numberFormat'), kind: 'choice', choices },
            { path: 'number_prefix', label: t('numberPrefix'), hint: t('numberPrefixHint') },
            {
              ...{ path: 'caller_number_format', label: t('callerNumberFormat'), kind: 'choice' },
              choices: choices.filter(({ value }) => value !== 'prefix'),
            },
            {
              ...{ path: 'short_numbers', label: t('shortNumbers'), hint: t('shortNumbersHint') },
              kind: 'tags',
            },
            {
              ...{ path: 'forwarded_calls', label: t('forwardedCalls'), hint: t('forwardedCallsHint') },
              kind: 'choice',
              choices: (['none', 'diversion', 'history_info'] as const).map((value) => ({
                ...{ value, label: t(value) },
              })),
            },
            {
              ...{ path: 'forwarded_caller', label: t('forwardedCaller'), hint: t('forwardedCallerHint') },
              kind: 'choice',
              choices: (['own', 'original'] as const).map((value) => ({ value, label: t(value) })),
            },
          ]}
        />
        <CountryField
          label={t('country')}
          description={t('countryHint')}
          clearable
          {...form.getInputProps('country')}
        />
      </Stack>
    </Fieldset>
  )
}
