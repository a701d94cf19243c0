import { Group, Text, Timeline } from '@mantine/core'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callWords } from '../texts'
import { type EventOfCall, briefOf, detailsOf, titleOf } from './event-text'

interface CallTimelineProps {
  events: readonly (EventOfCall & { id: string; created_at: string })[]
  /** Shows the most important detail in the title instead of all details below it. */
  isBrief?: boolean
}

/** Events of a call, in chronological order. */
export function CallTimeline({ events, isBrief = false }: CallTimelineProps) {
  const t = useTexts(callWords)
  return (
    <Timeline bulletSize={14} lineWidth={2} active={events.length}>
      {events.map((event) => {
        const title = titleOf(t, event)
        return (
          <Timeline.Item
            key={event.id}
            title={isBrief ? [title, briefOf(event)].filter(Boolean).join(': ') : title}
          >
            <Text size="xs" c="dimmed">
              <Time at={event.created_at} exact />
            </Text>
            {!isBrief && <Details event={event} />}
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

function Details({ event }: { event: EventOfCall }) {
  return detailsOf(event).map(([name, value]) => (
    <Group key={name} gap={6} align="baseline">
      <Text size="sm" c="dimmed" translate="no">
        {name}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </Text>
    </Group>
  ))
}
