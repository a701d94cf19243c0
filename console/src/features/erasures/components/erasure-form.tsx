import { dataOf } from '@jackfield/sdk'
import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { contactQuery, erasuresKey } from '../queries'
import { erasuresTexts } from '../texts'

interface Values extends Record<string, unknown> {
  number: string
}

interface ErasureFormProps {
  /** The contact to erase; without it the form asks for a number. */
  contactId: string | undefined
  onDone: () => void
}

export function ErasureForm({ contactId, onDone }: ErasureFormProps) {
  const t = useTexts(erasuresTexts)
  const contact = useQuery({ ...contactQuery(contactId ?? ''), enabled: contactId !== undefined })
  const sending = useApiForm<Values>({
    initialValues: { number: '' },
    phoneNumbers: ['number'],
    send: async ({ number }) =>
      dataOf(
        api.POST('/erasures', { body: contactId === undefined ? { number } : { contact_id: contactId } }),
      ),
    changes: [erasuresKey, ['contacts'], ['calls'], ['messages']],
    onDone,
  })
  const { form } = sending
  const { name = '', numbers = [] } = contact.data ?? {}
  return (
    <FormFrame api={sending} onCancel={onDone} action={t('submit')} isDangerous>
      {contactId === undefined ? (
        <TextInput
          label={t('number')}
          description={t('numberHint')}
          maxLength={71}
          required
          data-autofocus
          {...form.getInputProps('number')}
        />
      ) : (
        <TextInput label={t('contact')} value={[name, ...numbers].join(' · ')} readOnly />
      )}
      <Checkbox label={t('confirm')} required />
    </FormFrame>
  )
}
