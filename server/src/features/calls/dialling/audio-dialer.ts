/** Dials audio in this process, such as a voice agent's: a leg without addresses. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { DialFailedError } from '../model/answered-leg.js'
import type { CallStore } from '../model/call-store.js'
import { AudioFarEndLeg, audioLegOf } from '../routing/audio-route.js'
import type { Route } from '../routing/route.js'
import type { RouteDialOptions } from './dial-options.js'
import type { Dialer } from './dialer.js'
import { legOutcome } from './leg-outcome.js'

export class AudioDialer implements Dialer {
  constructor(
    private readonly store: CallStore,
    private readonly switchboard: Switchboard,
  ) {}

  takes({ audio }: Route): boolean {
    return audio !== undefined
  }

  async dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const { audio } = route
    if (!audio) throw new Error('the route has no audio')
    const leg = audioLegOf(call, route, audio, options.role, this.switchboard.newChannelId())
    await this.store.addLeg(leg)
    const far = new AudioFarEndLeg(call, leg, audio, options.signal)
    const channel = this.switchboard.dialAudio(
      {
        ...{ channelId: leg.channel_id, sampleRate: audio.sampleRate },
        ...{ ringTimeout: options.ringTimeout, maxDuration: options.maxDuration },
        afterBridge: options.afterBridge,
        recoveryVariables: { jackfield_call: call.id, jackfield_role: options.role },
      },
      (offer) => void far.answer(offer),
    )
    far.follow(channel)
    options.onDialed?.(leg, channel)
    const end = await legOutcome(channel, options.ringTimeout, options)
    if (!end) {
      far.begin(channel)
      return { leg, channel }
    }
    await this.store.legEnded(leg, end)
    throw new DialFailedError(end, end.endedAt)
  }
}
