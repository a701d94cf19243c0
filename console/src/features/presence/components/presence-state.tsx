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
import { type ShownState, shownStateOf } from '../shown-state'
import { stateWords } from '../texts'

const looks = {
  available: { tone: 'good', Picture: IconCheck },
  incall: { tone: 'busy', Picture: IconPhoneCall },
  busy: { tone: 'warn', Picture: IconMinus },
  offline: { tone: 'idle', Picture: IconPlugConnectedX },
  ringing: { tone: 'busy', Picture: IconPhoneRinging },
} as const satisfies Record<ShownState, { tone: Tone; Picture: typeof IconCheck }>

/** @param call_id the call that rings or runs, where that is known */
export function PresenceState(presence: Parameters<typeof shownStateOf>[0]) {
  return <ShownPresence state={shownStateOf(presence)} />
}

export function ShownPresence({ state }: { state: ShownState }) {
  const t = useTexts(stateWords)
  const { tone, Picture } = looks[state]
  return (
    <StateBadge tone={tone} icon={<Picture size={12} aria-hidden />}>
      {t(state)}
    </StateBadge>
  )
}
