/** Number of voicemails that are not heard yet, beside the menu's entry. It also keeps the list up to date. */
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { waitingKey, waitingQuery } from '../../../api/waiting'
import { CountBadge } from '../../../design/count-badge'
import { useWaitingInTab } from '../../../design/tab-title'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { voicemailsKey } from '../queries'
import { voicemailTexts } from '../texts'

/** Several that are marked one after the other are asked for once, in milliseconds. */
const pauseMs = 300

export default function NewBadge() {
  const t = useTexts(voicemailTexts)
  const client = useQueryClient()
  const count = useQuery(waitingQuery).data?.voicemails ?? 0
  useWaitingInTab('voicemails', count)
  useCatchingUp(voicemailsKey, waitingKey)
  const refresh = useDebouncedCallback(() => {
    for (const queryKey of [voicemailsKey, waitingKey]) void client.invalidateQueries({ queryKey })
  }, pauseMs)
  // One came, was heard or done by a colleague, or has its transcript.
  useLiveEvents(['call.ended', 'waiting.changed'], ({ event, outcome, changed }) => {
    if (event === 'call.ended' ? outcome === 'voicemail' : changed === 'voicemails') refresh()
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
