/** The simulated switch: its channels, its events, its clock of heartbeats. All of it in memory. */
import { randomUUID } from 'node:crypto'
import { appMedia } from './app-media.js'
import { parseEndpoint, type Originate } from './dial-string.js'
import { EventBus, micros } from './event-bus.js'
import { farEndOf } from './far-ends.js'
import { Journal } from './journal.js'
import { LegFarEnd } from './leg-far-end.js'
import { SilentSound, rawRate } from './silent-sound.js'
import { type CallIn, SimulatedCaller } from './simulated-caller.js'
import { SimulatedChannel } from './simulated-channel.js'

export const maxSessions = 10_000
export const version = '1.10.12-release+sandbox'
const HEARTBEAT = 20_000
/** Seconds that FreeSWITCH lets ring when nothing else is said. */
const DEFAULT_TIMEOUT = 60

/** What freeswitch-conf does with a call that comes in. */
const dialplan = [
  { name: 'multiset', argument: 'park_after_bridge=true hangup_after_bridge=false' },
  { name: 'sched_hangup', argument: '+15 NORMAL_TEMPORARY_FAILURE' },
  { name: 'park', argument: '' },
]

export class SandboxSwitch {
  readonly bus = new EventBus('sandbox')
  readonly startedAt = micros()
  /** Variables that were set since the start. */
  readonly globals = new Map<string, string>()
  readonly #channels = new Map<string, SimulatedChannel>()
  readonly #journal: Journal
  readonly #heartbeat: NodeJS.Timeout
  sessions = 0
  peak = 0

  /**
   * @param journal path of the journal of ended channels; '' for none
   * @param edgeHost address that calls seem to come in from: Kamailio's private one
   */
  constructor(
    journal = '',
    private readonly edgeHost = '127.0.0.2',
  ) {
    this.#journal = new Journal(journal)
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT)
  }

  /** All channels, those with their last events still on their way too, oldest first. */
  get channels(): SimulatedChannel[] {
    return [...this.#channels.values()]
  }

  /** @returns undefined when there is none or it has been hung up */
  find(uuid: string): SimulatedChannel | undefined {
    const channel = this.#channels.get(uuid)
    return channel?.ended ? undefined : channel
  }

  /** @returns what the `originate` command prints, once the leg is answered or has failed */
  async originate({ variables, endpoint, program, timeout }: Originate): Promise<string> {
    const uuid = variables.get('origination_uuid') ?? randomUUID()
    if (this.#channels.has(uuid)) return '-ERR DESTINATION_OUT_OF_ORDER\n'
    if (this.#channels.size >= maxSessions) return '-ERR SWITCH_CONGESTION\n'
    let target
    try {
      target = parseEndpoint(endpoint)
    } catch (error) {
      return `-ERR ${error instanceof Error ? error.message : 'DESTINATION_OUT_OF_ORDER'}\n`
    }
    const channel = new SimulatedChannel(uuid, target, ++this.sessions, this.#parts)
    for (const [name, value] of variables) channel.set(name, value)
    this.#add(channel)
    const named = Number(variables.get('originate_timeout'))
    const milliseconds = 1000 * (named > 0 ? named : (timeout ?? DEFAULT_TIMEOUT))
    const rate = rawRate(variables.get('absolute_codec_string'))
    const media =
      rate === undefined
        ? variables.get('media_webrtc') === 'true' && appMedia
        : new SilentSound(rate, () => channel.isHeard)
    if (media) {
      const server = new LegFarEnd(uuid, target, media, (step) => channel.farEndDoes(step, program))
      return channel.dial(server, program, milliseconds)
    }
    const farEnd = farEndOf(target, {
      username: variables.get('sip_auth_username') ?? '',
      password: variables.get('sip_auth_password') ?? '',
    })
    return channel.dial(farEnd, program, milliseconds)
  }

  /**
   * Somebody calls in, as over the edge; what the dialplan of freeswitch-conf does with them is done here, too.
   * @returns `+OK <uuid>\n`
   */
  callIn(order: CallIn): string {
    if (this.#channels.size >= maxSessions) return '-ERR SWITCH_CONGESTION\n'
    const uuid = randomUUID()
    const host = 'carrier.sandbox'
    const target = { user: order.dialled, host, port: 5060, uri: `${order.dialled}@${host}` }
    const caller = new SimulatedCaller(order)
    const channel = new SimulatedChannel(uuid, target, ++this.sessions, this.#parts, caller)
    for (const name of ['sip_network_ip', 'sip_received_ip']) channel.set(name, this.edgeHost)
    for (const [name, value] of order.variables) channel.set(name, value)
    this.#add(channel)
    channel.arrive(dialplan)
    return `+OK ${uuid}\n`
  }

  get #parts() {
    return {
      bus: this.bus,
      journal: this.#journal,
      find: (uuid: string) => this.find(uuid),
      gone: (gone: SimulatedChannel) => this.#channels.delete(gone.uuid),
    }
  }

  #add(channel: SimulatedChannel): void {
    this.#channels.set(channel.uuid, channel)
    this.peak = Math.max(this.peak, this.#channels.size)
  }

  /** `0 years, 0 days, 0 hours, …` since the start. */
  uptime(): string {
    const us = Math.floor(micros() - this.startedAt)
    const units: [string, number, number][] = [
      ['years', 365 * 86400e6, Infinity],
      ['days', 86400e6, 365],
      ['hours', 3600e6, 24],
      ['minutes', 60e6, 60],
      ['seconds', 1e6, 60],
      ['milliseconds', 1e3, 1000],
      ['microseconds', 1, 1000],
    ]
    return units.map(([name, size, wrap]) => `${Math.floor(us / size) % wrap} ${name}`).join(', ')
  }

  /** Ends without a word to the channels, like a switch that is killed. */
  stop(): void {
    clearInterval(this.#heartbeat)
    for (const channel of this.#channels.values()) channel.abandon()
    this.#channels.clear()
  }

  #beat(): void {
    this.bus.emit('HEARTBEAT', () => ({
      'Event-Info': 'System Ready',
      'Up-Time': this.uptime(),
      'FreeSWITCH-Version': version,
      'Uptime-msec': String(Math.round((micros() - this.startedAt) / 1000)),
      'Session-Count': String(this.#channels.size),
      'Max-Sessions': String(maxSessions),
      'Session-Per-Sec': '1000',
      'Session-Since-Startup': String(this.sessions),
      'Session-Peak-Max': String(this.peak),
      'Idle-CPU': '99.000000',
    }))
  }
}
