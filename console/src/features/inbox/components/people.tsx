/** Names of those who write, and whom conversations are assigned to. */
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../../api/me'
import { useTexts } from '../../../i18n/texts'
import { colleagueQuery, colleaguesQuery } from '../queries'
import { inboxTexts } from '../texts'

/** The name of an agent by its id: "You" for who looks, empty while it is not known. */
export function useAgentName(id: string | null): string {
  const t = useTexts(inboxTexts)
  const me = useMe()
  const isColleague = id !== null && me !== undefined && id !== me.id
  const all = useQuery({ ...colleaguesQuery, enabled: isColleague })
  const known = all.data?.data.find((one) => one.id === id)
  const isMissing = isColleague && all.data !== undefined && !known
  const one = useQuery({ ...colleagueQuery(id ?? ''), enabled: isMissing })
  if (id === null) return t('nobody')
  if (id === me?.id) return t('you')
  if (known) return known.display_name
  if (one.data === null) return t('formerAgent')
  return one.data?.display_name ?? ''
}

export function AgentName({ id }: { id: string | null }) {
  return <>{useAgentName(id)}</>
}
