import { dataOf } from '@jackfield/sdk'
import { Group } from '@mantine/core'
import { IconAddressBook, IconEraser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { Picker } from '../../../design/picker'
import { RowAction, RowActions } from '../../../design/row-actions'
import { PhoneNumber, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type Contact, bookChoices, contactsKey, contactsQuery } from '../queries'
import { contactsTexts } from '../texts'

const ContactForm = partOf(async () => import('../components/contact-form'), 'ContactForm')

export function ContactsPage() {
  const t = useTexts(contactsTexts)
  const heading = useTexts(menuTexts.contacts)('title')
  const search = useSearch({ from: '/shell/admin/contacts' })
  const navigate = useNavigate({ from: '/contacts' })
  const query = useQuery(contactsQuery(search))
  const [open, setOpen] = useState<Contact | 'new'>()
  const close = () => setOpen(undefined)
  const edited = open === 'new' ? undefined : open
  const add = <AddButton onClick={() => setOpen('new')}>{t('add')}</AddButton>
  const rows = query.data?.data ?? []
  const fieldNames = [...new Set(rows.flatMap((row) => Object.keys(row.custom_fields)))].sort()
  const columns: Column<Contact>[] = [
    { key: 'name', header: t('name'), sort: 'name', render: ({ name }) => name },
    {
      key: 'numbers',
      header: t('numbers'),
      render: ({ numbers }) => (
        <Group gap="xs">
          {numbers.map((number) => (
            <PhoneNumber key={number} number={number} />
          ))}
        </Group>
      ),
    },
    { key: 'email', header: t('email'), render: ({ email }) => email ?? '–' },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        filters={
          <Picker
            label={t('book')}
            placeholder={t('allBooks')}
            clearable
            source={bookChoices}
            value={search.book ?? null}
            onChange={(book) =>
              void navigate({ search: (before) => ({ ...before, book: book ?? undefined, page: undefined }) })
            }
            w={200}
          />
        }
        isFiltered={search.book !== undefined}
        empty={
          <EmptyState icon={IconAddressBook} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(contact) => (
          <RowActions
            name={contact.name}
            onEdit={() => setOpen(contact)}
            onDelete={() =>
              confirmDelete({
                name: contact.name,
                consequence: t('deleteConsequence'),
                run: async () =>
                  dataOf(api.DELETE('/contacts/{id}', { params: { path: { id: contact.id } } })),
                row: { from: contactsKey, id: contact.id },
              })
            }
          >
            <RowAction
              label={t('erase', { name: contact.name })}
              icon={IconEraser}
              isDangerous
              onClick={() => void navigate({ to: '/erasures', search: { contact: contact.id } })}
            />
          </RowActions>
        )}
      />
      <FormModal
        title={edited ? t('edit', { name: edited.name }) : t('add')}
        opened={open !== undefined}
        onClose={close}
      >
        <ContactForm
          key={edited?.id ?? 'new'}
          {...(edited && { contact: edited })}
          knownFields={fieldNames}
          onDone={close}
        />
      </FormModal>
    </Page>
  )
}
