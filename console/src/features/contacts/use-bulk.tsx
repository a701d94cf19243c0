/** What can be done with several contacts at once. */
import { dataOf } from '@jackfield/sdk'
import { IconBook } from '@tabler/icons-react'
import { none, orNone } from '../../api/choices'
import { api } from '../../api/client'
import type { BulkAction, BulkFieldProps } from '../../design/bulk-actions'
import { Picker } from '../../design/picker'
import { useTexts } from '../../i18n/texts'
import { type Contact, bookChoices, booksKey, contactsKey } from './queries'
import { contactsTexts } from './texts'

export function useBulk(): readonly BulkAction<Contact>[] {
  const t = useTexts(contactsTexts)
  return [
    {
      ...{ key: 'book', label: t('toBook'), icon: IconBook, Field: BookField },
      question: (count) => t('toBookQuestion', { count }),
      run: async ({ id }, book) => {
        const body = { address_book_id: book === none ? null : book }
        return dataOf(api.PATCH('/contacts/{id}', { params: { path: { id } }, body }))
      },
      changes: [contactsKey, booksKey],
    },
  ]
}

function BookField(field: BulkFieldProps) {
  const t = useTexts(contactsTexts)
  return (
    <Picker
      label={t('book')}
      source={orNone(bookChoices, t('inNoBook'))}
      required
      data-autofocus
      {...field}
    />
  )
}
