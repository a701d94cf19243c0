import { dataOf } from '@jackfield/sdk'
import { Group, Stack, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { type Contact, bookChoices, booksKey, contactsKey } from '../queries'
import { contactsTexts } from '../texts'
import type { ContactValues, CustomField } from './contact-values'
import { CustomFields } from './custom-fields'

/** The API's limit. */
const mostNumbers = 10

interface ContactFormProps {
  /** The contact to edit; without it a new one is created. */
  contact?: Contact
  /** Names of custom fields in other contacts. */
  knownFields: readonly string[]
  onDone: () => void
}

export function ContactForm({ contact, knownFields, onDone }: ContactFormProps) {
  const t = useTexts(contactsTexts)
  const sending: ApiForm<ContactValues> = useApiForm<ContactValues>({
    initialValues: {
      name: contact?.name ?? '',
      numbers: contact?.numbers ?? [''],
      email: contact?.email ?? '',
      notes: contact?.notes ?? '',
      address_book_id: contact?.address_book_id ?? null,
      fields: Object.entries(contact?.custom_fields ?? {}).map(([name, value]) => ({ name, value })),
    },
    validate: {
      fields: {
        name: (name, { fields }) => {
          if (name.trim() === '') return t('fieldNeedsName')
          return fields.filter((field) => field.name.trim() === name.trim()).length > 1 && t('fieldTwice')
        },
      },
    },
    phoneNumbers: ['numbers'],
    send: async (values, changed) =>
      contact
        ? dataOf(api.PATCH('/contacts/{id}', { params: { path: { id: contact.id } }, body: changed(bodyOf) }))
        : dataOf(api.POST('/contacts', { body: bodyOf(values) })),
    changes: [contactsKey, booksKey],
    fieldOf: (field) => shownFieldOf(field, form.getValues().fields),
    onDone,
  })
  const { form } = sending
  const { numbers } = form.values
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('name')} required data-autofocus {...form.getInputProps('name')} />
      <Stack gap="xs">
        {numbers.map((_, index) => (
          <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              label={t('numberN', { number: index + 1 })}
              required
              inputMode="tel"
              {...form.getInputProps(`numbers.${index}`)}
            />
            {numbers.length > 1 && (
              <RemoveRow
                label={t('removeNumber', { number: index + 1 })}
                onClick={() => form.removeListItem('numbers', index)}
              />
            )}
          </Group>
        ))}
        {numbers.length < mostNumbers && (
          <AddRow label={t('addNumber')} onClick={() => form.insertListItem('numbers', '')} />
        )}
      </Stack>
      <TextInput label={t('email')} type="email" {...form.getInputProps('email')} />
      <Picker
        label={t('book')}
        description={t('bookHint')}
        placeholder={t('noBook')}
        clearable
        source={bookChoices}
        {...form.getInputProps('address_book_id')}
      />
      <CustomFields form={form} known={knownFields} />
      <Textarea label={t('notes')} autosize minRows={2} maxRows={10} {...form.getInputProps('notes')} />
    </FormFrame>
  )
}

function bodyOf({ email, notes, fields, ...rest }: ContactValues) {
  const custom_fields = Object.fromEntries(fields.map(({ name, value }) => [name.trim(), value]))
  return { ...rest, email: email || null, notes: notes || null, custom_fields }
}

/** The API reports custom fields by name, the form has them by index. Values cannot be too long here. */
function shownFieldOf(field: string, fields: readonly CustomField[]): string {
  const index = fields.findIndex(({ name }) => field === `custom_fields.${name.trim()}`)
  return index < 0 ? field : `fields.${index}.name`
}
