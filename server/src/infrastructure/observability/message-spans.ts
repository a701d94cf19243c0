/** Messages: a trace for each, from its acceptance to the carrier that takes it, and on to its receipt. */
import { topics } from './telemetry.js'
import { currentSpan } from './tracing-contexts.js'
import { idsOf } from './ids.js'
import type { Spans } from './spans.js'

/** @returns ends it */
export function traceMessages(spans: Spans): (() => void)[] {
  return [
    topics.message.subscribe(({ id, workspaceId, direction, status, createdAt, sentAt, at }) => {
      const attributes = {
        ...{ 'jackfield.message.id': id, 'jackfield.workspace.id': workspaceId },
        ...{ 'jackfield.message.direction': direction, 'jackfield.message.status': status },
      }
      const request = currentSpan()
      if (status === 'queued' && request) {
        const accepted = { name: 'message accepted', from: createdAt, to: Date.now(), attributes }
        spans.under(request, { ...accepted, links: [idsOf(id)] })
        spans.partOf(id, { ...accepted, links: [request] })
      }
      if (['sent', 'failed', 'received'].includes(status)) {
        const failure = status === 'failed' ? status : null
        spans.whole(id, { name: 'message', from: createdAt, to: at, attributes, failure })
      }
      if (sentAt && ['delivered', 'undelivered'].includes(status)) {
        const failure = status === 'undelivered' ? status : null
        spans.partOf(id, { name: 'message receipt', from: sentAt, to: at, attributes, failure })
      }
    }),
  ]
}
