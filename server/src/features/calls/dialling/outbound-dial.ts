/** Dials a destination for a call, and plays ringback to its caller meanwhile. */
import type { Outcome } from '../model/outcomes.js'
import type { ConnectOutcome } from '../model/outcomes.js'
import type { RouteDialOptions } from './dial-options.js'
import { DialFailedError, type AnsweredLeg } from '../model/answered-leg.js'
import type { Route } from '../routing/route.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { connectOutcomeOf as outcomeOf } from '../model/termination.js'
import type { DurableWrites } from '../model/durable-writes.js'
import { EarlyMedia } from './early-media.js'
import type { RouteDialer } from './route-dialer.js'
import { drop } from './release-leg.js'
import type { CallDialer, DialOptions, DialStrategy } from './dial-strategy.js'
import { Ringback } from './ringback.js'

export class OutboundDial {
  private readonly channels = new Set<Channel>()
  private ringback: Ringback | undefined

  constructor(
    private readonly call: Call,
    private readonly caller: Channel,
    private readonly store: CallStore,
    private readonly writes: DurableWrites,
  ) {}

  /** Channels of all dialled legs. */
  get channelIds(): string[] {
    return [...this.channels].filter(({ end }) => !end).map(({ id }) => id)
  }

  /**
   * Dials the destinations that `reach` selects.
   * @param shown the call as the target of a transfer sees it; the waiting party gets music already, so no ringback
   * @returns how it failed, if no one answered
   */
  async ring<O extends Outcome>(
    routeDialer: RouteDialer,
    strategy: DialStrategy<O>,
    signal: AbortSignal,
    shown?: Call,
  ): Promise<AnsweredLeg | O | ConnectOutcome> {
    const dialer: CallDialer = {
      signal,
      dial: async (route, options) =>
        this.dial(route, routeDialer, this.optionsOf(options, signal), shown ?? this.call),
      drop: (reached) => this.drop(reached),
      withRingback: async (file, work) => (shown ? work() : this.withRingback(file, work)),
    }
    try {
      return await strategy(dialer)
    } catch (error) {
      if (error instanceof DialFailedError) return outcomeOf(error.failure)
      throw error
    }
  }

  private async dial(
    route: Route,
    routeDialer: RouteDialer,
    options: RouteDialOptions,
    call: Call,
  ): Promise<AnsweredLeg> {
    const early = this.ringback?.givesWay ? new EarlyMedia(this.caller, this.ringback) : null
    try {
      const onEarlyMedia = (channel: Channel) => early?.hear(channel)
      const reached = await routeDialer.dial(call, route, { ...options, ...(early && { onEarlyMedia }) })
      return (await early?.isJoinedWith(reached.channel)) ? { ...reached, isJoined: true } : reached
    } catch (error) {
      if (error instanceof DialFailedError) await early?.failed()
      throw error
    }
  }

  private optionsOf(options: DialOptions, signal: AbortSignal): RouteDialOptions {
    return {
      role: 'destination',
      callerName: options.callerName ?? this.call.from_name,
      ringTimeout: options.ringTimeout,
      ...(options.teamId !== undefined && { teamId: options.teamId }),
      ...(options.transfer && { transfer: options.transfer }),
      maxDuration: this.call.max_duration,
      afterBridge: 'hangup',
      signal: options.signal ? AbortSignal.any([options.signal, signal]) : signal,
      onDialed: (_leg, channel) => {
        this.channels.add(channel)
        // Early media of the previous address may have replaced it.
        this.ringback?.start()
      },
    }
  }

  /** Hangs up a leg that answered but is not needed any more. */
  drop(reached: AnsweredLeg): void {
    drop(reached, this.store, this.writes)
  }

  private async withRingback<T>(file: string | null, work: () => Promise<T>): Promise<T> {
    const ringback = new Ringback(this.caller, file)
    this.ringback = ringback
    ringback.start()
    try {
      return await work()
    } finally {
      this.ringback = undefined
      await ringback.close()
    }
  }
}
