/** Number of calls to call back, beside the menu's entry. It also keeps the list up to date. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CountBadge } from '../../../design/count-badge'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { missedCountQuery, missedKey } from '../own-calls'
import { missedCallsTexts } from '../texts'

export default function MissedBadge() {
  const t = useTexts(missedCallsTexts)
  const client = useQueryClient()
  const count = useQuery(missedCountQuery).data ?? 0
  useCatchingUp(missedKey)
  // One more is missed, or one of the list may have been called back.
  useLiveEvents(['call.ended'], ({ outcome }) => {
    if (count > 0 || outcome === 'abandoned' || outcome === 'missed')
      void client.invalidateQueries({ queryKey: missedKey })
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
