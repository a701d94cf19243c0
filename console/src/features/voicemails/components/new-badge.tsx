/** Number of voicemails that are not heard yet, beside the menu's entry. It also keeps the list up to date. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CountBadge } from '../../../design/count-badge'
import { useTexts } from '../../../i18n/texts'
import { useCatchingUp, useLiveEvents } from '../../../live/live'
import { newVoicemailsQuery, voicemailsKey } from '../queries'
import { voicemailTexts } from '../texts'

export default function NewBadge() {
  const t = useTexts(voicemailTexts)
  const client = useQueryClient()
  const count = useQuery(newVoicemailsQuery).data ?? 0
  useCatchingUp(voicemailsKey)
  useLiveEvents(['call.ended'], ({ outcome }) => {
    if (outcome === 'voicemail') void client.invalidateQueries({ queryKey: voicemailsKey })
  })
  return <CountBadge count={count} label={t('count', { count })} />
}
