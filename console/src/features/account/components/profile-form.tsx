import { dataOf } from '@jackfield/sdk'
import { Switch, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { type Me, meQuery } from '../../../api/me'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { PasswordField } from '../../../design/password-field'
import { useTexts } from '../../../i18n/texts'
import { accountTexts } from '../texts'

interface Values extends Record<string, unknown> {
  display_name: string
  email: string
  country_code: string
  voicemail_by_email: boolean
  current_password: string
}

export function ProfileForm({ me }: { me: Me }) {
  const { display_name, email, country_code, voicemail_by_email, has_mail } = me
  const t = useTexts(accountTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      ...{ display_name, email: email ?? '', country_code, voicemail_by_email },
      current_password: '',
    },
    // Send only changed fields: an admin may have changed the others.
    send: async (now) =>
      dataOf(
        api.PATCH('/me', {
          body: {
            ...(now.display_name !== display_name && { display_name: now.display_name }),
            ...(now.email !== (email ?? '') && {
              email: now.email || null,
              current_password: now.current_password,
            }),
            ...(now.country_code !== country_code && { country_code: now.country_code }),
            ...(now.voicemail_by_email !== voicemail_by_email && {
              voicemail_by_email: now.voicemail_by_email,
            }),
          },
        }),
      ),
    changes: [meQuery.queryKey],
    onDone: () => sending.form.setFieldValue('current_password', ''),
  })
  const { form } = sending
  const changesEmail = form.getValues().email !== (email ?? '')
  const hintOfVoicemail = () => {
    if (!has_mail) return 'voicemailNoMail'
    return form.getValues().email ? 'voicemailByEmailHint' : 'voicemailNeedsEmail'
  }
  return (
    <FormFrame api={sending} onlyChanged>
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        required
        autoComplete="name"
        {...form.getInputProps('display_name')}
      />
      <TextInput
        label={t('email')}
        description={t('emailHint')}
        type="email"
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      {changesEmail && (
        <PasswordField
          label={t('currentPassword')}
          description={t('emailPasswordHint')}
          required
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      )}
      <CountryField
        label={t('country')}
        required
        allowDeselect={false}
        {...form.getInputProps('country_code')}
      />
      <Switch
        label={t('voicemailByEmail')}
        description={t(hintOfVoicemail())}
        {...form.getInputProps('voicemail_by_email', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}
