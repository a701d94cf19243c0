/** All channels that this server drives on its switch: makes them, finds them, hands them their events. */
import { randomUUID } from 'node:crypto'
import { Channel } from './channel.js'
import { type DialTarget, channelVariables, displayText, sipEndpoint } from './dial-string.js'
import { SwitchRefusedError } from './errors.js'
import { microseconds } from './switch-event.js'
import type { SwitchLink } from './switch-link.js'

/** One outbound leg. */
export interface DialRequest {
  readonly channelId: string
  readonly target: DialTarget
  /** Digits, shown as `+<digits>@<domain>`. */
  readonly callerId: { readonly number: string; readonly name: string; readonly domain: string }
  readonly credential: { readonly username: string; readonly password: string } | null
  /** Seconds. */
  readonly ringTimeout: number
  /** Seconds after the answer at which the switch itself hangs up, whatever became of the server. */
  readonly maxDuration: number
  /** What the channel does when the other one of its bridge leaves. */
  readonly afterBridge: 'park' | 'hangup'
  /** Our own marks, by which a channel is known again: `jackfield_call`, … */
  readonly marks: Readonly<Record<string, string>>
}

/** What the switch says of a channel that we meet again. */
export interface ChannelSnapshot {
  readonly answered: boolean
  readonly ringing: boolean
  readonly bridged: boolean
  readonly answeredAt: Date | null
  /** Name of the application that runs, `park` included. */
  readonly application: string
  variable(name: string): string | undefined
}

/** The far end is given up as dead when it sends no media for so long, in milliseconds. */
const mediaTimeoutMs = 60_000

export class Switchboard {
  private readonly channels = new Map<string, Channel>()

  constructor(private readonly link: SwitchLink) {
    link.on('event', (event) => {
      const id = event.channelId ?? ''
      this.channels.get(id)?.receive(event)
      if (event.name === 'CHANNEL_HANGUP_COMPLETE') this.channels.delete(id)
    })
    link.on('down', () => {
      for (const channel of this.channels.values()) channel.abandon()
      this.channels.clear()
    })
  }

  newChannelId(): string {
    return randomUUID()
  }

  /**
   * Sends an INVITE and returns its channel at once; ringing, answer and failure come as its events.
   */
  dial(request: DialRequest): Channel {
    const channel = new Channel(request.channelId, this.link)
    this.channels.set(channel.id, channel)
    const command = `originate ${channelVariables(variablesOf(request))}${sipEndpoint(request.target)} &park()`
    const deadlineMs = (request.ringTimeout + 30) * 1000
    this.link.background(command, deadlineMs).catch((error: unknown) => {
      // A refused leg has its own hang-up event, unless the switch never made a channel for it.
      if (!(error instanceof SwitchRefusedError)) return
      setTimeout(() => this.failWithoutChannel(channel, error.message), 500)
    })
    return channel
  }

  /** Takes up a channel that lived before; null when the switch has it no more. */
  async adopt(channelId: string): Promise<{ channel: Channel; snapshot: ChannelSnapshot } | null> {
    const channel = new Channel(channelId, this.link)
    // Its events are listened to first, so that nothing falls between the look and the listening.
    this.channels.set(channelId, channel)
    const snapshot = await this.look(channelId)
    if (!snapshot) {
      this.channels.delete(channelId)
      return null
    }
    if (channel.state === 'dialing') {
      const state = snapshot.answered ? 'answered' : snapshot.ringing ? 'ringing' : 'dialing'
      channel.restore(state, snapshot.answeredAt, snapshot.bridged)
    }
    return { channel, snapshot }
  }

  /** Ids of all channels on the switch. The table behind it is filled a moment after the fact. */
  async channelIds(): Promise<string[]> {
    const list = JSON.parse(await this.link.api('show channels as json')) as { rows?: { uuid: string }[] }
    return (list.rows ?? []).map(({ uuid }) => uuid)
  }

  /** What the switch knows of a channel, or null. */
  async look(channelId: string): Promise<ChannelSnapshot | null> {
    if (!/^[0-9a-f-]{36}$/.test(channelId)) return null
    const dump = await this.link.api(`uuid_dump ${channelId} json`).catch((error: unknown) => {
      if (error instanceof SwitchRefusedError) return null
      throw error
    })
    if (dump === null) return null
    const headers = JSON.parse(dump) as Record<string, string | undefined>
    const answer = headers['Answer-State']
    return {
      answered: answer === 'answered',
      ringing: answer === 'ringing' || answer === 'early',
      bridged: headers['variable_signal_bond'] !== undefined || headers['Other-Leg-Unique-ID'] !== undefined,
      answeredAt: microseconds(headers['Caller-Channel-Answered-Time']),
      application: headers['variable_current_application'] ?? '',
      variable: (name) => headers[`variable_${name}`],
    }
  }

  /** Ends a channel that nobody drives. */
  async kill(channelId: string, cause: string): Promise<void> {
    await new Channel(channelId, this.link).hangUp(cause)
  }

  private failWithoutChannel(channel: Channel, cause: string): void {
    this.channels.delete(channel.id)
    channel.finish({ hangupCause: cause, sipCode: null, answeredAt: null, endedAt: new Date() })
  }
}

function variablesOf(request: DialRequest): Record<string, string> {
  const { callerId, credential } = request
  const identity = `sip:+${callerId.number}@${callerId.domain}`
  return {
    origination_uuid: request.channelId,
    ignore_early_media: 'true',
    originate_timeout: String(request.ringTimeout),
    media_timeout: String(mediaTimeoutMs),
    execute_on_answer: `sched_hangup +${request.maxDuration} ALLOTTED_TIMEOUT`,
    sip_cid_type: 'none',
    sip_from_uri: identity,
    sip_from_display: displayText(callerId.name),
    'sip_h_P-Asserted-Identity': `<${identity}>`,
    park_after_bridge: String(request.afterBridge === 'park'),
    hangup_after_bridge: String(request.afterBridge === 'hangup'),
    ...(credential && { sip_auth_username: credential.username, sip_auth_password: credential.password }),
    ...request.marks,
  }
}
