/** Number of voicemails that are not heard yet, beside the menu's entry. It also keeps the list up to date. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { waitingKey, waitingQuery } from '../../../api/waiting'
import { CountBadge } from '../../../design/count-badge'
import { useWaitingInTab } from '../../../design/tab-title'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { voicemailsKey } from '../queries'
import { voicemailTexts } from '../texts'

export default function NewBadge() {
  const t = useTexts(voicemailTexts)
  const client = useQueryClient()
  const count = useQuery(waitingQuery).data?.voicemails ?? 0
  useWaitingInTab('voicemails', count)
  useCatchingUp(voicemailsKey, waitingKey)
  useLiveEvents(['call.ended'], ({ outcome }) => {
    if (outcome !== 'voicemail') return
    for (const queryKey of [voicemailsKey, waitingKey]) void client.invalidateQueries({ queryKey })
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
