import { Code, Group, Stack, Switch, Text, Timeline } from '@mantine/core'
import { useState } from 'react'
import type { EndedBy } from '../../../api/call-words/causes'
import { NumbersIn, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callWords } from '../texts'
import { type EventOfCall, briefOf, detailsOf, rawOf, titleOf } from './event-text'

interface CallTimelineProps {
  events: readonly (EventOfCall & { id: string; created_at: string })[]
  /** Who ended the call. */
  endedBy?: EndedBy
  /** Shows the most important detail in the title instead of all details below it. */
  isBrief?: boolean
}

/** Events of a call, in chronological order: in words, and for engineers as the API says them. */
export function CallTimeline({ events, endedBy = null, isBrief = false }: CallTimelineProps) {
  const t = useTexts(callWords)
  const [isRaw, setRaw] = useState(false)
  return (
    <Stack gap="sm">
      {!isBrief && (
        <Switch
          size="xs"
          label={t('raw')}
          checked={isRaw}
          onChange={({ currentTarget }) => setRaw(currentTarget.checked)}
        />
      )}
      <Timeline bulletSize={14} lineWidth={2} active={events.length}>
        {events.map((event) => {
          const title = titleOf(t, event)
          return (
            <Timeline.Item
              key={event.id}
              title={
                <NumbersIn
                  text={isBrief ? [title, briefOf(event, endedBy)].filter(Boolean).join(': ') : title}
                />
              }
            >
              <Text size="xs" c="dimmed">
                <Time at={event.created_at} exact />
              </Text>
              {!isBrief && <Details event={event} endedBy={endedBy} />}
              {isRaw && (
                <Code
                  block
                  mt={4}
                  translate="no"
                  style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                >
                  {`${event.event} ${rawOf(event)}`}
                </Code>
              )}
            </Timeline.Item>
          )
        })}
      </Timeline>
    </Stack>
  )
}

function Details({ event, endedBy }: { event: EventOfCall; endedBy: EndedBy }) {
  return detailsOf(event, endedBy).map(([name, value]) => (
    <Group key={name} gap={6} align="baseline">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        <NumbersIn text={value} />
      </Text>
    </Group>
  ))
}
