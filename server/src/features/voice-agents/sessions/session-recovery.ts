/**
 * Voice agents whose server stopped in the middle of a call: the switch still bridges the caller with a leg whose far
 * end is gone. A new leg replaces it, with a new session that knows what was said.
 */
import type { Route } from '../../calls/routing/route.js'
import type { Side } from '../../calls/bridge/side.js'
import type { Logger } from 'pino'
import { drop } from '../../calls/dialling/release-leg.js'
import type { CallLeg } from '../../calls/model/call-leg.entity.js'
import type { CallStore } from '../../calls/model/call-store.js'
import { DurableWrites } from '../../calls/model/durable-writes.js'
import type { RouteDialer } from '../../calls/dialling/route-dialer.js'
import type { LiveCall } from '../../calls/session/live-call.js'
import type { Bridge } from '../../calls/bridge/bridge.js'
import type { Call } from '../../calls/model/call.entity.js'
import type { Opening } from './session-parts.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'

interface Options {
  readonly routeDialer: RouteDialer
  readonly store: CallStore
  readonly sessions: SessionStore
  readonly voiceAgents: {
    joined(channelId: string): boolean
    wayOn(call: Readonly<Call>, leg: CallLeg, opening: Opening): Promise<Route | null>
    gone(leg: CallLeg, endedAt: Date): Promise<void>
    lost(callId: string): void
  }
  readonly log: Logger
}

/** A running server ends a session within this time after its call. */
const settledMs = 60_000

/** Calls that one sweep looks at. */
const maxSwept = 1_000

/** Seconds within which the model is to be ready again. */
const readySeconds = 15

export class SessionRecovery {
  constructor(private readonly options: Options) {}

  /** A bridge has begun or was recovered: a called voice agent speaks; a leg of another process gets a new session. */
  take({ call }: LiveCall, bridge: Bridge): void {
    for (const side of ['line', 'destination'] as const) {
      const { leg, channel } = bridge.at(side)
      if (leg.voice_agent_id === null || this.options.voiceAgents.joined(channel.id)) continue
      if (channel.end) {
        this.gone(leg, channel.end.endedAt)
        continue
      }
      this.goOn(call, bridge, side).catch((error: unknown) => {
        this.options.log.warn(
          { event: 'voice_agent.recovery_failed', err: error, call: call.id },
          'a voice agent cannot go on',
        )
        this.options.voiceAgents.lost(call.id)
        void channel.hangUp('NORMAL_TEMPORARY_FAILURE').catch(() => undefined)
      })
    }
  }

  /** Ends sessions that are still open long after their call: their server was killed in between. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - settledMs)
    for (const id of await this.options.sessions.callsLeftOpen(before, maxSwept)) await this.ended({ id })
  }

  /** A call has ended while no server was there to see it. */
  async ended({ id }: Pick<Call, 'id'>): Promise<void> {
    const { store } = this.options
    const endedAt = (await store.load(id))?.ended_at
    if (!endedAt) return
    for (const leg of await store.legsOf(id)) {
      const until = Math.min(leg.ended_at?.getTime() ?? Infinity, endedAt.getTime())
      if (leg.voice_agent_id !== null) this.gone(leg, new Date(until))
    }
  }

  private gone(leg: CallLeg, endedAt: Date): void {
    const { voiceAgents, log } = this.options
    void new DurableWrites(log).add(async () => voiceAgents.gone(leg, endedAt))
  }

  /** A transfer may finish meanwhile: the leg that it put there stays. */
  private async goOn(call: Call, bridge: Bridge, side: Side): Promise<void> {
    const { routeDialer, store, voiceAgents, log } = this.options
    const before = bridge.at(side)
    const opening = bridge.isParted ? 'return' : 'resume'
    const isWanted = () => !bridge.isOver && bridge.at(side) === before
    try {
      const route = await voiceAgents.wayOn(call, before.leg, opening)
      if (!route) throw new Error('there is no way to it any more')
      const reached = await whileWanted(bridge, isWanted, async (signal) =>
        routeDialer.dial(call, route, {
          ...{ role: 'destination', callerName: call.from_name, ringTimeout: readySeconds, signal },
          ...{ maxDuration: call.max_duration, afterBridge: 'hangup' },
        }),
      )
      await bridge.replace(side, reached, before).catch((error: unknown) => {
        drop(reached, store, new DurableWrites(log))
        throw error
      })
    } catch (error) {
      if (!isWanted()) return
      throw error
    }
    // The process that was to end the hold is gone.
    await bridge.unhold(side)
  }
}

/** Aborts work for a talk as soon as that has changed so that it is not wanted any more. */
async function whileWanted<T>(
  bridge: Bridge,
  isWanted: () => boolean,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const unwanted = new AbortController()
  const look = () => {
    if (!isWanted()) unwanted.abort()
  }
  bridge.on('over', look)
  bridge.on('replaced', look)
  look()
  try {
    return await work(unwanted.signal)
  } finally {
    bridge.off('over', look)
    bridge.off('replaced', look)
  }
}
