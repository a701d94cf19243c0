/**
 * Voice agents whose server stopped in the middle of a call: the switch still has the caller joined with a leg at whose
 * far end there is nobody any more. A new one takes its place, with a new session that knows what was said.
 */
import type { Logger } from 'pino'
import { drop } from '../../calls/let-go.js'
import type { CallLeg } from '../../calls/call-leg.entity.js'
import type { Route } from '../../calls/call-routing.js'
import type { CallStore } from '../../calls/call-store.js'
import { DurableWrites } from '../../calls/durable-writes.js'
import type { Hunt } from '../../calls/hunt.js'
import type { LiveCall } from '../../calls/live-call.js'
import type { Talk } from '../../calls/talk.js'
import type { Call } from '../../calls/call.entity.js'

interface Options {
  readonly hunt: Hunt
  readonly store: CallStore
  readonly voiceAgents: {
    hasLeg(channelId: string): boolean
    wayOn(call: Readonly<Call>, leg: CallLeg): Promise<Route | null>
    lost(callId: string): void
  }
  readonly log: Logger
}

/** Seconds within which the model is to be ready again. */
const readySeconds = 15

export class SessionRecovery {
  constructor(private readonly options: Options) {}

  /** A talk has begun, or goes on: whose voice agent is not of this process gets another one. */
  take({ call }: LiveCall, talk: Talk): void {
    for (const side of ['line', 'operator'] as const) {
      const { leg, channel } = talk.at(side)
      if (leg.voice_agent_id === null || channel.end || this.options.voiceAgents.hasLeg(channel.id)) continue
      this.goOn(call, talk, side).catch((error: unknown) => {
        this.options.log.warn({ err: error, call: call.id }, 'a voice agent cannot go on')
        this.options.voiceAgents.lost(call.id)
        void channel.hangUp('NORMAL_TEMPORARY_FAILURE').catch(() => undefined)
      })
    }
  }

  private async goOn(call: Call, talk: Talk, side: 'line' | 'operator'): Promise<void> {
    const { hunt, store, voiceAgents, log } = this.options
    const route = await voiceAgents.wayOn(call, talk.at(side).leg)
    if (!route) throw new Error('there is no way to it any more')
    const over = new AbortController()
    const end = () => over.abort()
    talk.once('over', end)
    if (talk.isOver) end()
    const reached = await hunt.reach(call, route, {
      ...{ role: 'operator', callerName: call.from_name, ringTimeout: readySeconds, signal: over.signal },
      ...{ maxDuration: call.max_duration, afterBridge: 'hangup' },
    })
    try {
      await talk.replace(side, reached)
    } catch (error) {
      drop(reached, store, new DurableWrites(log))
      throw error
    } finally {
      talk.off('over', end)
    }
  }
}
