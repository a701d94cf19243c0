import { dataOf } from '@jackfield/sdk'
import { Select, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { type Extension, destinationKinds, destinations, extensionsKey } from '../queries'
import { extensionsTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  extension_number: string
  destination: Extension['destination']
  agent_id: string | null
  team_id: string | null
  sip_account_id: string | null
  voice_agent_id: string | null
}

/** Kind and id of the destination are sent together: an id alone would belong to the previous kind. */
function bodyOf({ title, extension_number, destination, ...ids }: Values) {
  const { field } = destinations[destination]
  return { title, extension_number, target: { destination, [field]: ids[field] } }
}

/** @param extension the one to edit; without it a new one is created */
export function ExtensionForm({ extension, onDone }: { extension?: Extension; onDone: () => void }) {
  const t = useTexts(extensionsTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      title: extension?.title ?? '',
      extension_number: extension?.extension_number ?? '',
      destination: extension?.destination ?? 'agent',
      agent_id: extension?.agent_id ?? null,
      team_id: extension?.team_id ?? null,
      sip_account_id: extension?.sip_account_id ?? null,
      voice_agent_id: extension?.voice_agent_id ?? null,
    },
    send: async (values, changed) => {
      const { target, ...fields } = bodyOf(values)
      if (!extension) return dataOf(api.POST('/extensions', { body: { ...fields, ...target } }))
      const { target: another, ...others } = changed(bodyOf)
      const body = { ...others, ...another }
      return dataOf(api.PATCH('/extensions/{id}', { params: { path: { id: extension.id } }, body }))
    },
    changes: [extensionsKey],
    onDone,
  })
  const { form } = sending
  const { destination } = form.values
  const { field, source } = destinations[destination]
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
      <TextInput
        label={t('number')}
        required
        description={t('numberHint')}
        inputMode="numeric"
        {...form.getInputProps('extension_number')}
      />
      <Select
        label={t('destination')}
        required
        allowDeselect={false}
        data={destinationKinds.map((kind) => ({ value: kind, label: t(kind) }))}
        {...form.getInputProps('destination')}
      />
      <Picker
        key={destination}
        label={t(destination)}
        required
        source={source}
        allowDeselect={false}
        {...form.getInputProps(field)}
      />
    </FormFrame>
  )
}
