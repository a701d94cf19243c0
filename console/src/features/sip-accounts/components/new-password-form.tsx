import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { NewPasswordField, randomPassword } from '../../../design/new-password-field'
import { useTexts } from '../../../i18n/texts'
import { type SipAccount, sipAccountsKey } from '../queries'
import { sipAccountsTexts } from '../texts'
import { showSettings } from './settings-sheet'

export function NewPasswordForm({ account, onDone }: { account: SipAccount; onDone: () => void }) {
  const t = useTexts(sipAccountsTexts)
  const sending = useApiForm({
    initialValues: { password: randomPassword() },
    send: async (body) =>
      dataOf(api.PATCH('/sip-accounts/{id}', { params: { path: { id: account.id } }, body })),
    changes: [sipAccountsKey],
    onDone: (_, { password }) => {
      onDone()
      showSettings({ account, password })
    },
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <NewPasswordField
        label={t('password')}
        required
        description={t('newPasswordHint')}
        data-autofocus
        {...sending.form.getInputProps('password')}
      />
    </FormFrame>
  )
}
