/** All channels that this server drives on its switch: makes them, finds them, hands them their events. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type AfterBridge, afterBridgeVariables } from './after-bridge.js'
import { type Arrival, arrivalOf } from './arrival.js'
import { type CallerId, callerVariables } from './caller-variables.js'
import { Channel } from './channel.js'
import { type ChannelEnd, ChannelEndedError } from './channel-end.js'
import {
  type DialTarget,
  appEndpoint,
  channelVariables,
  forkedDialString,
  sipEndpoint,
} from './dial-string.js'
import { SwitchDownError, SwitchRefusedError } from './errors.js'
import { movedSources } from './moved-sources.js'
import type { OnFailure } from './redirects.js'
import { allowFax, refuseFax } from './fax.js'
import { builtInMusic } from './hold-music.js'
import type { LegAnswerer, LegOffer } from './leg-answerer.js'
import type { SampleRate } from '../../lib/sound/sample-rate.js'
import { microseconds } from './switch-event.js'
import { askable, silentLegs } from './silent-legs.js'
import { soundOf } from './sound-quality.js'
import type { SwitchLink } from './switch-link.js'
import { topics } from '../../infrastructure/observability/telemetry.js'

/** A switch without a codec's module leaves it out: G722 needs mod_spandsp. */
export type Codec = 'OPUS' | CarrierCodec

/** Those that carriers may be offered. */
export const carrierCodecs = ['PCMU', 'PCMA', 'G722'] as const
export type CarrierCodec = (typeof carrierCodecs)[number]

/**
 * Whether the far end is offered plain RTP, encrypted RTP (SDES, RFC 4568), or either: the edge offers encryption first
 * over TLS, and plain RTP first otherwise (kamailio-conf, encryption.cfg).
 */
export const mediaEncryptions = ['none', 'optional', 'required'] as const
export type MediaEncryption = (typeof mediaEncryptions)[number]

/** `webrtc`: ICE and DTLS-SRTP, as browsers need them. */
export type MediaOffer = MediaEncryption | 'webrtc'

/** One outbound leg. */
export interface DialRequest {
  readonly channelId: string
  readonly target: DialTarget
  readonly callerId: CallerId
  /** What the far end is offered, best first. The switch would offer a caller's own codec alone otherwise. */
  readonly codecs: readonly Codec[]
  /** Of its sound [none]. */
  readonly encryption?: MediaOffer
  /** Headers of the INVITE. */
  readonly headers: Readonly<Record<string, string>>
  readonly credential: { readonly username: string; readonly password: string } | null
  /** Seconds. */
  readonly ringTimeout: number
  /** Seconds after the answer at which the switch itself hangs up, whatever became of the server. */
  readonly maxDuration: number
  /** What the channel does when the other one of its bridge leaves. */
  readonly afterBridge: AfterBridge
  /** Whether its channel is parked, and can be heard, as soon as the far end sends sound; else when it answers. */
  readonly earlyMedia?: boolean
  /** Our own variables, by which a channel is recovered: `jackfield_call`, … */
  readonly recoveryVariables: Readonly<Record<string, string>>
}

/** One leg to an app, by WebRTC. `ringTimeout` is how long the app may take to answer. */
export interface AppDialRequest extends Pick<
  DialRequest,
  'channelId' | 'ringTimeout' | 'maxDuration' | 'afterBridge' | 'recoveryVariables'
> {
  /**
   * Opus, but PCMU for who listens in to others: heard through Opus, callers who speak PCMU are garbled, as the switch
   * does not resample for `eavesdrop`.
   */
  readonly codec: 'OPUS' | 'PCMU'
  /** Whether video is offered beside the sound: VP8, which every browser speaks. A switch without it offers none. */
  readonly video?: boolean
}

/** What a tap hears: all, what the far end of the channel says, or what it hears. */
export type TappedTrack = 'both' | 'inbound' | 'outbound'

/** One leg whose raw audio ends in this process. */
export interface AudioDialRequest extends Pick<
  DialRequest,
  'channelId' | 'ringTimeout' | 'maxDuration' | 'afterBridge' | 'recoveryVariables'
