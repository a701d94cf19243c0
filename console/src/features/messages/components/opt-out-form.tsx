import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { numberChoices, optOutsKey } from '../queries'
import { optOutTexts } from '../texts'

interface Values extends Record<string, unknown> {
  phone_number_id: string | null
  client_number: string
}

export function OptOutForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(optOutTexts)
  const sending = useApiForm<Values>({
    initialValues: { phone_number_id: null, client_number: '' },
    phoneNumbers: ['client_number'],
    send: async ({ phone_number_id, client_number }) =>
      dataOf(api.POST('/opt-outs', { body: { phone_number_id: phone_number_id ?? '', client_number } })),
    changes: [optOutsKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput
        label={t('client')}
        description={t('clientHint')}
        type="tel"
        required
        data-autofocus
        {...form.getInputProps('client_number')}
      />
      <Picker
        label={t('number')}
        description={t('numberHint')}
        required
        source={numberChoices}
        {...form.getInputProps('phone_number_id')}
      />
    </FormFrame>
  )
}
