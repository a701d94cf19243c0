import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Team, teamsKey } from '../queries'
import { teamsTexts } from '../texts'

interface TeamFormProps {
  /** The team to rename; without it a new one is created. */
  team?: Team
  onDone: (team: Team) => void
  onCancel: () => void
}

export function TeamForm({ team, onDone, onCancel }: TeamFormProps) {
  const t = useTexts(teamsTexts)
  const sending = useApiForm({
    initialValues: { name: team?.name ?? '' },
    send: async (body) =>
      team
        ? dataOf(api.PATCH('/teams/{id}', { params: { path: { id: team.id } }, body }))
        : dataOf(api.POST('/teams', { body })),
    changes: [teamsKey],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onCancel}>
      <TextInput label={t('name')} required data-autofocus {...sending.form.getInputProps('name')} />
    </FormFrame>
  )
}
