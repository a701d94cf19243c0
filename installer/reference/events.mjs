/** docs/reference/events.md: the events of webhooks, streams and timelines. */
import { callEvents } from '../../server/dist/src/features/calls/model/call-event.entity.js'
import { streamEvents } from '../../server/dist/src/features/realtime/stream-events.js'
import { testEvent, webhookEvents } from '../../server/dist/src/features/webhooks/webhook-events.js'
import { code, page, prose, section, table } from './markdown.mjs'

export function eventsPage() {
  return page('Events', 'An event has one id wherever it appears.', [
    section(
      'Webhooks',
      `[Webhooks](../integrate/webhooks.md#what-is-sent) shows the data of each. \`${testEvent}\` is sent by \`POST /webhooks/:id/test\`.`,
      tableOf(webhookEvents),
    ),
    section(
      'Event streams',
      '`GET /stream` sends these: [Apps](../integrate/apps.md#listen-to-events) has the recipients and the data.',
      tableOf(streamEvents),
    ),
    section(
      'The timeline of a call',
      '`GET /calls/:id/events` lists these: [Status and timeline](../calls/making-calls.md#status-and-timeline).',
      tableOf(callEvents),
    ),
  ])
}

/** @param {Readonly<Record<string, string>>} events */
const tableOf = (events) =>
  table(
    ['event', 'when'],
    Object.entries(events).map(([name, when]) => [code(name), prose(when)]),
  )
