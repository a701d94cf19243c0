import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { created, text } from '../../../design/column-kinds'
import { resourcePage } from '../../../design/resource-page'
import { countOf } from '../../../design/values'
import { BookForm } from '../components/book-form'
import type { AddressBook } from '../queries'
import { bookTexts } from '../texts'

export const AddressBooksPage = resourcePage({
  path: '/address-books',
  texts: bookTexts,
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
  remove: {},
})
