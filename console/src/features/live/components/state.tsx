/** States of agents in words, with a picture of each. */
import { IconCheck, IconMinus, IconPhoneCall, IconPlugConnectedX } from '@tabler/icons-react'
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { AgentState } from '../board'
import { liveTexts } from '../texts'

const looks = {
  available: { tone: 'good', Picture: IconCheck },
  incall: { tone: 'busy', Picture: IconPhoneCall },
  busy: { tone: 'warn', Picture: IconMinus },
  offline: { tone: 'idle', Picture: IconPlugConnectedX },
} as const satisfies Record<AgentState, { tone: Tone; Picture: typeof IconCheck }>

export function AgentStateBadge({ state }: { state: AgentState }) {
  const t = useTexts(liveTexts)
  const { tone, Picture } = looks[state]
  return (
    <StateBadge tone={tone} icon={<Picture size={12} aria-hidden />}>
      {t(state)}
    </StateBadge>
  )
}
