import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Carrier } from '../queries'
import { carriersTexts } from '../texts'

type LinkState = Carrier['status']['state']

const tones: Readonly<Record<LinkState, Tone>> = {
  ...{ up: 'good', connecting: 'warn', down: 'bad', inactive: 'idle' },
}

/** A link that is down without an error has not been tried yet. */
export function LinkBadge({
  status: { state, last_error },
}: {
  status: Pick<Carrier['status'], 'state' | 'last_error'>
}) {
  const t = useTexts(carriersTexts)
  const shown = state === 'down' && !last_error ? 'connecting' : state
  return <StateBadge tone={tones[shown]}>{t(shown)}</StateBadge>
}
