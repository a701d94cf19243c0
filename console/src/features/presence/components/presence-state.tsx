/** Current state of an agent, in words, colour and an icon. */
import {
  IconCheck,
  IconMinus,
  IconPhoneCall,
  IconPhoneRinging,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { useReasonWords } from '../reasons'
import { type ShownState, shownStateOf } from '../shown-state'
import { stateWords } from '../texts'

const looks = {
  available: { tone: 'good', Picture: IconCheck },
  incall: { tone: 'busy', Picture: IconPhoneCall },
  busy: { tone: 'warn', Picture: IconMinus },
  offline: { tone: 'idle', Picture: IconPlugConnectedX },
  ringing: { tone: 'busy', Picture: IconPhoneRinging },
} as const satisfies Record<ShownState, { tone: Tone; Picture: typeof IconCheck }>

/**
 * @param is_ringing whether they are busy because a call rings them
 * @param reason why the agent is away
 */
export function PresenceState({
  reason = null,
  ...presence
}: Parameters<typeof shownStateOf>[0] & { reason?: string | null }) {
  return <ShownPresence state={shownStateOf(presence)} reason={reason} />
}

export function ShownPresence({ state, reason = null }: { state: ShownState; reason?: string | null }) {
  const t = useTexts(stateWords)
  const reasonWords = useReasonWords()
  const { tone, Picture } = looks[state]
  return (
    <StateBadge tone={tone} icon={<Picture size="0.75rem" aria-hidden />}>
      {t(state)}
      {reason !== null && state === 'busy' && ` · ${reasonWords(reason)}`}
    </StateBadge>
  )
}
