import { Anchor, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellRinging, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { RowAction, RowActions } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { CredentialState } from '../components/credential-state'
import { PushCredentialForm } from '../components/push-credential-form'
import { useDeleting, useTest } from '../components/use-actions'
import { type PushCredential, pushCredentialsQuery } from '../queries'
import { pushCredentialsTexts } from '../texts'

export function PushCredentialsPage() {
  const t = useTexts(pushCredentialsTexts)
  const heading = useTexts(menuTexts.pushCredentials)('title')
  const search = useSearch({ from: '/shell/admin/push-credentials' })
  const navigate = useNavigate({ from: '/push-credentials' })
  const query = useQuery(pushCredentialsQuery(search))
  const [isAdding, adding] = useDisclosure()
  const [edited, setEdited] = useState<PushCredential>()
  const remove = useDeleting()
  const columns = useColumns()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconBellRinging} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(credential) => (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <TestAction credential={credential} />
            <RowActions
              name={credential.name}
              onEdit={() => setEdited(credential)}
              onDelete={() => remove(credential)}
            />
          </Group>
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <PushCredentialForm onDone={adding.close} />
      </FormModal>
      <FormModal title={t('edit')} opened={edited !== undefined} onClose={() => setEdited(undefined)}>
        {edited && <PushCredentialForm credential={edited} onDone={() => setEdited(undefined)} />}
      </FormModal>
    </Page>
  )
}

function useColumns(): Column<PushCredential>[] {
  const t = useTexts(pushCredentialsTexts)
  const c = useTexts(common)
  return [
    {
      key: 'name',
      header: c('name'),
      sort: 'name',
      render: ({ id, name }) => (
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
    { key: 'key', header: t('apiKey'), render: ({ api_key_sid: sid }) => <code>{sid}</code> },
    { key: 'state', header: c('state'), render: (credential) => <CredentialState {...credential} /> },
    {
      key: 'created',
      header: c('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
}

function TestAction({ credential: { id, name } }: { credential: PushCredential }) {
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
