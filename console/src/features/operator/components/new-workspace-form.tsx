import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { hostOf } from '../workspace-host'
import { workspacesTexts } from '../workspaces-texts'

export function NewWorkspaceForm({
  onDone,
  onCancel,
}: {
  onDone: (id: string) => void
  onCancel: () => void
}) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: { title: '', id: '', country_code: '' },
    send: async (values) =>
      dataOf(
        api.POST('/workspaces', { body: { ...values, country_code: values.country_code.toUpperCase() } }),
      ),
    changes: [workspacesKey, checklistKey],
    onDone: ({ id }) => onDone(id),
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
      <TextInput
        label={t('country')}
        description={t('countryHint')}
        required
        maxLength={2}
        {...form.getInputProps('country_code')}
      />
    </FormFrame>
  )
}
