import { Group, Text, Timeline } from '@mantine/core'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { CallEvent } from '../queries'
import { callsTexts } from '../texts'
import { detailsOf, titleOf } from './event-text'

export function CallTimeline({ events }: { events: readonly CallEvent[] }) {
  const t = useTexts(callsTexts)
  return (
    <Timeline bulletSize={14} lineWidth={2} active={events.length}>
      {events.map((event) => (
        <Timeline.Item key={event.id} title={titleOf(t, event)}>
          <Text size="xs" c="dimmed">
            <Time at={event.created_at} exact />
          </Text>
          {detailsOf(event).map(([name, value]) => (
            <Group key={name} gap={6} align="baseline">
              <Text size="sm" c="dimmed" translate="no">
                {name}
              </Text>
              <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {value}
              </Text>
            </Group>
          ))}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}
