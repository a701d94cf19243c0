import { Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../../i18n/texts'
import { workspacesTexts } from '../texts'

export const noAdministrator = { display_name: '', username: '', email: '' }

type Values = typeof noAdministrator

export function administratorOf({ display_name, username, email }: Values) {
  return { username, ...(display_name && { display_name }), ...(email && { email }) }
}

export function AdministratorFields<V extends Values>({
  form,
  hint,
  required = false,
}: {
  form: UseFormReturnType<V>
  hint: string
  required?: boolean
}) {
  const t = useTexts(workspacesTexts)
  return (
    <>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <TextInput label={t('name')} autoComplete="off" {...form.getInputProps('display_name')} />
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="off"
        autoCapitalize="none"
        required={required}
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('email')}
        description={t('emailHint')}
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
    </>
  )
}
