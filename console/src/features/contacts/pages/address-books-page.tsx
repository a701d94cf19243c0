import { dataOf } from '@jackfield/sdk'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client'
import type { ListSearch } from '../../../api/lists'
import { created, text } from '../../../design/column-kinds'
import { resourcePage } from '../../../design/resource-page'
import { countOf } from '../../../design/values'
import { BookForm } from '../components/book-form'
import { type AddressBook, booksKey, booksQuery } from '../queries'
import { bookTexts } from '../texts'

export const AddressBooksPage = resourcePage({
  texts: bookTexts,
  useRows: (search: ListSearch) => useQuery(booksQuery(search)),
  columns: (t) => [
    text('title', t('title'), { sort: true }),
    {
      key: 'contacts',
      header: t('contacts'),
      align: 'right',
      render: ({ id, contact_count }: AddressBook) => (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/contacts" search={{ book: id }} />}>
          {countOf(contact_count)}
        </Anchor>
      ),
    },
    {
      key: 'teams',
      header: t('sharedWith'),
      render: ({ shared_teams_id: { length: count } }) =>
        count === 0 ? t('everybody') : t('teamCount', { count }),
    },
    created(t('created')),
  ],
  nameOf: ({ title }) => title,
  form: ({ row, close }) => <BookForm {...(row && { book: row })} onDone={close} />,
  editTitle: (t, { title }) => t('edit', { title }),
  remove: {
    run: async ({ id }) => dataOf(api.DELETE('/address-books/{id}', { params: { path: { id } } })),
    from: booksKey,
  },
})
