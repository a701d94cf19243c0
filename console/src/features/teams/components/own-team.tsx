/** The other members of the signed-in agent's team. */
import { dataOf } from '@jackfield/sdk'
import { Avatar, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useMe } from '../../../api/me'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { RemoveAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { PresenceState } from '../../presence/components/presence-state'
import { type OwnTeam as Team, teammatesKey } from '../../presence/queries'
import { roleWords } from '../../presence/texts'
import { useTeammateStates } from '../../presence/use-teammate-states'
import { type Teammate, teammatesPageQuery } from '../own-teams'
import { ownTeamsTexts } from '../texts'
import { AddColleague } from './add-colleague'

export function OwnTeam({ team: { id, title } }: { team: Team }) {
  const t = useTexts(ownTeamsTexts)
  const words = useTexts(roleWords)
  const search = useSearch({ from: '/shell/supervisor/own-teams' })
  const navigate = useNavigate({ from: '/own-teams' })
  const isLeader = useMe()?.role === 'leader'
  useTeammateStates()
  const removing = useAction({
    run: async (agent_id: string) =>
      dataOf(api.DELETE('/call-center/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } })),
    changes: [teammatesKey],
  })
  const columns: Column<Teammate>[] = [
    {
      key: 'name',
      header: t('name'),
      render: ({ avatar, display_name }) => (
        <Group gap="xs" wrap="nowrap">
          <Avatar src={avatar} name={display_name} alt="" size="sm" />
          {display_name}
        </Group>
      ),
    },
    { key: 'role', header: t('role'), render: ({ role }) => words(role) },
    {
      key: 'state',
      header: t('state'),
      render: ({ state, is_ringing }) => <PresenceState state={state} is_ringing={is_ringing} />,
    },
  ]
  return (
    <>
      <Title order={2} size="h4">
        {t('members', { team: title })}
      </Title>
      {isLeader ? <AddColleague teamId={id} /> : <Text c="dimmed">{t('leadersChange')}</Text>}
      <DataTable
        label={t('members', { team: title })}
        query={useQuery(teammatesPageQuery(id, search))}
        columns={columns}
        rowKey={({ id: agentId }) => agentId}
        search={search}
        onSearch={({ page, limit }) => void navigate({ search: (before) => ({ ...before, page, limit }) })}
        empty={<Text c="dimmed">{t('noColleagues')}</Text>}
        {...(isLeader && {
          rowActions: ({ id: agentId, display_name }: Teammate) => (
            <RemoveAction
              label={t('remove', { name: display_name })}
              onClick={() => removing.mutate(agentId)}
            />
          ),
        })}
      />
    </>
  )
}
