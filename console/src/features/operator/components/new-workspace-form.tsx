import { dataOf } from '@jackfield/sdk'
import { Fieldset, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { messageOf } from '../../../api/errors'
import { api } from '../../../api/client'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { type Invitation, showInvitation } from '../../../design/invitation'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { workspacesTexts } from '../texts'
import { hostOf } from '../workspace-host'
import { AdministratorFields, administratorOf, noAdministrator } from './administrator-fields'

export function NewWorkspaceForm({
  onDone,
  onCancel,
}: {
  onDone: (id: string) => void
  onCancel: () => void
}) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: { title: '', id: '', country_code: '', ...noAdministrator },
    send: async ({ title, id, country_code, ...values }) => {
      const workspace = await dataOf(api.POST('/workspaces', { body: { title, id, country_code } }))
      return { workspace, invitation: values.username === '' ? null : await invite(id, values) }
    },
    changes: [workspacesKey, checklistKey],
    onDone: ({ workspace, invitation }, { display_name, username }) => {
      onDone(workspace.id)
      if (invitation) showInvitation(display_name || username, invitation)
    },
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onCancel}>
      <TextInput label={t('title')} required data-autofocus {...form.getInputProps('title')} />
      <TextInput
        label={t('id')}
        description={t('idHint', { example: hostOf(form.values.id || 'acme') })}
        required
        {...form.getInputProps('id')}
      />
      <CountryField label={t('country')} required {...form.getInputProps('country_code')} />
      <Fieldset legend={t('administrator')}>
        <Stack gap="sm">
          <AdministratorFields form={form} hint={t('administratorHint')} />
        </Stack>
      </Fieldset>
    </FormFrame>
  )
}

/** The workspace is there already: what fails here is done again on its page. */
async function invite(id: string, values: typeof noAdministrator): Promise<Invitation | null> {
  try {
    return await dataOf(
      api.POST('/workspaces/{id}/administrators', {
        params: { path: { id } },
        body: administratorOf(values),
      }),
    )
  } catch (error) {
    notifications.show({ message: messageOf(error), color: 'red', autoClose: false })
    return null
  }
}
