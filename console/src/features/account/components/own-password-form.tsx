import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { PasswordField } from '../../../design/password-field'
import { useTexts } from '../../../i18n/texts'
import { ownSessionsQuery } from '../queries'
import { accountTexts } from '../texts'

/** @param username for the browser's password manager */
export function OwnPasswordForm({ username }: { username: string }) {
  const t = useTexts(accountTexts)
  const sending = useApiForm({
    initialValues: { current_password: '', new_password: '' },
    send: async (body) => dataOf(api.PATCH('/me/password', { body })),
    changes: [ownSessionsQuery.queryKey],
    done: t('passwordChanged'),
    onDone: () => sending.form.reset(),
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('changePassword')} onlyChanged>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('currentPassword')}
        required
        autoComplete="current-password"
        {...form.getInputProps('current_password')}
      />
      <PasswordField
        label={t('newPassword')}
        required
        autoComplete="new-password"
        {...form.getInputProps('new_password')}
      />
    </FormFrame>
  )
}
