import { dataOf } from '@jackfield/sdk'
import { Anchor, Avatar, Badge, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHeadset } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { roleWords } from '../../presence/texts'
import { menuTexts } from '../../texts'
import { AgentFilters } from '../components/agent-filters'
import { AgentState } from '../components/agent-state'
import { type Agent, agentsKey, agentsQuery } from '../queries'
import { agentsTexts } from '../texts'
import { useAgentStates } from '../use-agent-states'

const NewAgentForm = partOf(async () => import('../components/new-agent-form'), 'NewAgentForm')

export function AgentsPage() {
  const t = useTexts(agentsTexts)
  const words = useTexts(roleWords)
  const heading = useTexts(menuTexts.agents)('title')
  const search = useSearch({ from: '/shell/admin/agents' })
  const navigate = useNavigate({ from: '/agents' })
  const query = useQuery({ ...agentsQuery(search), refetchInterval: useAgentStates() })
  const [isAdding, adding] = useDisclosure()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  const columns: Column<Agent>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'display_name',
      render: ({ id, display_name, avatar }) => (
        <Group gap="xs" wrap="nowrap">
          <Avatar src={avatar} name={display_name} alt="" size="sm" />
          <Anchor component={Link} to={`/agents/${id}`}>
            {display_name}
          </Anchor>
        </Group>
      ),
    },
    { key: 'username', header: t('username'), sort: 'username', render: ({ username }) => username },
    { key: 'email', header: t('email'), sort: 'email', render: ({ email }) => email ?? '–' },
    {
      key: 'role',
      header: t('role'),
      render: ({ role, is_admin }) => (
        <Group gap={4}>
          <Text span size="sm">
            {words(role)}
          </Text>
          {is_admin && (
            <Badge variant="default" tt="none">
              {words('admin')}
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'state', header: t('state'), render: (agent) => <AgentState agent={agent} /> },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
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
        isFiltered={[search.state, search.account, search.country].some(Boolean)}
        filters={
          <AgentFilters
            value={search}
            onChange={(change) =>
              void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...change }) })
            }
          />
        }
        empty={
          <EmptyState icon={IconHeadset} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={({ id, display_name }) => (
          <RowActions
            name={display_name}
            onEdit={() => void navigate({ to: '/agents/$id', params: { id } })}
            onDelete={() =>
              confirmDelete({
                name: display_name,
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/agents/{id}', { params: { path: { id } } })),
                row: { from: agentsKey, id },
              })
            }
          />
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewAgentForm onDone={adding.close} />
      </FormModal>
    </Page>
  )
}
