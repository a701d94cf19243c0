/** The simulated switch: its channels, its events, its clock of heartbeats. All of it in memory. */
import { randomUUID } from 'node:crypto'
import { parseEndpoint, type Originate } from './dial-string.js'
import { EventBus, micros } from './event-bus.js'
import { farEndOf } from './far-ends.js'
import { Journal } from './journal.js'
import { SimulatedChannel } from './simulated-channel.js'

export const maxSessions = 10_000
export const version = '1.10.12-release+sandbox'
const HEARTBEAT = 20_000
/** Seconds that FreeSWITCH lets ring when nothing else is said. */
const DEFAULT_TIMEOUT = 60

export class SandboxSwitch {
  readonly bus = new EventBus('sandbox')
  readonly startedAt = micros()
  readonly #channels = new Map<string, SimulatedChannel>()
  readonly #journal: Journal
  readonly #heartbeat: NodeJS.Timeout
  sessions = 0
  peak = 0

  /** @param journal path of the journal of ended channels; '' for none */
  constructor(journal = '') {
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
    const channel = new SimulatedChannel(uuid, target, ++this.sessions, {
      bus: this.bus,
      journal: this.#journal,
      gone: (gone) => this.#channels.delete(gone.uuid),
    })
    for (const [name, value] of variables) channel.set(name, value)
    this.#channels.set(uuid, channel)
    this.peak = Math.max(this.peak, this.#channels.size)
    const farEnd = farEndOf(target, {
      username: variables.get('sip_auth_username') ?? '',
      password: variables.get('sip_auth_password') ?? '',
    })
    const named = Number(variables.get('originate_timeout'))
    const seconds = named > 0 ? named : (timeout ?? DEFAULT_TIMEOUT)
    return channel.dial(farEnd, program, seconds * 1000)
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
    for (const channel of this.#channels.values()) channel.timers.clear()
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
