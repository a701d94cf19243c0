import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { NewPasswordField, randomPassword } from '../../../design/new-password-field'
import { useTexts } from '../../../i18n/texts'
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
}

export function NewAgentForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(agentsTexts)
  const sending = useApiForm<Values, Agent>({
    initialValues: {
      ...{ display_name: '', username: '', email: '', country_code: null, password: randomPassword() },
      ...{ role: 'member', is_admin: false },
    },
    send: async ({ email, country_code, is_admin, ...values }) =>
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
    onDone: ({ display_name, username }, { password }) => {
      onDone()
      showSignIn({ name: display_name, username, password })
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
      <NewPasswordField label={t('password')} required {...form.getInputProps('password')} />
      <RightsFields form={form} />
    </FormFrame>
  )
}
