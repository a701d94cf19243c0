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
    send: async (values) =>
      dataOf(
        api.PATCH('/agents/{id}', {
          params: { path: { id } },
          body: {
            ...changed(values, agent),
            email: values.email || null,
            country_code: values.country_code ?? country_code,
          },
        }),
      ),
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

/** Who may not make admins may change the rest. */
function changed({ is_admin, display_name, username, role, is_active }: Values, before: Agent) {
  return { display_name, username, role, is_active, ...(is_admin !== before.is_admin && { is_admin }) }
}
