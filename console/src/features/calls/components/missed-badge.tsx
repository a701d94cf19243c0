/** Number of calls to call back, beside the menu's entry. It also keeps the list up to date. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { waitingKey, waitingQuery } from '../../../api/waiting'
import { CountBadge } from '../../../design/count-badge'
import { useWaitingInTab } from '../../../design/tab-title'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { missedKey } from '../own-calls'
import { missedCallsTexts } from '../texts'

export default function MissedBadge() {
  const t = useTexts(missedCallsTexts)
  const client = useQueryClient()
  const count = useQuery(waitingQuery).data?.missed_calls ?? 0
  useWaitingInTab('missed calls', count)
  useCatchingUp(missedKey, waitingKey)
  // One more is missed, or one of the list may have been called back.
  useLiveEvents(['call.ended'], ({ outcome }) => {
    if (count > 0 || outcome === 'abandoned' || outcome === 'missed')
      for (const queryKey of [missedKey, waitingKey]) void client.invalidateQueries({ queryKey })
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
