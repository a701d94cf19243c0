import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { NewPasswordField, randomPassword } from '../../../design/new-password-field'
import { useTexts } from '../../../i18n/texts'
import type { Agent } from '../queries'
import { agentsTexts } from '../texts'
import { showSignIn } from './sign-in-sheet'

export function PasswordForm({ agent, onDone }: { agent: Agent; onDone: () => void }) {
  const t = useTexts(agentsTexts)
  const { id, display_name, username } = agent
  const sending = useApiForm({
    initialValues: { password: randomPassword() },
    send: async (body) => dataOf(api.PATCH('/agents/{id}/password', { params: { path: { id } }, body })),
    done: t('passwordChanged'),
    onDone: (_, { password }) => {
      onDone()
      showSignIn({ name: display_name, username, password })
    },
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <NewPasswordField
        label={t('password')}
        required
        data-autofocus
        {...sending.form.getInputProps('password')}
      />
    </FormFrame>
  )
}
