import { RawAnswer, agentOrClient, endpoint } from '../../infrastructure/http/endpoint.js'
import { EventStream, StreamQuery } from './stream.schema.js'
import type { Streams } from './streams.js'

const headers = {
  'Cache-Control': 'no-store, no-transform',
  // Buffering proxies would hold events back.
  'X-Accel-Buffering': 'no',
}

export function streamEndpoints({ streams }: { streams: Streams }) {
  return [
    endpoint({
      method: 'GET',
      path: '/stream',
      summary: 'Listen to events',
      description:
        'Server-sent events while the connection is open: ringing calls, the course of calls, states of agents. A reader that was cut sends the id of its last event as Last-Event-ID and gets the events that it has missed; if they are no longer stored, it gets the event `stream.reset`. A client may have 5 streams open, an agent 50, and as many again about single calls.',
      tag: 'Real time',
      auth: agentOrClient,
      tokenInQuery: true,
      uncounted: true,
      query: StreamQuery,
      response: { 200: EventStream },
      errors: {
        403: 'Too many streams are open, or no agent of your teams takes part in the call',
        404: 'No such call',
        503: 'The server is stopping',
      },
      handler: async ({ workspace, actor, query, lastEventId }) => {
        const request = {
          callId: query.call_id,
          deviceId: query.device_id,
          lastEventId: lastEventId ?? query.last_event_id,
        }
        const stream = await streams.open(workspace, actor, request)
        return new RawAnswer('text/event-stream; charset=utf-8', stream, headers)
      },
    }),
  ]
}