> {
  readonly sampleRate: SampleRate
  /**
   * A channel that it hears, instead of being parked; it ends with that. The rate must be 8,000 unless the channel's own
   * codec has 16,000 or more: the switch does not raise rates for `eavesdrop`.
   */
  readonly taps?: { readonly channelId: string; readonly track: TappedTrack }
}

/** What the switch says of a channel that we meet again. */
export interface ChannelSnapshot {
  readonly answered: boolean
  readonly ringing: boolean
  /** Not answered, and yet the far end hears us. */
  readonly early: boolean
  readonly bridged: boolean
  readonly answeredAt: Date | null
  readonly createdAt: Date | null
  /** Whether it called us: such a channel was parked before anything else. */
  readonly cameIn: boolean
  /** Name of the application that runs, `park` included. */
  readonly application: string
  /** Samples a second of what its far end sends; 0 before there is media. */
  readonly sampleRate: number
  /** What it brought, when it came in and this process has not taken it. */
  readonly arrival: Arrival | null
  variable(name: string): string | undefined
}

/** A client, or this process, counts as dead when it sends no media for this time, in milliseconds. */
const appTimeoutMs = 60_000

/** Of phones and carriers, which may be silent for as long as a call lasts: they are asked ({@link silentLegs}). */
const longestSilenceMs = 7_200_000

/** A leg's hang-up event comes within this after the command that made it has failed. */
const endEventMs = 500

/** Of apps and this process, which do not hold. The switch's own default is a module that we do not load. */
const noMusic = 'silence'

/** Which keys end a playback. The switch's own default is the star, which a script may use otherwise. */
const noKeys = 'none'

interface SwitchboardEvents {
  /** An incoming call: the channel is parked, unanswered, and no call drives it yet. */
  arrived: [arrival: Arrival]
  /** A channel has been answered, or was so when it was taken up; whether anybody here follows it or not. */
  answered: [channelId: string, at: Date]
  /** A phone has put the other party on hold (re-INVITE, RFC 3264 section 8.4), or ended that. */
  held: [channelId: string, isHeld: boolean, at: Date]
  /** A channel has ended, whether anybody here followed it or not, or was never made. */
  gone: [channelId: string]
}

/** How a call that came in is held until it is answered or refused. */
export interface HoldOptions {
  /** Seconds after which the switch itself gives it up, whatever became of the server. */
  readonly ringLimit: number
  /**
   * `hangup`: it is joined with one other channel and ends with that; the limit ends with its answer. `park`: it is
   * ours to drive, before and after a bridge, and the limit holds until another is set.
   */
  readonly afterBridge: AfterBridge
  readonly recoveryVariables: Readonly<Record<string, string>>
}

export class Switchboard extends EventEmitter<SwitchboardEvents> {
  private readonly channels = new Map<string, Channel>()
  private coreId: string | undefined
  private readonly silentLegs: ReturnType<typeof silentLegs>
  private readonly movedSources: ReturnType<typeof movedSources>

  /** @param answerer where apps' legs lead; without one there are none */
  constructor(
    private readonly link: SwitchLink,
    private readonly answerer?: LegAnswerer,
  ) {
    super()
    const farEnds = () =>
      [...this.channels.values()].filter(({ state, mayBeAsked }) => mayBeAsked && state === 'answered')
    this.silentLegs = silentLegs(farEnds)
    this.movedSources = movedSources(farEnds)
    link.on('event', (event) => {
      const id = event.channelId ?? ''
      const known = this.channels.get(id)
      known?.receive(event)
      if (!known && event.name === 'CHANNEL_PARK') {
        const arrival = arrivalOf((header) => event.get(header))
        if (arrival?.takenFor === null) this.emit('arrived', arrival)
      }
      if (event.name === 'CHANNEL_ANSWER') this.emit('answered', id, new Date())
      if (event.name === 'CHANNEL_HOLD' || event.name === 'CHANNEL_UNHOLD')
        this.emit('held', id, event.name === 'CHANNEL_HOLD', event.date)
      if (event.name === 'CHANNEL_BRIDGE') {
        const other = this.channels.get(event.get('Other-Leg-Unique-ID') ?? '')
        if (known && other) void allowFax(known, other)
      }
      if (event.name === 'CHANNEL_PARK' && known) void refuseFax(known, event)
      if (event.name === 'CHANNEL_HANGUP_COMPLETE') {
        this.forget(id)
        topics.channelEnded.publish(soundOf(event))
        this.emit('gone', id)
      }
    })
    link.on('up', (coreId) => {
      if (coreId !== this.coreId) answerer?.forgetAll()
      this.coreId = coreId
      this.silentLegs.start()
      this.movedSources.start()
    })
    link.on('down', () => {
      this.silentLegs.stop()
      this.movedSources.stop()
      this.abandonAll()
    })
  }

