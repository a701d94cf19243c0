import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { NewPasswordField, randomPassword } from '../../../design/new-password-field'
import { useTexts } from '../../../i18n/texts'
import { type SipAccount, sipAccountsKey } from '../queries'
import { sipAccountsTexts } from '../texts'
import { OutsideFields, callsOf } from './outside-fields'
import { showSettings } from './settings-sheet'

interface Values extends Record<string, unknown> {
  title: string
  username: string
  password: string
  outbound_caller_id: string | null
  max_concurrent_calls: number | ''
}

export function NewAccountForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(sipAccountsTexts)
  const sending = useApiForm<Values, SipAccount>({
    initialValues: {
      ...{ title: '', username: '', password: randomPassword() },
      ...{ outbound_caller_id: null, max_concurrent_calls: '' },
    },
    send: async ({ max_concurrent_calls, ...values }) =>
      dataOf(
        api.POST('/sip-accounts', {
          body: { ...values, max_concurrent_calls: callsOf(max_concurrent_calls) },
        }),
      ),
    changes: [sipAccountsKey],
    onDone: (account, { password }) => {
      onDone()
      showSettings({ account, password })
    },
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onDone}>
      <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
      <TextInput
        label={t('username')}
        required
        description={t('usernameHint')}
        autoComplete="off"
        autoCapitalize="none"
        {...form.getInputProps('username')}
      />
      <NewPasswordField label={t('password')} required {...form.getInputProps('password')} />
      <OutsideFields form={form} />
    </FormFrame>
  )
}
