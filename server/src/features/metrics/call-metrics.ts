/** Calls: how many begin and how they end, and how long each of their stages takes. */
import type { Registry } from 'prom-client'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { BoundedLabel } from './bounded-label.js'
import { counter, histogram, quick, slow } from './instruments.js'

/** Ringing calls that are followed; the answers of more are not measured. */
const mostFollowed = 100_000

/** No call rings for longer. */
const longestRingMs = 900_000

const talkSeconds = [5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200]

/** @returns ends the measuring */
export function callMetrics(registry: Registry): (() => void)[] {
  /** Since when calls ring that are not answered. */
  const ringing = new Map<string, number>()
  const causes = new BoundedLabel(/^[A-Z_0-9]{1,50}$/, 100)
  const arrivals = counter(registry, {
    name: 'call_arrivals_total',
    help: 'Inbound calls from the edge, by source: account, trunk, late (the caller had given up), stranger (the edge did not admit it)',
    labels: ['source'],
  })
  const begun = counter(registry, {
    name: 'calls_begun_total',
    help: 'Calls that began, including those that were refused at once',
    labels: ['direction'],
  })
  const ended = counter(registry, {
    name: 'calls_ended_total',
    help: 'Calls that ended, by status, hang-up cause and who ended them: caller, callee, carrier (the network refused it), server or unknown',
    labels: ['direction', 'status', 'hangup_cause', 'ended_by'],
  })
  const talk = histogram(
    registry,
    {
      name: 'call_duration_seconds',
      help: 'Time from the answer of a call to its end',
      labels: ['direction'],
    },
    talkSeconds,
  )
  const stages = histogram(
    registry,
    {
      name: 'call_stage_duration_seconds',
      help: 'Stages of a call: decision (INVITE to accepted or refused), ringing (INVITE of a leg to its ringing), answer (ringing to answer), action (answer to the first action)',
      labels: ['stage'],
    },
    [...quick, 20, 30, 60, 120],
  )
  const heard = histogram(
    registry,
    {
      name: 'voice_agent_response_seconds',
      help: 'Time until a voice agent is heard: its greeting after it joins, or its answer after the caller stops',
      labels: ['after'],
    },
    slow,
  )
  const stage = (name: string, seconds: number) => stages.observe({ stage: name }, seconds)
  return [
    () => ringing.clear(),
    topics.arrival.subscribe(({ source, seconds }) => {
      arrivals.inc({ source })
      stage('decision', seconds)
    }),
    topics.callBegun.subscribe(({ direction }) => begun.inc({ direction })),
    topics.legRinging.subscribe(({ seconds }) => stage('ringing', seconds)),
    topics.callRinging.subscribe(({ callId, at }) => {
      // The end of a call that another server has taken over never arrives here.
      for (const [other, since] of ringing) {
        if (at.getTime() - since < longestRingMs) break
        ringing.delete(other)
      }
      if (ringing.size < mostFollowed) ringing.set(callId, at.getTime())
    }),
    topics.callAnswered.subscribe(({ callId, at }) => {
      const since = ringing.get(callId)
      if (since !== undefined) stage('answer', Math.max(0, at.getTime() - since) / 1000)
      ringing.delete(callId)
    }),
    topics.callAction.subscribe(({ seconds }) => stage('action', seconds)),
    topics.callEnded.subscribe(({ callId, direction, status, hangupCause, endedBy, duration }) => {
      ringing.delete(callId)
      ended.inc({ direction, status, hangup_cause: causes.of(hangupCause), ended_by: endedBy })
      if (status === 'completed') talk.observe({ direction }, duration)
    }),
    topics.voiceAgentHeard.subscribe(({ after, seconds }) => heard.observe({ after }, seconds)),
  ]
}
