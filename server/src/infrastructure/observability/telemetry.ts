/**
 * Topics on which parts publish their work at the moment it is done; `metrics/` subscribes. Without subscribers publishing
 * costs next to nothing, and publishers do not know the subscribers.
 */
import { type Channel, type ChannelListener, channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { SpanContext } from './tracing-contexts.js'

/** One kind of payload. */
export class TelemetryEvent<T extends object> {
  private readonly channel: Channel

  private readonly name: string

  constructor(name: string) {
    this.name = `jackfield.${name}`
    this.channel = channel(this.name)
  }

  publish(payload: T): void {
    if (this.channel.hasSubscribers) this.channel.publish(payload)
  }

  /** @param listener must not throw @returns ends it */
  subscribe(listener: (payload: T) => void): () => void {
    const received: ChannelListener = (payload) => listener(payload as T)
    subscribe(this.name, received)
    return () => {
      unsubscribe(this.name, received)
    }
  }
}

/** Something that took time. */
interface Timed {
  readonly seconds: number
}

interface CallPayload {
  readonly callId: string
  readonly workspaceId: string
  readonly direction: 'inbound' | 'outbound'
  readonly at: Date
}

/** All payload that there are. */
export const topics = {
  /** An HTTP request is answered, or a long answer to it has begun. `route` is the template, not the path. */
  request: new TelemetryEvent<
    Timed & {
      readonly method: string
      readonly route: string
      readonly status: number
      readonly requestId: string
      readonly workspaceId: string | null
    }
  >('http.request'),
  /** `statement` is its first word, in lower case. */
  query: new TelemetryEvent<
    Timed & {
      readonly statement: string
      /** Context of the work that it was done for; none without tracing. */
      readonly context: SpanContext | undefined
      /** Its first table; null where there is no span. */
      readonly table: string | null
    }
  >('database.query'),
  queryFailed: new TelemetryEvent<{ statement: string; code: string }>('database.query_failed'),
  /** A call that came in from the edge has been taken or refused; the time is from its arrival. `late`: its caller was gone. */
  arrival: new TelemetryEvent<
    Timed & { source: 'account' | 'trunk' | 'late' | 'stranger'; callId: string | null }
  >('call.arrival'),
  callBegun: new TelemetryEvent<CallPayload>('call.begun'),
  callRinging: new TelemetryEvent<CallPayload>('call.ringing'),
  callAnswered: new TelemetryEvent<CallPayload>('call.answered'),
  /** `duration` in seconds from the answer. */
  callEnded: new TelemetryEvent<
    CallPayload & {
      readonly status: string
      readonly hangupCause: string
      readonly sipCode: number | null
      readonly endedBy: string
      readonly duration: number
      readonly createdAt: Date
      readonly answeredAt: Date | null
    }
  >('call.ended'),
  /** The first action of a call that is answered begins; the time is from the answer. */
  callAction: new TelemetryEvent<Timed>('call.action'),
  /** An action of a call's script or flow has ended. */
  callActionEnded: new TelemetryEvent<Timed & { callId: string; action: string; outcome: string }>(
    'call.action_ended',
  ),
  /** The bridge of two legs has ended. */
  bridgeEnded: new TelemetryEvent<Timed & { callId: string; otherLegId: string }>('call.bridge_ended'),
  /** A leg that we called rings; the time is from its INVITE. */
  legRinging: new TelemetryEvent<Timed>('call.leg_ringing'),
  /** A leg that we called is answered (`failure` is null), or was not. */
  legTried: new TelemetryEvent<{
    readonly callId: string
    readonly legId: string
    readonly gatewayId: string | null
    readonly createdAt: Date
    readonly ringingAt: Date | null
    readonly at: Date
    readonly failure: { readonly hangupCause: string; readonly sipCode: number | null } | null
  }>('call.leg_tried'),
  /** A voice agent is heard: for the first time since it was joined, or after the caller has stopped. */
  voiceAgentHeard: new TelemetryEvent<Timed & { after: 'join' | 'caller' }>('voice_agent.heard'),
  /** A channel of the switch is over. `mos` and `lost` are of the sound that came in, where there was any. */
  channelEnded: new TelemetryEvent<{ mos: number | null; lostPackets: number }>('switch.channel_ended'),
  switchCommand: new TelemetryEvent<Timed & { failed: boolean }>('switch.command'),
  /** An event of the switch; the time is that from its making. */
  switchEvent: new TelemetryEvent<Timed>('switch.event'),
  /** A message has this status from now on. */
  message: new TelemetryEvent<{
    readonly id: string
    readonly workspaceId: string
    readonly direction: string
    readonly status: string
    readonly createdAt: Date
    readonly sentAt: Date | null
    readonly at: Date
  }>('message'),
  webhookAttempt: new TelemetryEvent<Timed & { delivered: boolean; responseStatus: number | null }>(
    'webhook.attempt',
  ),
  /** A customer's server has been asked in the middle of a call; `error` is null where its answer will do. */
  callback: new TelemetryEvent<{ responseStatus: number | null; error: string | null }>('callback'),
  push: new TelemetryEvent<Timed & { service: string; outcome: string }>('push'),
  /** A job of the outbox was tried. */
  job: new TelemetryEvent<Timed & { kind: string; failed: boolean }>('job'),
}

/** Seconds since a reading of `performance.now()`. */
export function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000
}