  newChannelId(): string {
    return randomUUID()
  }

  /**
   * Sends an INVITE and returns its channel at once; ringing, answer and failure come as its events.
   */
  dial(request: DialRequest): Channel {
    const { earlyMedia, ringTimeout, maxDuration } = request
    const variables = {
      ...variablesOf(request),
      ...(earlyMedia ? earlyMediaVariables(ringTimeout, maxDuration) : { ignore_early_media: 'true' }),
    }
    const channel = this.originate(request, variables, sipEndpoint(request.target))
    channel.mayBeAsked = true
    return channel
  }

  /**
   * Offers a client a leg by WebRTC and returns its channel at once; the outcome arrives as its events.
   * @param onOffer gets the switch's offer a few milliseconds later, and each re-INVITE; the client's answer to it answers
   * the channel
   */
  dialApp(request: AppDialRequest, onOffer: (offer: LegOffer) => void): Channel {
    const { answerer } = this
    if (!answerer) throw new Error('there is no answerer for apps')
    answerer.expect(request.channelId, onOffer)
    const variables = {
      ...legVariables(request),
      absolute_codec_string: request.video ? `${request.codec},VP8` : request.codec,
      media_webrtc: 'true',
      // Else comfort noise is offered, and browsers send it in place of steady sounds.
      ...(request.codec === 'PCMU' && { suppress_cng: 'true' }),
    }
    return this.originate(request, variables, appEndpoint(request.channelId, answerer.port))
  }

  /**
   * Calls this process itself, which reads and writes the leg's raw audio; returns its channel at once.
   * @param onOffer is handed the switch's offer a few milliseconds later, with L16 in it; the answer to it is what answers
   * the channel
   */
  dialAudio(request: AudioDialRequest, onOffer: (offer: LegOffer) => void): Channel {
    const { answerer } = this
    if (!answerer) throw new Error('there is no answerer for raw audio')
    answerer.expect(request.channelId, onOffer)
    const { taps } = request
    const variables = {
      ...legVariables(request),
      absolute_codec_string: `L16@${request.sampleRate}h@20i`,
      // What we send is paced already, and heard 15 ms sooner without a second clock.
      rtp_timer_name: 'none',
      suppress_cng: 'true',
      ...(taps && tapVariables(taps.track)),
    }
    const endpoint = appEndpoint(request.channelId, answerer.port)
    return this.originate(request, variables, endpoint, taps && `eavesdrop(${taps.channelId})`)
  }

  private originate(
    { channelId, ringTimeout }: Pick<DialRequest, 'channelId' | 'ringTimeout'>,
    variables: Readonly<Record<string, string>>,
    endpoint: string,
    application = 'park()',
  ): Channel {
    const channel = new Channel(channelId, this.link)
    this.channels.set(channel.id, channel)
    const command = `originate ${channelVariables(variables)}${endpoint} &${application}`
    const deadlineMs = (ringTimeout + 30) * 1000
    this.link.background(command, deadlineMs).catch((error: unknown) => {
      if (error instanceof SwitchRefusedError) this.expectEnd(channel, error.message)
    })
    return channel
  }

