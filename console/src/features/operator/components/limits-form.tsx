import { dataOf } from '@jackfield/sdk'
import { NumberInput, SimpleGrid, Switch, Text } from '@mantine/core'
import { api } from '../../../api/client'
import { CountriesField } from '../../../design/country-field'
import { figureOf } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import {
  RetentionFields,
  type RetentionValues,
  retentionBodyOf,
  retentionValuesOf,
} from '../../../design/retention-fields'
import { useTexts } from '../../../i18n/texts'
import { rateDeckChoices, workspacesKey } from '../../../api/platform'
import { type Workspace } from '../queries'
import { workspacesTexts } from '../texts'

/** Value of Mantine's NumberInput: '' if it is empty. */
type Figure = number | string

interface Values extends RetentionValues, Record<string, unknown> {
  max_concurrent_calls: Figure
  max_calls_per_second: Figure
  max_spend_per_hour: Figure
  max_spend_per_day: Figure
  rate_deck_id: string | null
  allowed_countries: string[]
  allow_premium_rate: boolean
  max_storage_mb: Figure
  call_recording: boolean
  call_internal_recording: boolean
  call_signing: boolean
}

export function LimitsForm({ workspace }: { workspace: Workspace }) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      max_concurrent_calls: workspace.max_concurrent_calls ?? '',
      max_calls_per_second: workspace.max_calls_per_second ?? '',
      max_spend_per_hour: workspace.max_spend_per_hour ?? '',
      max_spend_per_day: workspace.max_spend_per_day ?? '',
      rate_deck_id: workspace.rate_deck_id,
      allowed_countries: workspace.allowed_countries ?? [],
      allow_premium_rate: workspace.allow_premium_rate,
      ...retentionValuesOf(workspace),
      max_storage_mb: workspace.max_storage_mb ?? '',
      call_recording: workspace.call_recording,
      call_internal_recording: workspace.call_internal_recording,
      call_signing: workspace.call_signing,
    },
    send: async (_, changed) =>
      dataOf(
        api.PATCH('/workspaces/{id}', { params: { path: { id: workspace.id } }, body: changed(bodyOf) }),
      ),
    version: workspace.updated_at,
    changes: [workspacesKey],
    fieldOf: (field) => (field.startsWith('allowed_countries') ? 'allowed_countries' : field),
  })
  const { form } = sending
  const whole = { allowDecimal: false, allowNegative: false }
  const money = { decimalScale: 6, allowNegative: false }
  return (
    <FormFrame api={sending} onlyChanged>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput label={t('concurrent')} {...whole} {...form.getInputProps('max_concurrent_calls')} />
        <NumberInput label={t('perSecond')} {...whole} {...form.getInputProps('max_calls_per_second')} />
        <NumberInput
          label={t('spendPerHour')}
          description={t('spendHint')}
          {...money}
          {...form.getInputProps('max_spend_per_hour')}
        />
        <NumberInput
          label={t('spendPerDay')}
          description={t('spendHint')}
          {...money}
          {...form.getInputProps('max_spend_per_day')}
        />
        <Picker
          label={t('rateDeck')}
          description={t('rateDeckHint')}
          source={rateDeckChoices}
          clearable
          {...form.getInputProps('rate_deck_id')}
        />
        <CountriesField
          label={t('countries')}
          description={t('countriesHint')}
          {...form.getInputProps('allowed_countries')}
        />
        <NumberInput
          label={t('storage')}
          description={t('storageHint', { used: Math.ceil(workspace.storage_bytes / 1_048_576) })}
          {...whole}
          {...form.getInputProps('max_storage_mb')}
        />
      </SimpleGrid>
      <Text size="sm" fw={500}>
        {t('retention')}
      </Text>
      <RetentionFields inputPropsOf={(field) => form.getInputProps(field)} />
      <Switch
        label={t('premium')}
        description={t('premiumHint')}
        {...form.getInputProps('allow_premium_rate', { type: 'checkbox' })}
      />
      <Switch label={t('recording')} {...form.getInputProps('call_recording', { type: 'checkbox' })} />
      <Switch
        label={t('internalRecording')}
        {...form.getInputProps('call_internal_recording', { type: 'checkbox' })}
      />
      <Switch label={t('signing')} {...form.getInputProps('call_signing', { type: 'checkbox' })} />
    </FormFrame>
  )
}

function bodyOf(values: Values) {
  return {
    ...values,
    max_concurrent_calls: figureOf(values.max_concurrent_calls),
    max_calls_per_second: figureOf(values.max_calls_per_second),
    max_spend_per_hour: figureOf(values.max_spend_per_hour),
    max_spend_per_day: figureOf(values.max_spend_per_day),
    ...retentionBodyOf(values),
    max_storage_mb: figureOf(values.max_storage_mb),
    allowed_countries: values.allowed_countries.length > 0 ? values.allowed_countries : null,
  }
}
