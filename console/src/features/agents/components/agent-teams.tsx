import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { Answered } from '../../../design/page'
import { Picker } from '../../../design/picker'
import { RemoveAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { teamChoices, teamsKey } from '../../teams/queries'
import { agentTeamsQuery } from '../queries'
import { agentsTexts } from '../texts'

export function AgentTeams({ agentId: agent_id }: { agentId: string }) {
  const t = useTexts(agentsTexts)
  const [teamId, setTeamId] = useState<string | null>(null)
  const adding = useAction({
    run: async (id: string) =>
      dataOf(api.PUT('/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } })),
    changes: [teamsKey],
    onDone: () => setTeamId(null),
  })
  const leaving = useAction({
    run: async (id: string) =>
      dataOf(api.DELETE('/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } })),
    changes: [teamsKey],
  })
  return (
    <Stack>
      <Answered query={useQuery(agentTeamsQuery(agent_id))} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('noTeams')}</Text>
          ) : (
            <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
              {data.map(({ id, name }) => (
                <Group key={id} component="li" justify="space-between" wrap="nowrap">
                  <Anchor component={Link} to={`/teams/${id}`}>
                    {name}
                  </Anchor>
                  <RemoveAction label={t('leave', { team: name })} onClick={() => leaving.mutate(id)} />
                </Group>
              ))}
            </Stack>
          )
        }
      </Answered>
      <Group align="flex-end" gap="sm">
        <Picker
          label={t('team')}
          source={teamChoices}
          value={teamId}
          onChange={setTeamId}
          style={{ flex: '1 1 200px' }}
        />
        <Button
          disabled={teamId === null}
          loading={adding.isPending}
          onClick={() => teamId !== null && adding.mutate(teamId)}
        >
          {t('addTeam')}
        </Button>
      </Group>
    </Stack>
  )
}