  /**
   * Makes an arrived call ours: it is ended by us from now on, and no longer by the dialplan's deadline. Its channel
   * is followed from the moment of this call on.
   * @returns null when it has gone, or was taken before
   */
  async take(
    arrival: Arrival,
    { ringLimit, afterBridge, recoveryVariables }: HoldOptions,
  ): Promise<Channel | null> {
    const { channelId } = arrival
    if (this.channels.has(channelId)) return null
    const channel = new Channel(channelId, this.link)
    channel.restore('ringing', null, false, true)
    channel.hears = arrival.hears
    channel.offersLate = arrival.offersLate
    channel.mayBeAsked = true
    this.channels.set(channelId, channel)
    const commands = [
      this.link.api(`sched_del ${channelId}`),
      this.link.api(`sched_hangup +${ringLimit} ${channelId} NO_ANSWER`),
      channel.setVariables({
        // The limit above ends with the answer; the far leg has the limit of the talk.
        ...(afterBridge === 'hangup' && { execute_on_answer: 'sched_cancel' }),
        media_timeout: String(longestSilenceMs),
        ...askable,
        playback_terminators: noKeys,
        // Headers of a phone's INVITE are not for the called party.
        sip_copy_custom_headers: 'false',
        ...afterBridgeVariables(afterBridge),
        ...recoveryVariables,
      }),
      channel.setText('hold_music', builtInMusic),
    ]
    try {
      await Promise.all<unknown>(commands)
    } catch (error) {
      this.channels.delete(channelId)
      if (error instanceof SwitchRefusedError) return null
      throw error
    }
    return channel
  }

  /** Has a caller who was taken with `afterBridge: 'hangup'` stay ours, before and after a bridge. */
  async drive(caller: Channel): Promise<void> {
    await caller.setVariables({ execute_on_answer: '', ...afterBridgeVariables('park') })
  }

  /**
   * Dials for a caller that waits unanswered: the far end's ringing, refusal and answer reach the caller, and the end of
   * either leg ends the other. The switch does all of that, even if this server dies. The caller hears ringing in place of
   * early media until {@link Channel.passEarlyMedia}.
   * @param onFailure whether its failure ends the caller too, with the same SIP status
   */
  dialFor(caller: Channel, request: DialRequest, onFailure: OnFailure): Channel {
    const channel = new Channel(request.channelId, this.link)
    channel.mayBeAsked = true
    this.channels.set(channel.id, channel)
    const variables = { ...variablesOf(request), ...unheardEarlyMedia(caller) }
    const target = `${channelVariables(variables, 'bridge')}${sipEndpoint(request.target)}`
    void this.connectionFailure(caller, target, onFailure).then((cause) => {
      // Both may have been parted, and go on.
      if (cause && channel.state !== 'answered') this.expectEnd(channel, cause)
    })
    return channel
  }

  /**
   * As {@link dialFor}, to several at once; the first answer wins. If all fail, the caller keeps waiting.
   * @param requests that differ in their channels, offers and headers
   */
  dialForkedFor(caller: Channel, requests: readonly DialRequest[]): Channel[] {
    const channels = requests.map(({ channelId }) => {
      const channel = new Channel(channelId, this.link)
      channel.mayBeAsked = true
      this.channels.set(channelId, channel)
      return channel
    })
    const endpoints = requests.map(({ target }) => sipEndpoint(target))
    const variables = requests.map((request) => ({ ...variablesOf(request), ...unheardEarlyMedia(caller) }))
    const target = forkedDialString(variables, endpoints)
    void this.connectionFailure(caller, target, 'go_on').then((cause) => {
      for (const channel of channels)
        if (cause && channel.state !== 'answered') this.expectEnd(channel, cause)
    })
    return channels
  }

  /** The answered channel of a SIP dialog that is followed here. */
  ofDialog(sipCallId: string): Channel | undefined {
    return [...this.channels.values()].find((channel) => channel.sipCallId === sipCallId && !channel.end)
  }

