import { Alert, Button, Card, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Facts } from '../../../design/facts'
import { FormModal } from '../../../design/forms'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { Copyable, Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { CredentialState } from '../components/credential-state'
import { PushCredentialForm } from '../components/push-credential-form'
import { useDeleting, useTest } from '../components/use-actions'
import { type PushCredential, pushCredentialQuery } from '../queries'
import { pushCredentialsTexts } from '../texts'

export function PushCredentialPage() {
  const { id } = useParams({ from: '/shell/admin/push-credentials/$id' })
  const t = useTexts(pushCredentialsTexts)
  const query = useQuery(pushCredentialQuery(id))
  const credential = query.data
  return (
    <Page
      title={credential?.name ?? t('credential')}
      up={<UpLink to="/push-credentials">{t('heading')}</UpLink>}
      actions={credential && <Actions credential={credential} />}
    >
      <Answered query={query}>
        {(shown) => (
          <Stack>
            {shown.last_error !== null && (
              <Alert color="red" title={t('refusedTitle')}>
                {shown.last_error} · <Time at={shown.last_error_at} exact />
              </Alert>
            )}
            <Card withBorder>
              <CredentialFacts credential={shown} />
            </Card>
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function Actions({ credential }: { credential: PushCredential }) {
  const t = useTexts(pushCredentialsTexts)
  const c = useTexts(common)
  const navigate = useNavigate()
  const [isEditing, editing] = useDisclosure()
  const test = useTest()
  const remove = useDeleting(() => void navigate({ to: '/push-credentials' }))
  return (
    <>
      <Button
        leftSection={<IconPlugConnected size={18} aria-hidden />}
        loading={test.isPending}
        onClick={() => test.mutate(credential.id)}
      >
        {t('test')}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={editing.open}>
        {c('edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} aria-hidden />}
        onClick={() => remove(credential)}
      >
        {c('delete')}
      </Button>
      <FormModal title={t('edit')} opened={isEditing} onClose={editing.close}>
        <PushCredentialForm credential={credential} onDone={editing.close} />
      </FormModal>
    </>
  )
}

function CredentialFacts({ credential }: { credential: PushCredential }) {
  const t = useTexts(pushCredentialsTexts)
  const c = useTexts(common)
  const { platform, ios_environment: environment } = credential
  const ofPlatform =
    platform === 'ios'
      ? ([
          [t('bundleId'), credential.ios_bundle_id],
          [t('keyId'), credential.ios_key_id],
          [t('teamId'), credential.ios_team_id],
          [t('environment'), t(environment === 'sandbox' ? 'sandbox' : 'production')],
        ] as const)
      : ([
          [t('packageName'), credential.android_package_name ?? '–'],
          [t('projectId'), credential.android_project_id],
          [t('clientEmail'), credential.android_client_email],
        ] as const)
  return (
    <Facts
      facts={[
        [c('state'), <CredentialState key="state" {...credential} />],
        [t('platform'), t(platform)],
        [t('apiKey'), <code key="sid">{credential.api_key_sid}</code>],
        ...ofPlatform,
        [
          t('fingerprint'),
          <Copyable key="key" value={credential.key_fingerprint} what={t('fingerprintHint')} />,
        ],
        [c('created'), <Time key="created" at={credential.created_at} />],
        [c('updated'), <Time key="updated" at={credential.updated_at} />],
      ]}
    />
  )
}
