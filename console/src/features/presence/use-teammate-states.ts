import { useQueryClient } from '@tanstack/react-query'
import { useCatchingUp, useLiveEvents } from '../../live/live'
import { type Teammate, teammatesKey } from './queries'

/** Applies agent state events to the cached lists. */
export function useTeammateStates(): void {
  const client = useQueryClient()
  useCatchingUp(teammatesKey)
  useLiveEvents(['workspace.agent.state'], ({ username, state }) => {
    client.setQueriesData<{ data: Teammate[] }>({ queryKey: teammatesKey }, (known) =>
      known
        ? {
            ...known,
            data: known.data.map((one) =>
              one.username === username ? { ...one, state: state as Teammate['state'] } : one,
            ),
          }
        : known,
    )
  })
}
