import { dataOf } from '@jackfield/sdk'
import { Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { messageOf } from '../../../api/errors'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { showInvitation } from '../../../design/invitation'
import { NewPasswordField, randomPassword } from '../../../design/new-password-field'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { teamChoices, teamsKey } from '../../teams/queries'
import { type Agent, agentsKey } from '../queries'
import { agentsTexts } from '../texts'
import { RightsFields } from './rights-fields'
import { showSignIn } from './sign-in-sheet'

interface Values extends Record<string, unknown> {
  display_name: string
  username: string
  email: string
  country_code: string | null
  password: string
  role: Agent['role']
  is_admin: boolean
  by_link: boolean
  team_id: string | null
  extension: string
}

export function NewAgentForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(agentsTexts)
  const client = useQueryClient()
  const sending = useApiForm<Values, Agent>({
    initialValues: {
      ...{ display_name: '', username: '', email: '', country_code: null, password: randomPassword() },
      ...{ role: 'member', is_admin: false, by_link: false, team_id: null, extension: '' },
    },
    send: async ({ email, country_code, is_admin, by_link: _, team_id: __, extension: ___, ...values }) =>
      dataOf(
        api.POST('/agents', {
          body: {
            ...values,
            is_active: true,
            ...(email && { email }),
            ...(country_code && { country_code }),
            ...(is_admin && { is_admin }),
          },
        }),
      ),
    changes: [agentsKey],
    onDone: (agent, sent) => {
      onDone()
      void placed(agent, sent).then(async () => client.invalidateQueries({ queryKey: teamsKey }))
      const { display_name: name, username } = agent
      if (sent.by_link) void invite(agent)
      else showSignIn({ name, username, password: sent.password })
    },
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onDone}>
      <TextInput label={t('name')} required data-autofocus {...form.getInputProps('display_name')} />
      <TextInput
        label={t('username')}
        required
        description={t('usernameHint')}
        autoComplete="off"
        autoCapitalize="none"
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('email')}
        description={t('emailHint')}
        type="email"
        {...form.getInputProps('email')}
      />
      <CountryField
        label={t('country')}
        description={t('countryHint')}
        clearable
        {...form.getInputProps('country_code')}
      />
      <Switch
        label={t('byLink')}
        description={t('byLinkHint')}
        {...form.getInputProps('by_link', { type: 'checkbox' })}
      />
      {!form.values.by_link && (
        <NewPasswordField label={t('password')} required {...form.getInputProps('password')} />
      )}
      <Picker
        label={t('team')}
        source={teamChoices}
        value={form.values.team_id}
        onChange={(team_id) => form.setFieldValue('team_id', team_id)}
        clearable
      />
      <TextInput
        label={t('extension')}
        description={t('extensionHint')}
        inputMode="numeric"
        {...form.getInputProps('extension')}
      />
      <RightsFields form={form} />
    </FormFrame>
  )
}

/** Of an extension. */
const longestTitle = 36

/** The agent is there already: what fails here is done again on its page. */
const complain = (error: unknown) =>
  void notifications.show({ message: messageOf(error), color: 'red', autoClose: false })

async function placed({ id: agent_id, display_name }: Agent, { team_id, extension }: Values): Promise<void> {
  try {
    if (team_id)
      await dataOf(api.PUT('/teams/{id}/agents/{agent_id}', { params: { path: { id: team_id, agent_id } } }))
    const number = extension.trim()
    if (number !== '') {
      const title = display_name.slice(0, longestTitle)
      const body = { title, extension_number: number, destination: 'agent', agent_id } as const
      await dataOf(api.POST('/extensions', { body }))
    }
  } catch (error) {
    complain(error)
  }
}

async function invite({ id, display_name }: Agent): Promise<void> {
  try {
    const invitation = await dataOf(api.POST('/agents/{id}/invitation', { params: { path: { id } } }))
    showInvitation(display_name, invitation)
  } catch (error) {
    complain(error)
  }
}
