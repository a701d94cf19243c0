import { useQueryClient } from '@tanstack/react-query'
import type { ListAnswer } from '../../api/lists'
import { useCatchingUp, useLiveEvents, usePolling } from '../../live/live'
import { teamsKey } from '../teams/queries'
import { type Agent, agentsKey } from './queries'

/** Applies agent state events to the cached lists. @returns polling interval for sessions without an event stream */
export function useAgentStates(): number | false {
  const client = useQueryClient()
  useCatchingUp(agentsKey, teamsKey)
  useLiveEvents(['workspace.agent.state'], ({ agent_id, ...event }) => {
    const news = { state: event['state'], is_ringing: event['is_ringing'] } as Pick<
      Agent,
      'state' | 'is_ringing'
    >
    const updated = (agent: Agent) => (agent.id === agent_id ? { ...agent, ...news } : agent)
    const listed = (known: ListAnswer<Agent> | undefined) =>
      known && { ...known, data: known.data.map(updated) }
    client.setQueriesData<ListAnswer<Agent>>({ queryKey: [...agentsKey, 'list'] }, listed)
    client.setQueriesData<ListAnswer<Agent>>({ queryKey: [...teamsKey, 'agents'] }, listed)
    client.setQueryData<Agent>([...agentsKey, 'one', agent_id], (known) => known && updated(known))
  })
  return usePolling()
}
