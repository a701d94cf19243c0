import { Anchor } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { code, created } from '../../../design/column-kinds'
import { type ActionProps, resourcePage } from '../../../design/resource-page'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { CredentialState } from '../components/credential-state'
import { PushCredentialForm } from '../components/push-credential-form'
import { useDeleting, useTest } from '../components/use-actions'
import type { PushCredential } from '../queries'
import { pushCredentialsTexts } from '../texts'

export const PushCredentialsPage = resourcePage({
  path: '/push-credentials',
  texts: pushCredentialsTexts,
  columns: (t) => [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }: PushCredential) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/push-credentials/$id" params={{ id }} />}
        >
          {name}
        </Anchor>
      ),
    },
    { key: 'platform', header: t('platform'), render: ({ platform }) => t(platform) },
    {
      key: 'app',
      header: t('app'),
      render: (one) => one.ios_bundle_id ?? one.android_package_name ?? one.android_project_id,
    },
    code('api_key_sid', t('apiKey')),
    {
      key: 'state',
      header: t('state'),
      render: (credential) => <CredentialState {...credential} />,
    },
    created(t('created')),
  ],
  nameOf: ({ name }) => name,
  form: ({ row, close }) => <PushCredentialForm {...(row && { credential: row })} onDone={close} />,
  editTitle: (t) => t('edit'),
  Actions: Test,
  useRemove: useDeleting,
})

function Test({ row: { id, name } }: ActionProps<PushCredential>) {
  const t = useTexts(pushCredentialsTexts)
  const test = useTest()
  const label = t('testOf', { name })
  return (
    <RowAction
      label={label}
      icon={IconPlugConnected}
      isRunning={test.isPending}
      onClick={() => test.mutate(id)}
    />
  )
}
