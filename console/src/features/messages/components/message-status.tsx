import { Group } from '@mantine/core'
import { IconMessageDown, IconMessageUp } from '@tabler/icons-react'
import { StateBadge, type Tone } from '../../../design/values'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { Message } from '../queries'
import type { MessageStatus } from '../search'
import { messagesTexts } from '../texts'

const tones: Readonly<Record<MessageStatus, Tone>> = {
  queued: 'busy',
  sending: 'busy',
  sent: 'busy',
  delivered: 'good',
  undelivered: 'bad',
  failed: 'bad',
  received: 'good',
}

export function MessageStatusBadge({ status }: { status: MessageStatus }) {
  const t = useTexts(messagesTexts)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}

export function Direction({ direction }: Pick<Message, 'direction'>) {
  const t = useTexts(directionWords)
  const Picture = direction === 'inbound' ? IconMessageDown : IconMessageUp
  return (
    <Group gap={6} wrap="nowrap">
      <Picture size={16} aria-hidden />
      {t(direction)}
    </Group>
  )
}
