import { dataOf } from '@jackfield/sdk'
import { SegmentedControl } from '@mantine/core'
import { api } from '../../../api/client'
import { checklistKey } from '../../../api/platform'
import { requiredFigureOf } from '../../../design/form-values'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { type AiProvider, aiProvidersKey } from '../queries'
import { aiProvidersTexts } from '../texts'
import { OffersField } from './offers-field'
import { type ProviderValues, fieldIn, settingsOf, valuesOf } from './provider-values'
import { ChainFields, RealtimeFields } from './service-fields'

function bodyOf(values: ProviderValues) {
  const { name, models, voices, is_active } = values
  const price_per_minute = requiredFigureOf(values.price_per_minute)
  return { name, models, voices, is_active, price_per_minute, settings: settingsOf(values) }
}

/** @param provider the one to edit; without it a new one is created */
export function ProviderForm({
  provider,
  onDone,
  onCancel,
}: {
  provider?: AiProvider
  onDone?: (saved: AiProvider) => void
  onCancel?: () => void
}) {
  const t = useTexts(aiProvidersTexts)
  const sending: ApiForm<ProviderValues> = useApiForm<ProviderValues, AiProvider>({
    initialValues: valuesOf(provider),
    send: async (values, changed) =>
      provider
        ? dataOf(
            api.PATCH('/ai-providers/{id}', { params: { path: { id: provider.id } }, body: changed(bodyOf) }),
          )
        : dataOf(api.POST('/ai-providers', { body: { ...bodyOf(values), kind: values.kind } })),
    ...(provider && { version: provider.updated_at }),
    changes: [aiProvidersKey, checklistKey],
    fieldOf: (field) => fieldIn(sending.form.values.kind, field),
    ...(onDone && { onDone }),
  })
  const { form } = sending
  const secrets = provider?.secrets ?? []
  const Fields = form.values.kind === 'cascaded' ? ChainFields : RealtimeFields
  return (
    <FormFrame
      api={sending}
      onlyChanged={provider !== undefined}
      onCancel={onCancel}
      {...(!provider && { action: t('add') })}
    >
      {!provider && (
        <SegmentedControl
          aria-label={t('kind')}
          data={[
            { value: 'openai_realtime', label: t('openai_realtime') },
            { value: 'cascaded', label: t('cascaded') },
          ]}
          {...form.getInputProps('kind')}
        />
      )}
      <SettingFields
        form={form}
        fields={[
          { path: 'name', label: t('name'), hint: t('nameHint'), required: true },
          {
            ...{ path: 'price_per_minute', label: t('price'), hint: t('priceHint') },
            ...{ kind: 'number', required: true },
          },
          { path: 'is_active', label: t('active'), hint: t('activeHint'), kind: 'flag' },
        ]}
      />
      <Fields form={form} secrets={secrets} />
      <OffersField form={form} of="models" />
      <OffersField form={form} of="voices" />
    </FormFrame>
  )
}
