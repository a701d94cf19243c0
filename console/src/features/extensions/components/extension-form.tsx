import { dataOf } from '@jackfield/sdk'
import { Select, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { agentChoices } from '../../agents/queries'
import { sipAccountChoices } from '../../sip-accounts/queries'
import { teamChoices } from '../../teams/queries'
import { type Extension, extensionsKey, voiceAgentChoices } from '../queries'
import { extensionsTexts } from '../texts'

/** API field and option source of each kind of destination. */
const destinations = {
  agent: { field: 'agent_id', source: agentChoices },
  team: { field: 'team_id', source: teamChoices },
  'sip-account': { field: 'sip_account_id', source: sipAccountChoices },
  'voice-agent': { field: 'voice_agent_id', source: voiceAgentChoices },
} as const

const kinds = ['agent', 'team', 'sip-account', 'voice-agent'] as const

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
        data={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
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
