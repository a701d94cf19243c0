/** Current state of an agent, in words, colour and an icon. */
import { IconCheck, IconMinus, IconPhoneCall, IconPlugConnectedX } from '@tabler/icons-react'
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { StateName } from '../queries'
import { stateWords } from '../texts'

const looks = {
  available: { tone: 'good', Picture: IconCheck },
  incall: { tone: 'busy', Picture: IconPhoneCall },
  busy: { tone: 'warn', Picture: IconMinus },
  offline: { tone: 'idle', Picture: IconPlugConnectedX },
} as const satisfies Record<StateName, { tone: Tone; Picture: typeof IconCheck }>

export function PresenceState({ state }: { state: StateName }) {
  const t = useTexts(stateWords)
  const { tone, Picture } = looks[state]
  return (
    <StateBadge tone={tone} icon={<Picture size={12} aria-hidden />}>
      {t(state)}
    </StateBadge>
  )
}
