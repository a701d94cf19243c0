import { ApiError, createClient, dataOf } from '@jackfield/sdk'
import { Alert, Anchor, Button, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { loadErrorWords } from '../../api/problems/load'
import { fieldMessage, messageOf } from '../../api/errors'
import { api } from '../../api/client'
import { useTexts } from '../../i18n/texts'
import { deviceId, signIn } from '../session'
import { site } from '../site'
import { sessionTexts } from '../texts'
import { knownTitle } from '../workspace-title'
import { Outside } from './outside'
import { PasswordField } from '../../design/password-field'

export function SignInPage() {
  const t = useTexts(sessionTexts)
  const [way, setWay] = useState<'agent' | 'api_key'>('agent')
  if (site.kind === 'operator') {
    return (
      <Outside title={t('signInToPlatform')}>
        <SecretForm kind="operator" />
      </Outside>
    )
  }
  return (
    <Outside title={t('signInTo', { workspace: knownTitle() ?? site.id })}>
      <SegmentedControl
        fullWidth
        aria-label={t('how')}
        value={way}
        onChange={(value) => setWay(value)}
        data={[
          { value: 'agent', label: t('agent') },
          { value: 'api_key', label: t('apiKey') },
        ]}
      />
      {way === 'agent' ? <AgentForm /> : <SecretForm kind="api_key" />}
    </Outside>
  )
}

/** Field errors are shown at their fields; the rest above the fields. */
function problemsOf(error: unknown, fields: readonly string[]): Record<string, string> & { form?: string } {
  if (!error) return {}
  const known = error instanceof ApiError ? error.errors.filter(({ field }) => fields.includes(field)) : []
  if (known.length === 0) return { form: messageOf(error) }
  return Object.fromEntries(known.map((problem) => [problem.field, fieldMessage(problem)]))
}

function AgentForm() {
  const t = useTexts(sessionTexts)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const login = useMutation({
    mutationFn: async () =>
      dataOf(api.POST('/auth/login', { body: { username, password, device_id: deviceId() } })),
    onSuccess: ({ tokens }) => signIn({ kind: 'agent', tokens }),
  })
  const problems = problemsOf(login.error, ['username', 'password'])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    login.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        <TextInput
          label={t('username')}
          name="username"
          autoComplete="username"
          autoFocus
          required
          value={username}
          error={problems['username']}
          onChange={({ currentTarget }) => setUsername(currentTarget.value)}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          error={problems['password']}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending}>
          {t('signIn')}
        </Button>
        <Anchor component={Link} to="/forgot-password" size="sm">
          {t('forgot')}
        </Anchor>
      </Stack>
    </form>
  )
}

/** Makes a request with a credential that is not kept yet. */
async function tryCredential(kind: 'api_key' | 'operator', secret: string): Promise<unknown> {
  const url = location.origin
  if (kind === 'api_key') return dataOf(createClient({ url, apiKey: secret }).GET('/profile'))
  const client = createClient({ url, operatorToken: secret })
  return dataOf(client.GET('/workspaces', { params: { query: { limit: 1 } } }))
}

/** Signs in with an API key or the operator token: it is checked before it is stored. */
function SecretForm({ kind }: { kind: 'api_key' | 'operator' }) {
  const t = useTexts(sessionTexts)
  const [secret, setSecret] = useState('')
  const login = useMutation({
    mutationFn: async () =>
      tryCredential(kind, secret.trim()).catch(async (error: unknown) => {
        await loadErrorWords()
        throw error
      }),
    onSuccess: () =>
      signIn(kind === 'operator' ? { kind, token: secret.trim() } : { kind, apiKey: secret.trim() }),
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    login.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordField
          label={t(kind === 'operator' ? 'operatorToken' : 'apiKey')}
          description={t(kind === 'operator' ? 'operatorHint' : 'apiKeyHint')}
          name={kind}
          autoComplete="off"
          autoFocus
          required
          value={secret}
          error={login.error ? messageOf(login.error) : undefined}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <Button type="submit" loading={login.isPending} disabled={secret.trim() === ''}>
          {t('signIn')}
        </Button>
      </Stack>
    </form>
  )
}
