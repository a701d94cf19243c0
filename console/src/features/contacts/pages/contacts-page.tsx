import { Group } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { orNone } from '../../../api/choices'
import { created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { Picker } from '../../../design/picker'
import { type ActionProps, type FilterProps, resourcePage } from '../../../design/resource-page'
import { RowAction } from '../../../design/row-actions'
import { PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Contact, type ContactsSearch, bookChoices, contactsFilterOf } from '../queries'
import { contactsTexts } from '../texts'
import { useBulk } from '../use-bulk'

const ContactForm = partOf(async () => import('../components/contact-form'), 'ContactForm')

export const ContactsPage = resourcePage({
  path: '/contacts',
  texts: contactsTexts,
  columns: (t) => [
    text('name', t('name'), { sort: true }),
    {
      key: 'numbers',
      header: t('numbers'),
      render: ({ numbers }: Contact) => (
        <Group gap="xs">
          {numbers.map((number) => (
            <PhoneNumber key={number} number={number} />
          ))}
        </Group>
      ),
    },
    text('email', t('email')),
    created(t('created')),
  ],
  nameOf: ({ name }) => name,
  form: ({ row, rows, close }) => (
    <ContactForm {...(row && { contact: row })} knownFields={fieldsOf(rows)} onDone={close} />
  ),
  editTitle: (t, { name }) => t('edit', { name }),
  Filters: BookFilter,
  csv: contactsFilterOf,
  useBulk,
  Actions: Erase,
  remove: { consequence: 'deleteConsequence' },
})

/** Names of custom fields that the form suggests. */
function fieldsOf(rows: readonly Contact[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row.custom_fields)))].sort()
}

function BookFilter({ search, onChange }: FilterProps<ContactsSearch>) {
  const t = useTexts(contactsTexts)
  return (
    <Picker
      label={t('book')}
      placeholder={t('allBooks')}
      clearable
      source={orNone(bookChoices, t('inNoBook'))}
      value={search.book ?? null}
      onChange={(book) => onChange({ book: book ?? undefined })}
      w={200}
    />
  )
}

function Erase({ row: { id, name } }: ActionProps<Contact>) {
  const t = useTexts(contactsTexts)
  const navigate = useNavigate()
  return (
    <RowAction
      label={t('erase', { name })}
      icon={IconEraser}
      isDangerous
      onClick={() => void navigate({ to: '/erasures', search: { contact: id } })}
    />
  )
}
