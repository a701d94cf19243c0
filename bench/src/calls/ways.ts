/** The two ways to a call that are compared: through the API, and straight to the switch. */
import { randomUUID } from 'node:crypto'
import { channelVariables, sipEndpoint } from '../../../server/dist/src/adapters/freeswitch/dial-string.js'
import type { EndedChannel } from '../event-socket.js'
import type { World } from './world.js'

/** Measurements of one call. */
export interface CallTimes {
  number: string
  /** Milliseconds since 1970: asked for, accepted, and its channel ended. */
  asked: number
  accepted: number
  ended: number
}

/** A call that has not ended by then is lost. */
const deadlineMs = 60_000

interface Waiting {
  resolve(channel: EndedChannel): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** Milliseconds since 1970, with fractions. */
const now = () => performance.timeOrigin + performance.now()

export class Caller {
  private readonly waiting = new Map<string, Waiting>()
  private readonly early = new Map<string, EndedChannel>()
  private calls = 0

  constructor(
    private readonly world: World,
    private readonly way: 'api' | 'bare',
  ) {}

  /** Takes the events of ending channels from now on. */
  listen(): void {
    this.world.events.whenEnded((channel) => {
      const id = channel.callId ?? channel.id
      const waiting = this.waiting.get(id)
      if (!waiting) this.early.set(id, channel)
      clearTimeout(waiting?.timer)
      this.waiting.delete(id)
      waiting?.resolve(channel)
    })
  }

  /** Makes a call and waits for its end. @throws when it is not answered */
  async call(): Promise<CallTimes> {
    this.calls += 1
    // A number of its own for each call: by it the INVITE is known again at the carrier.
    const number = `+1${this.way === 'api' ? 202 : 303}${5_000_000 + this.calls}`
    const asked = now()
    const id = this.way === 'api' ? await this.askApi(number) : await this.askSwitch(number)
    const accepted = now()
    const channel = await this.end(id)
    if (!channel.answered || channel.hangupCause !== 'NORMAL_CLEARING') {
      throw new Error(`a call to ${number} ended with ${channel.hangupCause}`)
    }
    if (channel.playedMs < this.world.audioMs * 0.95) {
      throw new Error(`a call to ${number} heard ${channel.playedMs} ms of audio (${this.way})`)
    }
    return { number, asked, accepted, ended: now() }
  }

  private async askApi(number: string): Promise<string> {
    const { bench, audioId, from } = this.world
    return bench.call(number, [{ action: 'play', params: { audio_id: audioId } }], { from: { number: from } })
  }

  /** The dial string of the server without its marks, and an application instead of a script. */
  private async askSwitch(number: string): Promise<string> {
    const { carrier, proxy, from, audioFile, events } = this.world
    const id = randomUUID()
    const variables = channelVariables({
      origination_uuid: id,
      ignore_early_media: 'true',
      originate_timeout: '60',
      sip_cid_type: 'none',
      sip_from_uri: `sip:${from}@sip.localhost`,
    })
    const { host, port } = carrier
    const target = sipEndpoint({ user: number, host, port, transport: 'udp', proxy })
    await events.ask(`bgapi originate ${variables}${target} &playback(${audioFile})`)
    return id
  }

  private async end(id: string): Promise<EndedChannel> {
    const early = this.early.get(id)
    this.early.delete(id)
    if (early) return early
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`call ${id} does not end`)), deadlineMs)
      this.waiting.set(id, { resolve, reject, timer })
    })
  }
}
