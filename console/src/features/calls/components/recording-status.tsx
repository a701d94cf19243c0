import type { components } from '@jackfield/sdk'
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { recordingTexts } from '../texts'

type Status = components['schemas']['Recording']['status']

const tones: Readonly<Record<Status, Tone>> = {
  recording: 'busy',
  paused: 'warn',
  processing: 'busy',
  ready: 'good',
  failed: 'bad',
}

export function RecordingStatusBadge({ status }: { status: Status }) {
  const t = useTexts(recordingTexts)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}
