/** Number of calls to call back, beside the menu's entry. It also keeps the list up to date. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { waitingKey, waitingQuery } from '../../../api/waiting'
import { CountBadge } from '../../../design/count-badge'
import { useWaitingInTab } from '../../../design/tab-title'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { missedKey } from '../own-calls'
import { missedCallsTexts } from '../texts'

/** Several that are marked one after the other are asked for once, in milliseconds. */
const pauseMs = 300

export default function MissedBadge() {
  const t = useTexts(missedCallsTexts)
  const client = useQueryClient()
  const count = useQuery(waitingQuery).data?.missed_calls ?? 0
  useWaitingInTab('missed calls', count)
  useCatchingUp(missedKey, waitingKey)
  const refresh = useDebouncedCallback(() => {
    for (const queryKey of [missedKey, waitingKey]) void client.invalidateQueries({ queryKey })
  }, pauseMs)
  // One more is missed, one of the list may have been called back, or a colleague has marked one.
  useLiveEvents(['call.ended', 'waiting.changed'], ({ event, outcome, changed }) => {
    const isLost = outcome === 'abandoned' || outcome === 'missed'
    if (event === 'call.ended' ? count > 0 || isLost : changed === 'missed_calls') refresh()
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
