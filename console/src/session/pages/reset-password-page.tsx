import { dataOf } from '@jackfield/sdk'
import { Alert } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client'
import { FormFrame, useApiForm } from '../../design/forms'
import { useTexts } from '../../i18n/texts'
import { sessionTexts } from '../texts'
import { BackToSignIn, Outside } from './outside'
import { PasswordField } from '../../design/password-field'

/** The target of password reset mails: `mail.reset_url` is `https://{workspace}.<domain>/reset-password#{token}`. */
export function ResetPasswordPage() {
  const t = useTexts(sessionTexts)
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const [isSet, setIsSet] = useState(false)
  const sending = useApiForm({
    initialValues: { new_password: '' },
    send: async (values) => dataOf(api.POST('/auth/reset-password', { body: { token, ...values } })),
    done: '',
    onDone: () => setIsSet(true),
  })
  return (
    <Outside title={t('forgotTitle')}>
      {isSet && (
        <Alert color="green" role="status">
          {t('passwordSet')}
        </Alert>
      )}
      {!isSet && token === '' && <Alert color="red">{t('badReset')}</Alert>}
      {!isSet && token !== '' && (
        <FormFrame api={sending} action={t('setPassword')}>
          <PasswordField
            label={t('newPassword')}
            autoComplete="new-password"
            required
            {...sending.form.getInputProps('new_password')}
          />
        </FormFrame>
      )}
      <BackToSignIn />
    </Outside>
  )
}
