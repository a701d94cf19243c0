import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { meQuery } from '../api/me'
import { Loading } from '../design/page'
import { useSession } from '../session/session'
import { NothingForYou } from './failures'
import { navigationFor } from './navigation'
import { usePeople } from './people'

/** Redirects to the first page of the menu. */
export function Home() {
  const people = usePeople()
  const isAgent = useSession()?.kind === 'agent'
  const { isPending, refetch } = useQuery({ ...meQuery, enabled: isAgent })
  const first = navigationFor(people)[0]
  if (isAgent && isPending) return <Loading onRetry={() => void refetch()} />
  return first ? <Navigate to={first.path} replace /> : <NothingForYou />
}
