import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { MultiPicker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { teamChoices } from '../../teams/queries'
import { type AddressBook, booksKey } from '../queries'
import { bookTexts } from '../texts'

/** @param book the one to edit; without it a new one is created */
export function BookForm({ book, onDone }: { book?: AddressBook; onDone: () => void }) {
  const t = useTexts(bookTexts)
  const sending = useApiForm({
    initialValues: { title: book?.title ?? '', shared_teams_id: book?.shared_teams_id ?? [] },
    send: async (values, changed) =>
      book
        ? dataOf(
            api.PATCH('/address-books/{id}', {
              params: { path: { id: book.id } },
              body: changed((body) => body),
            }),
          )
        : dataOf(api.POST('/address-books', { body: values })),
    changes: [booksKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('title')} required maxLength={36} data-autofocus {...form.getInputProps('title')} />
      <MultiPicker
        label={t('teams')}
        description={t('teamsHint')}
        source={teamChoices}
        clearable
        {...form.getInputProps('shared_teams_id')}
      />
    </FormFrame>
  )
}
