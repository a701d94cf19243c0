import { dataOf } from '@jackfield/sdk'
import { NumberInput, SegmentedControl, SimpleGrid, Text, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { carriersKey, checklistKey } from '../../../api/platform'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { type Kind, firstFieldsOf, kindOf, kinds } from '../kinds'
import type { Carrier } from '../queries'
import { carriersTexts, settingsTexts } from '../texts'
import { inputsOf } from './kind-fields'
import { type SettingValues, fieldIn, settingsOf, valuesOf } from './setting-values'

interface Values extends Record<string, unknown> {
  kind: Kind['kind']
  title: string
  throughput: number
  window_size: number
  /** What was typed for each kind. */
  settings: Record<string, SettingValues>
}

const initialValues: Values = {
  ...{ kind: 'smpp', title: '', throughput: 100, window_size: 10 },
  settings: Object.fromEntries(
    kinds.map((kind) => {
      const fields = firstFieldsOf(kind)
      const presets = Object.fromEntries(fields.map(({ path, preset }) => [path, preset]))
      return [kind.kind, valuesOf(fields, { ...presets, ...kind.examples })]
    }),
  ),
}

export function NewCarrierForm({
  onDone,
  onCancel,
}: {
  onDone: (made: Carrier) => void
  onCancel: () => void
}) {
  const [t, words] = [useTexts(carriersTexts), useTexts(settingsTexts)]
  const sending: ApiForm<Values> = useApiForm<Values, Carrier>({
    initialValues,
    send: async ({ settings, ...common }) => {
      const body = { ...common, is_active: true, settings: settingsOf(kind, fields, typed(settings), true) }
      return dataOf(api.POST('/carriers', { body }))
    },
    changes: [carriersKey, checklistKey],
    fieldOf: (field) => fieldIn(field, fields, typed(sending.form.values.settings), at),
    onDone,
  })
  const { form } = sending
  const kind = kindOf(form.values.kind)
  const fields = firstFieldsOf(kind)
  const at = `settings.${kind.kind}`
  const typed = (settings: Values['settings']) => settings[kind.kind] ?? {}
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onCancel}>
      <SegmentedControl
        aria-label={t('kind')}
        data={kinds.map(({ kind: value }) => ({ value, label: t(value) }))}
        {...form.getInputProps('kind')}
      />
      <TextInput label={t('title')} required data-autofocus {...form.getInputProps('title')} />
      <SettingFields form={form} fields={fields.flatMap((field) => inputsOf(field, at, words))} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput label={t('throughput')} required {...form.getInputProps('throughput')} />
        <NumberInput label={t('window')} required {...form.getInputProps('window_size')} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('newHint')}
      </Text>
    </FormFrame>
  )
}
