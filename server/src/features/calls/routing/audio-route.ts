/** Routes to far ends in this process: a voice agent, or a customer's WebSocket. */
import type { AudioFarEnd, AudioRoute } from './route.js'
import type { Route } from './route.js'
import { AudioLeg } from '../../../adapters/freeswitch/audio-leg.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { LegOffer } from '../../../adapters/freeswitch/leg-answerer.js'
import type { CallLeg, LegRole } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'
import { newLeg } from '../model/new-leg.js'

/** The row of a leg on this route. */
export function audioLegOf(
  call: Call,
  { number, rate }: Route,
  { voiceAgentId, uri }: AudioRoute,
  role: LegRole,
  channelId: string,
): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role, number, uri },
    ...{ voice_agent_id: voiceAgentId, ...rate },
  })
}

/** One leg on an audio route, from the switch's offer to the end. */
export class AudioFarEndLeg {
  private readonly over = new AbortController()
  private readonly ready: Promise<AudioFarEnd>
  private readonly ours: AudioLeg

  constructor(
    call: Call,
    private readonly leg: CallLeg,
    route: AudioRoute,
    signal: AbortSignal,
  ) {
    this.ready = route.prepare(call, AbortSignal.any([signal, this.over.signal]))
    this.ready.catch(() => undefined)
    const { sampleRate, maxQueuedSeconds: queuedSeconds } = route
    this.ours = new AudioLeg({ sampleRate, queuedSeconds, ready: this.ready })
  }

  /** Answers the switch as soon as the far end is ready. */
  async answer(offer: LegOffer): Promise<void> {
    return this.ours.answer(offer)
  }

  /** Ends with its channel, or when the link to the switch is lost. */
  follow(channel: Channel): void {
    const end = () => {
      if (this.over.signal.aborted) return
      this.over.abort()
      this.ours.close()
      this.ready.then((far) => far.end()).catch(() => undefined)
    }
    channel.once('ended', end)
    channel.once('abandoned', end)
    if (channel.end) end()
  }

  /** The channel is answered. */
  begin(channel: Channel): void {
    const { leg } = this
    const { audio } = this.ours
    if (!audio || this.over.signal.aborted) return
    this.ready.then((far) => far.begin({ leg, channel, audio })).catch(() => undefined)
  }
}
