import { Text, Timeline } from '@mantine/core'
import { Time } from '../../../design/values'
import { type Translate, useTexts } from '../../../i18n/texts'
import type { CallEvent } from '../queries'
import { historyTexts } from '../texts'

/** What happened in a call, in its order. */
export function CallTimeline({ events }: { events: readonly CallEvent[] }) {
  const t = useTexts(historyTexts)
  return (
    <Timeline active={events.length} bulletSize={12} lineWidth={2}>
      {events.map((event) => (
        <Timeline.Item key={event.id} title={titleOf(event, t)}>
          <Text size="sm" c="dimmed">
            <Time at={event.created_at} exact />
            {event.hangup_cause && ` · ${event.hangup_cause}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

type Key = Parameters<Translate<(typeof historyTexts)['en']>>[0]

/** Which of an event's details says what it was. */
const whatOf: Readonly<Record<string, string>> = {
  'call.node': 'node_id',
  'call.action': 'action',
  'call.supervision': 'mode',
}

function titleOf({ event, details }: CallEvent, t: Translate<(typeof historyTexts)['en']>): string {
  const what = details?.[whatOf[event] ?? ''] ?? details?.['status']
  return t(`event_${event.slice('call.'.length)}` as Key, { what: typeof what === 'string' ? what : '' })
}
