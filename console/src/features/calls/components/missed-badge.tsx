/** Number of calls to call back, beside the menu's entry. It also keeps the list up to date. */
import { Badge } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
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
  if (count === 0) return null
  return (
    <Badge size="sm" color="red.8" variant="filled" aria-label={t('count', { count })}>
      {count > 99 ? '99+' : count}
    </Badge>
  )
}
