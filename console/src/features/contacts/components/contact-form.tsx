import { dataOf } from '@jackfield/sdk'
import { Group, Stack, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { type Contact, contactsKey } from '../queries'
import { contactsTexts } from '../texts'

interface Values extends Record<string, unknown> {
  name: string
  numbers: string[]
  email: string
  notes: string
}

/** The API's. */
const mostNumbers = 10

/** @param contact the one that is changed; a new one without */
export function ContactForm({ contact, onDone }: { contact?: Contact; onDone: () => void }) {
  const t = useTexts(contactsTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      name: contact?.name ?? '',
      numbers: contact?.numbers ?? [''],
      email: contact?.email ?? '',
      notes: contact?.notes ?? '',
    },
    send: async ({ name, numbers, email, notes }) => {
      const body = { name, numbers, email: email || null, notes: notes || null }
      return contact
        ? dataOf(api.PATCH('/contacts/{id}', { params: { path: { id: contact.id } }, body }))
        : dataOf(api.POST('/contacts', { body }))
    },
    changes: [contactsKey],
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
      <Textarea label={t('notes')} autosize minRows={2} maxRows={10} {...form.getInputProps('notes')} />
    </FormFrame>
  )
}
