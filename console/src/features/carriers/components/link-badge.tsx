import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Carrier } from '../queries'
import { carriersTexts } from '../texts'

type LinkState = Carrier['status']['state']

const tones: Readonly<Record<LinkState, Tone>> = {
  ...{ up: 'good', connecting: 'warn', down: 'bad', inactive: 'idle' },
}

export function LinkBadge({ state }: { state: LinkState }) {
  const t = useTexts(carriersTexts)
  return <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
}
