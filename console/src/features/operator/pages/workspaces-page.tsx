import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBuilding, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { StateBadge, Time, moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type Workspace, workspacesQuery } from '../queries'
import { workspacesTexts } from '../texts'

const NewWorkspaceForm = partOf(async () => import('../components/new-workspace-form'), 'NewWorkspaceForm')

export function WorkspacesPage() {
  const [t, own] = [useTexts(workspacesTexts), useTexts(menuTexts.operator)]
  const search = useSearch({ from: '/shell/operator/workspaces' })
  const navigate = useNavigate({ from: '/workspaces' })
  const query = useQuery(workspacesQuery(search))
  const [isAdding, adding] = useDisclosure()
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={adding.open}>
      {t('add')}
    </Button>
  )
  const columns: Column<Workspace>[] = [
    {
      key: 'title',
      header: t('title'),
      sort: 'title',
      render: ({ id, title }) => (
        <Anchor component={Link} to={`/workspaces/${id}`}>
          {title}
        </Anchor>
      ),
    },
    { key: 'id', header: t('id'), sort: 'id', render: ({ id }) => <code>{id}</code> },
    { key: 'country', header: t('country'), render: ({ country_code }) => country_code },
    {
      key: 'credit',
      header: t('credit'),
      align: 'right',
      render: ({ credit_balance }) => moneyOf(credit_balance),
    },
    {
      key: 'state',
      header: t('state'),
      render: ({ is_suspended }) => (
        <StateBadge tone={is_suspended ? 'bad' : 'good'}>
          {t(is_suspended ? 'suspended' : 'active')}
        </StateBadge>
      ),
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={own('workspaces')} description={t('description')} actions={add}>
      <DataTable
        label={own('workspaces')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconBuilding} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewWorkspaceForm
          onCancel={adding.close}
          onDone={(id) => void navigate({ to: '/workspaces/$id', params: { id } })}
        />
      </FormModal>
    </Page>
  )
}