  /**
   * Follows a channel with a new object, for another call: the previous one's users see it end, though the channel lives.
   * @param cause hangup cause that they see
   */
  handOn(channel: Channel, cause: string): Channel {
    const next = new Channel(channel.id, this.link)
    next.restore('answered', channel.answeredAt, channel.bridged, true)
    next.sipCallId = channel.sipCallId
    next.mayBeAsked = channel.mayBeAsked
    next.isEncrypted = channel.isEncrypted
    this.channels.set(channel.id, next)
    const { answeredAt } = channel
    channel.finish({ hangupCause: cause, sipCode: null, answeredAt, endedAt: new Date() })
    return next
  }

  /** A channel that is followed already. */
  known(channelId: string): Channel | undefined {
    return this.channels.get(channelId)
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
      const { answeredAt, bridged, early } = snapshot
      channel.sipCallId = snapshot.answered ? snapshot.variable('sip_call_id') : undefined
      channel.restore(state, answeredAt, bridged, snapshot.cameIn, early)
      channel.mayBeAsked = snapshot.variable('fs_send_unsupported_info') === 'true'
      channel.isEncrypted = snapshot.variable('rtp_has_crypto') !== undefined
      if (snapshot.answered && channel.mayBeAsked)
        channel.soundKeys.restore(snapshot.variable('dtmf_type'), snapshot.sampleRate, !bridged)
      channel.offersLate =
        !snapshot.answered && snapshot.variable('endpoint_disposition') === 'RECEIVED_NOSDP'
      if (snapshot.answered) this.emit('answered', channelId, answeredAt ?? new Date())
    }
    return { channel, snapshot }
  }

  /** Follows no channel any more: the server that drove them gives up, and the calls are recovered. */
  abandonAll(): void {
    for (const channel of this.channels.values()) channel.abandon()
    this.channels.clear()
  }

  /** A channel that the switch has no more. */
  ended(channelId: string, end: ChannelEnd): Channel {
    const channel = new Channel(channelId, this.link)
    channel.finish(end)
    return channel
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
      early: answer === 'early',
      // All other variables of a bridge stay on the leg that is left (switch_ivr_bridge.c, audio_bridge_thread).
      bridged: headers['variable_bridge_to'] !== undefined,
      answeredAt: microseconds(headers['Caller-Channel-Answered-Time']),
      createdAt: microseconds(headers['Caller-Channel-Created-Time']),
      // Checked again: the channel may have been taken while the switch answered.
      arrival: this.channels.has(channelId) ? null : arrivalOf((header) => headers[header]),
      cameIn: headers['Call-Direction'] === 'inbound',
      application: headers['variable_current_application'] ?? '',
      sampleRate: Number(headers['Channel-Read-Codec-Rate'] ?? 0),
      variable: (name) => headers[`variable_${name}`],
    }
  }

  /** Ends a channel that no call drives. */
  async kill(channelId: string, cause: string): Promise<void> {
    await new Channel(channelId, this.link).hangUp(cause)
  }

  /** Refuses a call for which nothing was begun, with 503 and no `Reason` (RFC 3326): it may be begun elsewhere. */
  async turnAway(channelId: string): Promise<void> {
    const channel = new Channel(channelId, this.link)
    await channel.setVariables({ disable_q850_reason: 'true' })
    await channel.hangUp('NORMAL_TEMPORARY_FAILURE')
  }

  /** The cause of a leg's end that had no event of its own; null when the link was lost. */
  private async connectionFailure(
    caller: Channel,
    target: string,
    onFailure: OnFailure,
  ): Promise<string | null> {
    try {
      await caller.connect(target, onFailure)
    } catch (error) {
      if (error instanceof SwitchDownError) return null
      if (error instanceof ChannelEndedError) return error.end.hangupCause
    }
    return 'NORMAL_TEMPORARY_FAILURE'
  }

  private forget(channelId: string): void {
    this.channels.delete(channelId)
    this.answerer?.forget(channelId)
  }

  /** A leg that failed has its own hang-up event, unless the switch never made a channel for it. */
  private expectEnd(channel: Channel, cause: string): void {
    const timer = setTimeout(() => this.failWithoutChannel(channel, cause), endEventMs)
    const forget = () => clearTimeout(timer)
    channel.once('ended', forget)
    channel.once('abandoned', forget)
    if (channel.end) forget()
  }

  private failWithoutChannel(channel: Channel, cause: string): void {
    if (this.channels.get(channel.id) === channel) this.forget(channel.id)
    this.emit('gone', channel.id)
    channel.finish({ hangupCause: cause, sipCode: null, answeredAt: null, endedAt: new Date() })
  }
}

