import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { CountryField } from '../../../design/country-field'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { workspacesTexts } from '../texts'
import { hostOf } from '../workspace-host'

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
    send: async (body) => dataOf(api.POST('/workspaces', { body })),
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
      <CountryField label={t('country')} required {...form.getInputProps('country_code')} />
    </FormFrame>
  )
}
