import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useMe } from '../../../api/me'
import { useTexts } from '../../../i18n/texts'
import { type LiveAgent, type LiveCall, farPartyFor } from '../board'
import { liveTexts } from '../texts'
import { PartyLine } from './party-line'
import { Since } from './since'
import { PresenceState } from '../../presence/components/presence-state'
import { StateMenu } from './state-menu'
import { type VirtualColumn, VirtualTable } from './virtual-table'

interface AgentsTableProps {
  agents: readonly LiveAgent[]
  /** All agents of the board, by id. */
  calls: ReadonlyMap<string, LiveCall>
  teamName: (id: string) => string
  /** Teams whose agents' states the user may set: those where they are leader or supervisor. */
  ownTeams: ReadonlySet<string>
}

export function AgentsTable({ agents, calls, teamName, ownTeams }: AgentsTableProps) {
  const t = useTexts(liveTexts)
  const ownId = useMe()?.id
  const columns = useMemo(() => {
    const list: VirtualColumn<LiveAgent>[] = [
      {
        key: 'agent',
        header: t('agent'),
        width: 'minmax(8.75rem, 2fr)',
        render: ({ display_name }) => display_name,
      },
      {
        key: 'state',
        header: t('state'),
        width: '11rem',
        render: ({ state, is_ringing, reason }) => (
          <PresenceState state={state} is_ringing={is_ringing} reason={reason} />
        ),
      },
      { key: 'since', header: t('since'), width: '5.25rem', render: ({ since }) => <Since at={since} /> },
      {
        key: 'with',
        header: t('partner'),
        width: 'minmax(10rem, 2fr)',
        render: ({ agent_id, call_id }) => {
          const call = call_id === null ? undefined : calls.get(call_id)
          return call ? <PartyLine party={farPartyFor(call, agent_id)} /> : '–'
        },
      },
      {
        key: 'teams',
        header: t('teams'),
        width: 'minmax(7.5rem, 2fr)',
        render: ({ team_ids }) => (
          <Text span truncate>
            {team_ids.map(teamName).join(', ')}
          </Text>
        ),
      },
    ]
    if (ownTeams.size > 0) {
      list.push({
        key: 'choose',
        header: t('choose'),
        width: '5.25rem',
        render: (agent) => {
          const teamId = agent.team_ids.find((id) => ownTeams.has(id))
          // The user's own state is set in the header.
          return teamId !== undefined && agent.agent_id !== ownId ? (
            <StateMenu agent={agent} teamId={teamId} />
          ) : null
        },
      })
    }
    return list
  }, [t, calls, teamName, ownTeams, ownId])
  return (
    <VirtualTable label={t('agents')} rows={agents} columns={columns} rowKey={({ agent_id }) => agent_id} />
  )
}
