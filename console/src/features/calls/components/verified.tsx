import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { CallRecord } from '../workspace-calls'
import { callsTexts } from '../texts'

type Verification = NonNullable<CallRecord['caller_verification']>

const tones: Readonly<Record<Verification['status'], Tone>> = { passed: 'good', failed: 'bad', none: 'idle' }

/** STIR/SHAKEN verification of the caller, and who attested it. */
export function Verified({ status, attestation, reason }: Verification) {
  const t = useTexts(callsTexts)
  const words = reason
    ? t(`caller_${reason}`)
    : t(attestation ? 'caller_passed' : 'caller_none', { attestation: attestation ?? '' })
  return <StateBadge tone={tones[status]}>{words}</StateBadge>
}
