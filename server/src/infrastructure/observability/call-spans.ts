/** Calls: a trace for each, with its stages. Its ids follow from the call's: a server that recovers a call continues it. */
import { topics } from './telemetry.js'
import { currentSpan } from './tracing-contexts.js'
import { idsOf } from './ids.js'
import type { Spans } from './spans.js'

/** @returns ends it */
export function traceCalls(spans: Spans): (() => void)[] {
  return [
    topics.arrival.subscribe(({ callId, source, seconds }) => {
      if (callId === null) return
      const attributes = { ...of(callId), 'jackfield.call.source': source }
      spans.partOf(callId, { name: 'call decision', ...lasting(seconds), attributes })
    }),
    topics.callBegun.subscribe(({ callId }) => {
      const request = currentSpan()
      const call = idsOf(callId)
      if (!request || request.traceId === call.traceId) return
      const now = { from: Date.now(), to: Date.now(), attributes: of(callId) }
      spans.under(request, { name: 'call begun', ...now, links: [call] })
      spans.under(call, { name: 'call begun', ...now, links: [request] })
    }),
    topics.legTried.subscribe(({ callId, legId, gatewayId, createdAt, ringingAt, at, failure }) => {
      const attributes = {
        ...{ ...of(callId), 'jackfield.leg.id': legId },
        ...(gatewayId !== null && { 'jackfield.gateway.id': gatewayId }),
        ...(failure && failureOf(failure)),
      }
      const hangupCause = failure?.hangupCause ?? null
      spans.partOf(callId, {
        ...{ name: 'call dial', from: createdAt, to: later(createdAt, ringingAt ?? at), attributes },
        failure: ringingAt ? null : hangupCause,
      })
      if (ringingAt)
        spans.partOf(callId, {
          ...{ name: 'call ring', from: ringingAt, to: later(ringingAt, at), attributes },
          failure: hangupCause,
        })
    }),
    topics.callActionEnded.subscribe(({ callId, action, outcome, seconds }) => {
      const attributes = { ...of(callId), 'jackfield.action': action, 'jackfield.action.outcome': outcome }
      const failure = outcome === 'failed' ? outcome : null
      spans.partOf(callId, { name: `call action ${action}`, ...lasting(seconds), attributes, failure })
    }),
    topics.bridgeEnded.subscribe(({ callId, otherLegId, seconds }) => {
      const attributes = { ...of(callId), 'jackfield.leg.id': otherLegId }
      spans.partOf(callId, { name: 'call talk', ...lasting(seconds), attributes })
    }),
    topics.callEnded.subscribe((payload) => {
      const { callId, createdAt, answeredAt, at } = payload
      const attributes = {
        ...of(callId),
        ...{ 'jackfield.workspace.id': payload.workspaceId, 'jackfield.call.direction': payload.direction },
        ...{ 'jackfield.call.status': payload.status, 'jackfield.call.duration': payload.duration },
        ...{ ...failureOf(payload), 'jackfield.call.ended_by': payload.endedBy },
      }
      // From the end of the line to what is written of it, the charge among that.
      const now = later(at, new Date())
      spans.partOf(callId, { name: 'call end', from: at, to: now, attributes: of(callId) })
      if (answeredAt) {
        const to = later(answeredAt, at)
        spans.partOf(callId, { name: 'call answered', from: answeredAt, to, attributes: of(callId) })
      }
      const failure = payload.status === 'failed' ? payload.hangupCause : null
      spans.whole(callId, { name: 'call', from: createdAt, to: now, attributes, failure })
    }),
  ]
}

function of(callId: string) {
  return { 'jackfield.call.id': callId }
}

function failureOf({ hangupCause, sipCode }: { hangupCause: string; sipCode: number | null }) {
  return {
    'jackfield.hangup_cause': hangupCause,
    ...(sipCode !== null && { 'jackfield.sip_code': sipCode }),
  }
}

/** Start and end of something that took this long and has just ended. */
function lasting(seconds: number) {
  const to = Date.now()
  return { from: to - seconds * 1000, to }
}

/** The times come from several clocks: a span must not end before it begins. */
function later(from: Date, to: Date): Date {
  return to < from ? from : to
}
