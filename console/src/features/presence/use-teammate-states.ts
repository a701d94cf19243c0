import { useQueryClient } from '@tanstack/react-query'
import { useCatchingUp, useLiveEvents } from '../../live/live'
import { type Teammate, teammatesKey } from './queries'

/** Applies agent state events to the cached lists. */
export function useTeammateStates(): void {
  const client = useQueryClient()
  useCatchingUp(teammatesKey)
  useLiveEvents(['workspace.agent.state'], ({ username, ...event }) => {
    const news = { state: event['state'], is_ringing: event['is_ringing'] } as Pick<
      Teammate,
      'state' | 'is_ringing'
    >
    client.setQueriesData<{ data: Teammate[] }>({ queryKey: teammatesKey }, (known) =>
      known
        ? {
            ...known,
            data: known.data.map((one) => (one.username === username ? { ...one, ...news } : one)),
          }
        : known,
    )
  })
}
