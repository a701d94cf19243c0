import { IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react'
import { Group, Tooltip } from '@mantine/core'
import { StateBadge, type Tone } from '../../../design/values'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { CallRecord, CallStatus } from '../workspace-calls'
import { callWords } from '../texts'

const tones: Readonly<Record<CallStatus, Tone>> = {
  created: 'busy',
  ringing: 'busy',
  started: 'busy',
  active: 'busy',
  completed: 'good',
  no_answer: 'warn',
  busy: 'warn',
  canceled: 'idle',
  failed: 'bad',
}

export function CallStatusBadge({ status }: { status: CallStatus }) {
  const t = useTexts(callWords)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}

/** @param isBrief the picture alone, whose tooltip has the word */
export function Direction({
  direction,
  isBrief = false,
}: Pick<CallRecord, 'direction'> & { isBrief?: boolean }) {
  const t = useTexts(directionWords)
  const Picture = direction === 'inbound' ? IconPhoneIncoming : IconPhoneOutgoing
  if (isBrief)
    return (
      <Tooltip label={t(direction)}>
        <Picture size={18} role="img" aria-label={t(direction)} />
      </Tooltip>
    )
  return (
    <Group gap={6} wrap="nowrap">
      <Picture size={16} aria-hidden />
      {t(direction)}
    </Group>
  )
}
