import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { isStatus } from '../../../api/errors'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RemoveAction } from '../../../design/row-actions'
import { UpLink } from '../../../design/up-link'
import { useTexts } from '../../../i18n/texts'
import { AgentState } from '../../agents/components/agent-state'
import type { Agent } from '../../agents/queries'
import { useAgentStates } from '../../agents/use-agent-states'
import { AddAgent } from '../components/add-agent'
import { teamAgentsQuery, teamQuery, teamsKey } from '../queries'
import { teamsTexts } from '../texts'

const TeamForm = partOf(async () => import('../components/team-form'), 'TeamForm')

export function TeamPage() {
  const t = useTexts(teamsTexts)
  const { id } = useParams({ from: '/shell/admin/teams/$id' })
  const search = useSearch({ from: '/shell/admin/teams/$id' })
  const navigate = useNavigate({ from: '/teams/$id' })
  const { data: team, error } = useQuery(teamQuery(id))
  const agents = useQuery({ ...teamAgentsQuery(id, search), refetchInterval: useAgentStates() })
  const client = useQueryClient()
  const [isRenaming, renaming] = useDisclosure()
  const removing = useAction({
    run: async (agent_id: string) =>
      dataOf(api.DELETE('/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } })),
    changes: [teamsKey],
  })
  const columns: Column<Agent>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'display_name',
      render: (agent) => (
        <Anchor component={Link} to={`/agents/${agent.id}`}>
          {agent.display_name}
        </Anchor>
      ),
    },
    { key: 'username', header: t('username'), sort: 'username', render: ({ username }) => username },
    { key: 'state', header: t('state'), render: (agent) => <AgentState agent={agent} /> },
  ]
  const remove = () =>
    confirmDelete({
      ...{ name: team?.name ?? '', consequence: t('deleteConsequence') },
      run: async () => dataOf(api.DELETE('/teams/{id}', { params: { path: { id } } })),
      onDone: () => {
        void navigate({ to: '/teams', search: {} }).then(async () =>
          client.invalidateQueries({ queryKey: teamsKey }),
        )
      },
    })
  const rename = (
    <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={renaming.open}>
      {t('rename')}
    </Button>
  )
  if (isStatus(error, 404)) {
    return (
      <Page title={t('gone')}>
        <EmptyState
          icon={IconUsersGroup}
          title={t('gone')}
          action={
            <Anchor component={Link} to="/teams">
              {t('heading')}
            </Anchor>
          }
        >
          {t('goneHint')}
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page
      title={team?.name ?? t('team')}
      up={<UpLink to="/teams">{t('heading')}</UpLink>}
      actions={
        team && (
          <>
            {rename}
            <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={remove}>
              {t('delete')}
            </Button>
          </>
        )
      }
    >
      <Title order={2} size="h4">
        {t('members')}
      </Title>
      <AddAgent teamId={id} />
      <DataTable
        label={t('members')}
        query={agents}
        columns={columns}
        rowKey={(agent) => agent.id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('searchAgents')}
        empty={<Text c="dimmed">{t('membersEmpty')}</Text>}
        rowActions={(agent) => (
          <RemoveAction
            label={t('remove', { name: agent.display_name })}
            onClick={() => removing.mutate(agent.id)}
          />
        )}
      />
      <FormModal title={t('rename')} opened={isRenaming} onClose={renaming.close}>
        {team && <TeamForm team={team} onDone={renaming.close} onCancel={renaming.close} />}
      </FormModal>
    </Page>
  )
}
