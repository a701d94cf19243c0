/** Names of authors and assignees. */
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../../api/me'
import { useTexts } from '../../../i18n/texts'
import { colleagueQuery, colleaguesQuery } from '../queries'
import { inboxTexts } from '../texts'

/** Name of an agent by id: "You" for the viewer, empty while it is loading. */
export function useAgentName(id: string | null): string {
  const t = useTexts(inboxTexts)
  const me = useMe()
  const isColleague = id !== null && me !== undefined && id !== me.id
  const all = useQuery({ ...colleaguesQuery, enabled: isColleague })
  const known = all.data?.data.find((one) => one.id === id)
  const isMissing = isColleague && all.data !== undefined && !known
  const one = useQuery({ ...colleagueQuery(id ?? ''), enabled: isMissing })
  if (id === null) return t('unassigned')
  if (id === me?.id) return t('you')
  if (known) return known.display_name
  if (one.data === null) return t('formerAgent')
  return one.data?.display_name ?? ''
}

export function AgentName({ id }: { id: string | null }) {
  return <>{useAgentName(id)}</>
}
