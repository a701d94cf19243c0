import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type SipAccount, sipAccountsKey } from '../queries'
import { sipAccountsTexts } from '../texts'
import { OutsideFields, callsOf } from './outside-fields'

interface Values extends Record<string, unknown> {
  title: string
  outbound_caller_id: string | null
  max_concurrent_calls: number | ''
}

function bodyOf(values: Values) {
  return { ...values, max_concurrent_calls: callsOf(values.max_concurrent_calls) }
}

export function AccountForm({ account, onDone }: { account: SipAccount; onDone: () => void }) {
  const t = useTexts(sipAccountsTexts)
  const { id, title, outbound_caller_id, max_concurrent_calls } = account
  const sending = useApiForm<Values>({
    initialValues: { title, outbound_caller_id, max_concurrent_calls: max_concurrent_calls ?? '' },
    send: async (_, changed) =>
      dataOf(api.PATCH('/sip-accounts/{id}', { params: { path: { id } }, body: changed(bodyOf) })),
    changes: [sipAccountsKey],
    onDone,
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('titleField')} required data-autofocus {...sending.form.getInputProps('title')} />
      <OutsideFields form={sending.form} />
    </FormFrame>
  )
}
