import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Audio, audiosKey } from '../queries'
import { audiosTexts } from '../texts'

export function RenameForm({ audio: { id, title }, onDone }: { audio: Audio; onDone: () => void }) {
  const t = useTexts(audiosTexts)
  const sending = useApiForm({
    initialValues: { title },
    send: async (body) => dataOf(api.PATCH('/audios/{id}', { params: { path: { id } }, body })),
    changes: [audiosKey],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('titleField')} required data-autofocus {...sending.form.getInputProps('title')} />
    </FormFrame>
  )
}
