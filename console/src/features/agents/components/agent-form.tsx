import { dataOf } from '@jackfield/sdk'
import { Switch, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Agent, agentsKey } from '../queries'
import { agentsTexts } from '../texts'
import { RightsFields } from './rights-fields'

interface Values extends Record<string, unknown> {
  display_name: string
  username: string
  email: string
  country_code: string | null
  role: Agent['role']
  is_admin: boolean
  is_active: boolean
}

export function AgentForm({ agent }: { agent: Agent }) {
  const t = useTexts(agentsTexts)
  const { id, display_name, username, email, country_code, role, is_admin, is_active } = agent
  const sending = useApiForm<Values>({
    initialValues: { display_name, username, email: email ?? '', country_code, role, is_admin, is_active },
    send: async (_, changed) =>
      dataOf(api.PATCH('/agents/{id}', { params: { path: { id } }, body: changed(bodyOf) })),
    version: agent.updated_at,
    changes: [agentsKey],
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onlyChanged>
      <TextInput label={t('name')} required {...form.getInputProps('display_name')} />
      <TextInput label={t('username')} required autoCapitalize="none" {...form.getInputProps('username')} />
      <TextInput
        label={t('email')}
        description={t('emailHint')}
        type="email"
        {...form.getInputProps('email')}
      />
      <CountryField
        label={t('country')}
        required
        allowDeselect={false}
        {...form.getInputProps('country_code')}
      />
      <RightsFields form={form} />
      <Switch
        label={t('active')}
        description={t('activeHint')}
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}

function bodyOf({ email, country_code, ...values }: Values) {
  return { ...values, email: email || null, country_code: country_code ?? '' }
}
