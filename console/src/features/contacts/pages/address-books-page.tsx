import { dataOf } from '@jackfield/sdk'
import { Anchor } from '@mantine/core'
import { IconBook2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { RowActions } from '../../../design/row-actions'
import { Time, countOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { BookForm } from '../components/book-form'
import { type AddressBook, booksKey, booksQuery } from '../queries'
import { bookTexts } from '../texts'

export function AddressBooksPage() {
  const t = useTexts(bookTexts)
  const heading = useTexts(menuTexts.contacts)('addressBooks')
  const search = useSearch({ from: '/shell/admin/address-books' })
  const navigate = useNavigate({ from: '/address-books' })
  const query = useQuery(booksQuery(search))
  const [open, setOpen] = useState<AddressBook | 'new'>()
  const close = () => setOpen(undefined)
  const edited = open === 'new' ? undefined : open
  const add = <AddButton onClick={() => setOpen('new')}>{t('add')}</AddButton>
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={useColumns()}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconBook2} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(book) => (
          <RowActions
            name={book.title}
            onEdit={() => setOpen(book)}
            onDelete={() =>
              confirmDelete({
                name: book.title,
                run: async () =>
                  dataOf(api.DELETE('/address-books/{id}', { params: { path: { id: book.id } } })),
                row: { from: booksKey, id: book.id },
              })
            }
          />
        )}
      />
      <FormModal
        title={edited ? t('edit', { title: edited.title }) : t('add')}
        opened={open !== undefined}
        onClose={close}
      >
        <BookForm key={edited?.id ?? 'new'} {...(edited && { book: edited })} onDone={close} />
      </FormModal>
    </Page>
  )
}

function useColumns(): Column<AddressBook>[] {
  const t = useTexts(bookTexts)
  const c = useTexts(common)
  return [
    { key: 'title', header: t('title'), sort: 'title', render: ({ title }) => title },
    {
      key: 'contacts',
      header: t('contacts'),
      align: 'right',
      render: ({ id, contact_count }) => (
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
    {
      key: 'created',
      header: c('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
}
