import { dataOf } from '@jackfield/sdk'
import { Alert, Anchor, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client'
import { FormFrame, useApiForm } from '../../design/forms'
import { useTexts } from '../../i18n/texts'
import { sessionTexts } from '../texts'
import { Outside } from './outside'

export function ForgotPasswordPage() {
  const t = useTexts(sessionTexts)
  const [hasMail, setHasMail] = useState<boolean | null>(null)
  const sending = useApiForm({
    initialValues: { username: '', email: '' },
    send: async (body) => dataOf(api.POST('/auth/forgot-password', { body })),
    done: '',
    onDone: ({ has_mail }) => setHasMail(has_mail),
  })
  const { form } = sending
  return (
    <Outside title={t('forgotTitle')}>
      {hasMail !== null ? (
        <Alert color={hasMail ? 'blue' : 'yellow'} role="status">
          {t(hasMail ? 'forgotHint' : 'forgotNoMail')}
        </Alert>
      ) : (
        <FormFrame api={sending} action={t('forgotSend')}>
          <TextInput
            label={t('username')}
            autoComplete="username"
            required
            {...form.getInputProps('username')}
          />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="email"
            required
            {...form.getInputProps('email')}
          />
        </FormFrame>
      )}
      <Anchor component={Link} to="/sign-in" size="sm">
        {t('backToSignIn')}
      </Anchor>
    </Outside>
  )
}
