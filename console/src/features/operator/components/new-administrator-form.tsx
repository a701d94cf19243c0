import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { showInvitation } from '../../../design/invitation'
import { useTexts } from '../../../i18n/texts'
import { administratorsKey } from '../queries'
import { workspacesTexts } from '../texts'
import { AdministratorFields, administratorOf, noAdministrator } from './administrator-fields'

export function NewAdministratorForm({ workspace: id, onDone }: { workspace: string; onDone: () => void }) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: noAdministrator,
    send: async (values) =>
      dataOf(
        api.POST('/workspaces/{id}/administrators', {
          params: { path: { id } },
          body: administratorOf(values),
        }),
      ),
    changes: [administratorsKey(id)],
    done: '',
    onDone: (invitation, { display_name, username }) => {
      onDone()
      showInvitation(display_name || username, invitation)
    },
  })
  return (
    <FormFrame api={sending} action={t('newAdministrator')} onCancel={onDone}>
      <AdministratorFields form={sending.form} hint={t('administratorHint')} required />
    </FormFrame>
  )
}