/** What every leg that we dial has. */
function legVariables(
  request: Pick<
    DialRequest,
    'channelId' | 'ringTimeout' | 'maxDuration' | 'afterBridge' | 'recoveryVariables'
  >,
): Record<string, string> {
  return {
    origination_uuid: request.channelId,
    originate_timeout: String(request.ringTimeout),
    media_timeout: String(appTimeoutMs),
    hold_music: noMusic,
    playback_terminators: noKeys,
    execute_on_answer: answeredLimit(request.maxDuration),
    // Session timers (RFC 4028) are the far end's choice.
    sofia_session_timeout: '0',
    ...afterBridgeVariables(request.afterBridge),
    ...request.recoveryVariables,
  }
}

/** `originate` is done with the first sound, and its own limit over: another one holds until the answer. */
function earlyMediaVariables(ringTimeout: number, maxDuration: number): Record<string, string> {
  return {
    execute_on_pre_answer: `sched_hangup +${ringTimeout} NO_ANSWER`,
    execute_on_answer: 'sched_cancel',
    execute_on_answer_then: answeredLimit(maxDuration),
  }
}

/** `consume` has the switch read the early media, and count its packets; by itself it would not send ringing to the caller. */
function unheardEarlyMedia(caller: Channel): Record<string, string> {
  return { ignore_early_media: 'consume', api_on_pre_answer: `uuid_ring_ready ${caller.id}` }
}

function tapVariables(track: TappedTrack): Record<string, string> {
  return {
    eavesdrop_enable_dtmf: 'false',
    ...(track === 'inbound' && { eavesdrop_bridge_aleg: 'true' }),
    ...(track === 'outbound' && { eavesdrop_bridge_bleg: 'true' }),
  }
}

function answeredLimit(seconds: number): string {
  return `sched_hangup +${seconds} ALLOTTED_TIMEOUT`
}

/** The oldest phones read the first suite alone. The switch would also offer one without authentication. */
const rtp_secure_media_suites = [
  ...['AES_CM_128_HMAC_SHA1_80', 'AEAD_AES_256_GCM', 'AEAD_AES_128_GCM'],
  ...['AES_256_CM_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'],
].join(':')

/** `optional` has the switch offer both kinds of stream. */
const encryptionVariables: Readonly<Record<MediaOffer, Record<string, string>>> = {
  // Where comfort noise is offered, browsers send it in place of steady sounds.
  webrtc: { media_webrtc: 'true', suppress_cng: 'true' },
  none: {},
  optional: { rtp_secure_media: 'optional', rtp_secure_media_suites },
  required: { rtp_secure_media: 'mandatory', rtp_secure_media_suites },
}

function variablesOf(request: DialRequest): Record<string, string> {
  const { callerId, credential } = request
  const headers = Object.entries(request.headers).map(([name, value]) => [`sip_h_${name}`, value] as const)
  return {
    ...legVariables(request),
    media_timeout: String(longestSilenceMs),
    hold_music: builtInMusic,
    ...askable,
    // A 302 could lead anywhere, past the edge's rules and into networks that only we reach: it is a refusal.
    outbound_redirect_fatal: 'true',
    absolute_codec_string: request.codecs.join(','),
    ...encryptionVariables[request.encryption ?? 'none'],
    ...callerVariables(callerId),
    ...Object.fromEntries(headers),
    ...(credential && { sip_auth_username: credential.username, sip_auth_password: credential.password }),
  }
}
