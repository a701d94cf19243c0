import { dataOf } from '@jackfield/sdk'
import { Alert, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isStatus, messageOf } from '../../api/errors'
import { api } from '../../api/client'
import { FormFrame, useApiForm } from '../../design/forms'
import { PasswordField } from '../../design/password-field'
import { useTexts } from '../../i18n/texts'
import { deviceId, signIn } from '../session'
import { sessionTexts } from '../texts'
import { BackToSignIn, Outside } from './outside'

/** Where an invitation leads: its agent sets a password, and is signed in. */
export function WelcomePage() {
  const t = useTexts(sessionTexts)
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)))
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => dataOf(api.POST('/auth/check-invitation', { body: { token }, signal })),
    enabled: token !== '',
    retry: false,
  })
  const isBad = token === '' || isStatus(error, 400)
  return (
    <Outside title={data ? t('welcome', { workspace: data.workspace_title }) : t('welcomeTitle')}>
      {isBad && <Alert color="red">{t('badInvitation')}</Alert>}
      {!isBad && error && <Alert color="red">{messageOf(error)}</Alert>}
      {!isBad && !error && !data && <Loader aria-label={t('welcomeTitle')} />}
      {(isBad || error) && <BackToSignIn />}
      {data && <ChoosePassword token={token} name={data.display_name} username={data.username} />}
    </Outside>
  )
}

function ChoosePassword({ token, name, username }: { token: string; name: string; username: string }) {
  const t = useTexts(sessionTexts)
  const navigate = useNavigate()
  const sending = useApiForm({
    initialValues: { new_password: '' },
    send: async (values) =>
      dataOf(api.POST('/auth/accept-invitation', { body: { token, device_id: deviceId(), ...values } })),
    done: '',
    onDone: ({ tokens }) => {
      signIn({ kind: 'agent', tokens })
      void navigate({ to: '/', replace: true })
    },
  })
  return (
    <FormFrame api={sending} action={t('welcomeAction')}>
      <Text>{t('welcomeHint', { name, username })}</Text>
      {/* For password managers, which store what stands beside the password. */}
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <PasswordField
        label={t('newPassword')}
        autoComplete="new-password"
        autoFocus
        required
        {...sending.form.getInputProps('new_password')}
      />
    </FormFrame>
  )
}
