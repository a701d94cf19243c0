/** Joining a call with somebody else: ringing them, bridging both, and parting again. */
import type { Channel } from '../switch/channel.js'
import { SwitchDownError } from '../switch/errors.js'
import type { CallLeg } from './call-leg.entity.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import type { ConnectOutcome } from './actions/action.js'
import { connectOutcomeOf as outcomeOf } from './call-outcome.js'
import type { DurableWrites } from './durable-writes.js'
import { DialFailedError, type Reached, type Hunt, lostRace } from './hunt.js'
import type { Outcome } from './program.js'
import type { Dialler, DialOptions, Reach } from './reach.js'
import type { Route } from './call-routing.js'

/** What a caller hears while somebody is rung, unless an audio is named: the tone of North America. */
const ringbackTone = 'tone_stream://%(2000,4000,440,480);loops=-1'

export class OperatorLink {
  /** Of whom it is joined with. */
  leg: CallLeg | undefined
  private readonly channels = new Set<Channel>()

  constructor(
    private readonly call: Call,
    private readonly caller: Channel,
    private readonly store: CallStore,
    private readonly writes: DurableWrites,
  ) {}

  /** Channels of all who are rung, and of whom it is joined with. */
  get channelIds(): string[] {
    return [...this.channels].filter(({ end }) => !end).map(({ id }) => id)
  }

  /** Rings whomever `reach` chooses. @returns how it failed when nobody was reached */
  async ring<O extends Outcome>(
    hunt: Hunt,
    reach: Reach<O>,
    signal: AbortSignal,
  ): Promise<Reached | O | ConnectOutcome> {
    const dialler: Dialler = {
      signal,
      dial: async (route, options) => this.dial(hunt, route, options, signal),
      drop: (reached) => this.drop(reached),
      withRingback: async (file, work) => this.withRingback(file, work),
    }
    try {
      return await reach(dialler)
    } catch (error) {
      if (error instanceof DialFailedError) return outcomeOf(error.failure)
      throw error
    }
  }

  private async dial(hunt: Hunt, route: Route, options: DialOptions, signal: AbortSignal): Promise<Reached> {
    return hunt.reach(this.call, route, {
      role: 'operator',
      callerName: options.callerName ?? this.call.from_name,
      ringTimeout: options.ringTimeout,
      ...(options.transfer && { transfer: options.transfer }),
      maxDuration: this.call.max_duration,
      afterBridge: 'hangup',
      signal: options.signal ? AbortSignal.any([options.signal, signal]) : signal,
      onDialed: (_leg, channel) => this.channels.add(channel),
    })
  }

  private drop({ leg, channel }: Reached): void {
    const written = (end: NonNullable<Channel['end']>) =>
      void this.writes.add(async () => this.store.legEnded(leg, end))
    channel.once('ended', written)
    if (channel.end) written(channel.end)
    void channel.hangUp(lostRace).catch(() => undefined)
  }

  private async withRingback<T>(file: string | null, work: () => Promise<T>): Promise<T> {
    const ringing = new AbortController()
    const ringback = this.ringback(file, ringing.signal).catch(() => undefined)
    try {
      return await work()
    } finally {
      ringing.abort()
      await ringback
    }
  }

  private async ringback(file: string | null, signal: AbortSignal): Promise<void> {
    if (file !== null) await this.caller.openEarlyMedia()
    if (this.caller.hasMedia) await this.caller.playForever(file ?? ringbackTone, signal)
    else await this.caller.ring()
  }

  /**
   * Bridges both and waits until they part.
   * @param bridged whether they already are, since an earlier process
   */
  async talk({ leg, channel }: Reached, bridged: boolean, signal: AbortSignal): Promise<void> {
    this.leg = leg
    this.channels.add(channel)
    const answeredAt = leg.answered_at ?? channel.answeredAt ?? new Date()
    leg.answered_at = answeredAt
    void this.writes.add(async () => this.store.legAnswered(leg, answeredAt))
    const parted = this.untilEnded(leg, channel, signal)
    if (bridged && !channel.end) this.caller.takeUpBridge()
    else if (!channel.end) {
      await this.caller.bridgeTo(channel).catch(async (error: unknown) => {
        if (error instanceof SwitchDownError) throw error
        await channel.hangUp('NORMAL_TEMPORARY_FAILURE')
      })
    }
    await parted
  }

  private async untilEnded(leg: CallLeg, channel: Channel, signal: AbortSignal): Promise<void> {
    const part = () => void channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
    signal.addEventListener('abort', part)
    if (signal.aborted) part()
    try {
      const end = await new Promise<NonNullable<Channel['end']>>((resolve, reject) => {
        if (channel.end) resolve(channel.end)
        channel.once('ended', resolve)
        channel.once('abandoned', () => reject(new SwitchDownError()))
      })
      void this.writes.add(async () => this.store.legEnded(leg, end))
    } finally {
      signal.removeEventListener('abort', part)
    }
  }
}
