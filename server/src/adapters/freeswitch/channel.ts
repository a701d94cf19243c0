/**
 * One channel of the switch, followed through its events. Commands for it are made one at a time:
 * the switch would run a second application inside the first.
 */
import type { SoundHeard } from './sound-heard.js'
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterBridgeVariables } from './after-bridge.js'
import type { CallerBand } from './arrival.js'
import { BridgeStart } from './bridge-start.js'
import { type ChannelEnd, ChannelEndedError, endOf } from './channel-end.js'
import { DoubledKeys, keySource } from './doubled-keys.js'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from './errors.js'
import { type OnFailure, continueOnFail } from './redirects.js'
import { SoundKeys } from './sound-keys.js'
import type { SwitchEvent } from './switch-event.js'
import type { SwitchLink } from './switch-link.js'
import { TypedKeys } from './typed-keys.js'

export type ChannelState = 'dialing' | 'ringing' | 'answered' | 'ended'

interface ChannelEvents {
  ringing: [sipCode: number, at: Date]
  answered: [at: Date]
  /** The far end sends sound before its answer: SIP 183 with SDP. */
  early: []
  /** Idle: no application runs, and no bridge. */
  parked: []
  bridged: []
  /** A playback ended. */
  played: []
  /** A key was pressed: by RFC 4733, SIP INFO, or as a tone ({@link SoundKeys}). */
  digit: [digit: string]
  ended: [end: ChannelEnd]
  /** The link was lost: this object gets no more events of the channel. */
  abandoned: []
}

/** No application runs longer; calls are shorter by contract. */
const applicationDeadlineMs = 3 * 3_600_000

/** How often a far end that has announced early media is polled for packets. */
const soundPollMs = 50

/** The switch parks a channel some 20 ms after its answer; beyond this it is not waited for. */
const parkDeadlineMs = 5_000

/** A playback that does not end at a break is broken again after this. */
const breakAgainMs = 250

/** The event of an answer of ours comes within this. */
const answerDeadlineMs = 5_000

/** The switch gives up an answer without an ACK after 32 s (RFC 3261 section 13.3.1.4). */
const lateAnswerDeadlineMs = 40_000

/** The event of a channel's end follows within this when the switch knows it no more. */
const endEventDeadlineMs = 5_000

/** Who hears a supervisor: no one, the leg that is supervised, or both legs. */
export type EavesdropMode = 'listen' | 'whisper' | 'barge'

/** Clears the failure of a B-leg: FreeSWITCH would answer the A-leg with it. */
const noFailure = { sip_invite_failure_status: '', last_bridge_proto_specific_hangup_cause: '' }

/** Of mod_dptools' eavesdrop. */
const eavesdropCommands = { listen: 0, whisper: 2, barge: 3 } as const

interface RunningApplication {
  id: string
  application: string
  settle(result: SwitchEvent | Error): void
}

export class Channel extends EventEmitter<ChannelEvents> {
  end: ChannelEnd | undefined
  answeredAt: Date | null = null
  bridged = false
  /** The Call-ID of its SIP dialog, once it is answered. */
  sipCallId: string | undefined
  /** Of a caller. */
  hears: CallerBand = 'narrow'
  /** Of a caller: whether its SDP comes only in its ACK. It hears nothing before its answer. */
  offersLate = false
  /** Whether its far end is a phone or carrier, which gets an INFO when it is silent. */
  mayBeAsked = false
  /** Whether its sound is encrypted by keys in the SDP, once it is answered. */
  isEncrypted = false
  /** Keys that were pressed and not yet read. */
  readonly keys = new TypedKeys()
  readonly soundKeys = new SoundKeys(async (application, argument) => this.begin(application, argument))
  private readonly doubledKeys = new DoubledKeys()
  private queue: Promise<unknown> = Promise.resolve()
  private running: RunningApplication | undefined
  private currentState: ChannelState = 'dialing'
  private isParked = false
  /** The last bridge that was requested. */
  private bridge: BridgeStart | undefined
  /** A playback has ended since we listen. */
  private hasPlayed = false
  private early = false
  /** The far end sends longer packets than it announced, and sounds follow that. */
  private knowsPace = false
  private paceChangedAt = 0
  /** The link over which the channel was followed is lost: this object cannot control it any more. */
  isAbandoned = false

  constructor(
    readonly id: string,
    private readonly link: SwitchLink,
  ) {
    super()
    this.setMaxListeners(50)
  }

  get state(): ChannelState {
    return this.currentState
  }

  /** Whether sound reaches the far end: it is answered, or has early media. */
  get hasMedia(): boolean {
    return this.early || this.currentState === 'answered'
  }

  /** Restores the state of a channel that lived before this process or this link did. */
  restore(
    state: 'dialing' | 'ringing' | 'answered',
    answeredAt: Date | null,
    bridged: boolean,
    cameIn = false,
    early = false,
  ): void {
    this.early = early
    this.currentState = state
    this.answeredAt = answeredAt
    this.bridged = bridged
    // It is parked again when the other one of its bridge leaves.
    this.isParked ||= (cameIn || state === 'answered') && !bridged
  }

  /** Sends ringing to the caller: SIP 180. */
  async ring(): Promise<void> {
    await this.tolerateGone(this.api(`uuid_ring_ready ${this.id}`))
  }

  /** Opens early media for an unanswered caller: SIP 183 with SDP. */
  async openEarlyMedia(): Promise<void> {
    if (this.hasMedia || this.end || this.offersLate) return
    await this.tolerateGone(this.api(`uuid_pre_answer ${this.id}`))
    this.early = true
  }

  /** Answers a caller; resolves when that has happened. @throws {ChannelEndedError | SwitchDownError} */
  async answer(): Promise<void> {
    if (this.state === 'answered') return
    if (this.end) throw new ChannelEndedError(this.end)
    const answered = this.until('answered', answerDeadlineMs)
    answered.catch(() => undefined)
    const command = `uuid_answer ${this.id}`
    // Without an offer it waits for the ACK, and other commands would wait with it (mod_sofia.c, sofia_answer_channel).
    if (this.offersLate) void this.tolerateGone(this.background(command)).catch(() => undefined)
    else await this.tolerateGone(this.api(command))
    await answered
  }

  /** Has the switch itself hang up after so many seconds, in place of any earlier limit. */
  async limit(seconds: number, cause: string): Promise<void> {
    // The switch takes them in the order in which they are sent.
    await Promise.all([
      this.tolerateGone(this.api(`sched_del ${this.id}`)),
      this.tolerateGone(this.api(`sched_hangup +${seconds} ${this.id} ${cause}`)),
    ])
  }

  /**
   * Plays a file or tone until its end, the signal or the hang-up.
   * @returns whether the switch could play it
   */
  async play(source: string, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const done = await this.untilBroken(this.execute('playback', source), signal)
      // A playback that began at the old pace was cut short.
      const isCut = Date.now() - this.paceChangedAt < breakAgainMs
      if (!isCut || signal.aborted) return done.get('Application-Response') === 'FILE PLAYED'
      this.paceChangedAt = 0
    }
  }

  /**
   * A playback is sent at the packet time of the incoming packets. The switch has now seen that they are longer than announced:
   * a playback that began before that would run too slowly to its end, and is begun again.
   */
  private async keepPace(): Promise<void> {
    const { running } = this
    if (running?.application !== 'playback' || this.knowsPace) return
    if ((await this.text('rtp_h_X-Broken-PTIME')) === null || this.running !== running) return
    this.knowsPace = true
    this.paceChangedAt = Date.now()
    await this.api(`uuid_break ${this.id}`)
  }

  /** Waits for a playback that began before this process did; it may have ended since the channel was restored. */
  async finishPlaying(signal: AbortSignal): Promise<void> {
    if (this.end) throw new ChannelEndedError(this.end)
    if (this.hasPlayed) return
    const played = this.until('played', applicationDeadlineMs)
    played.catch(() => undefined)
    await this.untilBroken(played, signal)
  }

  /** Plays over and over until the signal or the hang-up. */
  async playForever(source: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.play(source, signal)));
  }

  /**
   * Starts playing and returns. It is heard while the channel plays nothing else: what is played on top of it makes it
   * wait, and a bridge ends it. (After `uuid_broadcast` it would not go on.)
   */
  async playInBackground(source: string): Promise<void> {
    await this.untilParked()
    if (this.end) throw new ChannelEndedError(this.end)
    await this.begin('playback', source)
  }

  /**
   * Joins two answered channels; both are parked again or hung up when the other one leaves.
   * @param mayBeVideo whether both may see each other
   */
  async bridgeTo(other: Channel, mayBeVideo = false): Promise<void> {
    await Promise.all([this.untilParked(), other.untilParked()])
    this.isParked = other.isParked = false
    if (this.mayBeAsked && other.mayBeAsked) for (const one of [this, other]) one.soundKeys.pause()
    this.bridge = other.bridge = new BridgeStart(mayBeVideo)
    try {
      await this.api(`uuid_bridge ${this.id} ${other.id}`)
    } catch (error) {
      this.isParked = other.isParked = true
      for (const one of [this, other]) one.soundKeys.resume()
      this.bridge.end()
      throw error
    }
  }

  /**
   * Bridges this waiting leg with one that it hears before the answer. The other leg's answer answers this one too; when the
   * other leg fails, this one is parked again.
   */
  async waitFor(other: Channel): Promise<void> {
    await this.openEarlyMedia()
    // Without the second the other one's failure would be one of this one (switch_channel.c, switch_channel_handle_cause).
    await this.tolerateGone(this.setVariables({ park_after_early_bridge: 'true', continue_on_fail: 'true' }))
    await this.bridgeTo(other)
  }

  /** Waits until the channel is parked again after the leg that it waited for has failed, and clears that failure. */
  async forgetFailure(): Promise<void> {
    await this.untilParked()
    if (!this.end) await this.tolerateGone(this.setVariables(noFailure))
  }

  /**
   * Ends a bridge: both are parked, whatever they do otherwise when the other one leaves.
   * @param leaving who of them is hung up next, and not waited for: where nothing comes from its far end any more, it is
   * parked seconds later (measured)
   */
  async partFrom(other: Channel, leaving?: Channel): Promise<void> {
    await other.parkAfterBridge(true)
    if (this.bridge === other.bridge) await this.bridge?.untilPartable()
    if (this.end || other.end) return
    this.isParked = other.isParked = false
    await this.tolerateGone(this.api(`uuid_transfer ${this.id} -both park inline`))
    const staying = [this, other].filter((one) => one !== leaving)
    await Promise.all(staying.map(async (one) => one.untilParked()))
  }

  /** What it does when the other leg of its bridge leaves: it is parked, or hung up. */
  async parkAfterBridge(parks: boolean): Promise<void> {
    await this.tolerateGone(this.setVariables(afterBridgeVariables(parks ? 'park' : 'hangup')))
  }

  /** Ends the channel's bridge, or what the previous process began on it: the channel is idle then. */
  async park(): Promise<void> {
    if (this.end) return
    this.isParked = false
    await this.tolerateGone(this.api(`uuid_transfer ${this.id} park inline`))
    await this.untilParked()
  }

  /** Whether the far end is not heard by others; it hears them all the same. */
  async mute(on: boolean): Promise<void> {
    await this.tolerateGone(this.api(`uuid_audio ${this.id} ${on ? 'start read mute 1' : 'stop'}`))
    await this.tolerateGone(this.setVariables({ jackfield_muted: String(on) }))
  }

  /** Sends keys as if the far end had pressed them: the other leg of the bridge hears them. */
  async receiveKeys(keys: string): Promise<void> {
    if (!/^[0-9*#A-D]{1,64}$/.test(keys)) throw new Error('not keys of a telephone')
    await this.tolerateGone(this.api(`uuid_recv_dtmf ${this.id} ${keys}`))
  }

  /**
   * Hears both directions of another channel, until one of the two ends or this one is parked.
   * @param mode who hears this leg: no one, the other channel's far end, or both ends of its bridge
   */
  async eavesdrop(channelId: string, mode: EavesdropMode): Promise<void> {
    await this.setVariables({
      // Keys would switch modes otherwise.
      eavesdrop_enable_dtmf: 'false',
      eavesdrop_whisper_bleg: String(mode !== 'listen'),
      eavesdrop_whisper_aleg: String(mode === 'barge'),
    })
    await this.execute('eavesdrop', channelId)
  }

  /** Changes who hears this leg while it eavesdrops. */
  async switchEavesdrop(mode: EavesdropMode): Promise<void> {
    await this.command([
      'sendevent CUSTOM',
      'Event-Subclass: app::eavesdrop',
      `Unique-ID: ${this.id}`,
      `eavesdrop-command: ${eavesdropCommands[mode]}`,
    ])
  }

  /**
   * Dials for this unanswered leg and bridges both (`bridge`); resolves when the bridge has ended or the dial has failed.
   * @param target a dial string of use `bridge`
   * @param onFailure whether a failure ends this channel too
   */
  async connect(target: string, onFailure: OnFailure): Promise<void> {
    // In one turn: an earlier bridge looks at continue_on_fail a moment after its leg's end is reported.
    await this.inTurn(async () => {
      await this.tolerateGone(
        this.setVariables({ continue_on_fail: continueOnFail[onFailure], ...noFailure }),
      )
      return this.executeNow('bridge', target)
    })
  }

  /** Asks the far end for a key frame, which a new viewer needs. Does nothing without video. */
  async refreshVideo(): Promise<void> {
    await this.tolerateGone(this.api(`uuid_video_refresh ${this.id}`))
  }

  /**
   * Reports the success of its REFER to a phone: a NOTIFY with `SIP/2.0 200 OK` ends the subscription that began with the 202
   * (RFC 3515). Phones hang up then.
   * @param cseq of the REFER
   */
  async notifyReferred(cseq: number): Promise<void> {
    await this.link.command(
      [
        'sendevent NOTIFY',
        `uuid: ${this.id}`,
        `event-string: refer;id=${cseq}`,
        'content-type: message/sipfrag;version=2.0',
      ],
      'SIP/2.0 200 OK',
    )
  }

  async setVariables(variables: Readonly<Record<string, string>>): Promise<void> {
    const pairs = Object.entries(variables).map(([name, value]) => {
      if (!/^[\w.:,/-]*$/.test(value)) throw new Error(`the value of ${name} is not plain`)
      return `${name}=${value}`
    })
    await this.api(`uuid_setvar_multi ${this.id} ${pairs.join(';')}`)
  }

  /** Sets a variable to any text of one line; nothing in it is expanded. */
  async setText(name: string, value: string): Promise<void> {
    // uuid_setvar undoes one level of backslashes and quotes (switch_utils.c, cleanup_separated_string).
    const escaped = value.replace(/[\r\n]+/g, ' ').replace(/[\\']/g, '\\$&')
    await this.tolerateGone(this.api(`uuid_setvar ${this.id} ${name} ${escaped}`))
  }

  /** The text of a variable, or null when it has none. @throws {SwitchRefusedError} when the channel is gone */
  async text(name: string): Promise<string | null> {
    const value = await this.api(`uuid_getvar ${this.id} ${name}`)
    return value === '_undef_' ? null : value
  }

  /** Hangs up; a channel that has just been bridged with video only after its first 2 s. Harmless after the channel's end. */
  async hangUp(cause: string): Promise<void> {
    await this.bridge?.untilLeavable()
    if (this.state === 'ended') return
    const over = this.link.awaits()
    this.once('ended', over).once('abandoned', over)
    const failed = (error: unknown) => {
      over()
      throw error
    }
    await this.tolerateGone(this.api(`uuid_kill ${this.id} ${cause}`).catch(failed))
  }

  /** Refuses an unanswered caller with a SIP status that no hangup cause maps to. */
  async refuse(sipCode: number, phrase: string): Promise<void> {
    if (this.end) return
    await this.tolerateGone(this.execute('respond', `${sipCode} ${phrase}`))
    await this.hangUp('CALL_REJECTED')
  }

  /** Waits for the first packet of sound from a far end that is not answered; false when it answers or ends before. */
  async untilHeard(): Promise<boolean> {
    while (this.state !== 'answered' && !this.end && !this.isAbandoned) {
      if ((await this.packetsHeard()) > 0) return true
      await sleep(soundPollMs)
    }
    return false
  }

  /** Passes this leg's early media (SIP 183) to the caller for which the switch dials it; the caller heard ringing so far. */
  async passEarlyMedia(): Promise<void> {
    // Its empty answer would be lost on the socket.
    await this.tolerateGone(this.background(`uuid_early_ok ${this.id}`))
  }

  /** How many packets of audio have come from its far end. @throws {SwitchRefusedError} when the channel is gone */
  async packetsHeard(): Promise<number> {
    await this.api(`uuid_set_media_stats ${this.id}`)
    // `_undef_` before there is media
    return Number(await this.api(`uuid_getvar ${this.id} rtp_audio_in_packet_count`)) || 0
  }

  /** Packets received on its port, and those of them that were read. @throws {SwitchRefusedError} when the channel is gone */
  async soundHeard(): Promise<SoundHeard> {
    const packets = await this.packetsHeard()
    const silences = await this.api(`uuid_getvar ${this.id} rtp_audio_in_skip_packet_count`)
    return { packets, silences: Number(silences) || 0 }
  }

  /** Offers the far end its media again (re-INVITE), after which the switch learns the source of its RTP again. */
  async renewMedia(): Promise<void> {
    await this.tolerateGone(this.setVariables({ 'sip_h_X-Edge-Learn': 'source' }))
    await this.tolerateGone(this.api(`uuid_media_reneg ${this.id}`))
    await this.tolerateGone(this.setVariables({ 'sip_h_X-Edge-Learn': '' }))
  }

  /** Checks that a far end is alive (INFO); the edge reports one that does not answer. */
  async askPeer(): Promise<void> {
    await this.tolerateGone(this.api(`uuid_send_info ${this.id}`))
  }

  /** Waits for the end of a channel that the switch has no more: its event is on the way. */
  async untilEnded(): Promise<ChannelEnd> {
    if (this.end) return this.end
    try {
      await this.until('parked', endEventDeadlineMs)
    } catch (error) {
      if (error instanceof ChannelEndedError) return error.end
      throw error
    }
    throw new SwitchTimeoutError('a channel that was gone is there')
  }

  /** Whether the channel still exists in the switch. */
  async exists(): Promise<boolean> {
    return (await this.api(`uuid_exists ${this.id}`)).trim() === 'true'
  }

  /** Waits for something that has nothing to do with the switch. @throws {ChannelEndedError | SwitchDownError} */
  async whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (this.end) throw new ChannelEndedError(this.end)
    if (this.isAbandoned) throw new SwitchDownError()
    return new Promise<T>((resolve, reject) => {
      const ended = (end: ChannelEnd) => reject(new ChannelEndedError(end))
      const abandoned = () => reject(new SwitchDownError())
      this.once('ended', ended)
      this.once('abandoned', abandoned)
      work()
        .finally(() => this.off('ended', ended).off('abandoned', abandoned))
        .then(resolve, reject)
    })
  }

  /** Waits for an event. @throws {ChannelEndedError | SwitchDownError | SwitchTimeoutError} when it does not come */
  private async until(event: 'answered' | 'played' | 'parked', deadlineMs: number): Promise<void> {
    if (this.isAbandoned) throw new SwitchDownError()
    const over = this.link.awaits()
    let forget = () => {}
    try {
      await new Promise<void>((resolve, reject) => {
        const late = () => reject(new SwitchTimeoutError(`a channel is not ${event} within ${deadlineMs} ms`))
        const timer = setTimeout(late, deadlineMs)
        const ended = (end: ChannelEnd) => reject(new ChannelEndedError(end))
        const abandoned = () => reject(new SwitchDownError())
        const came = () => resolve()
        this.once(event, came)
        this.once('ended', ended)
        this.once('abandoned', abandoned)
        forget = () => {
          clearTimeout(timer)
          this.off(event, came).off('ended', ended).off('abandoned', abandoned)
        }
      })
    } finally {
      forget()
      over()
    }
  }

  /**
   * Waits for a playback, and breaks it at the signal: again and again, since a break that comes just
   * before the playback begins is lost. (`uuid_break … all` would also drop it from the switch's queue
   * without a word.)
   */
  private async untilBroken<T>(playing: Promise<T>, signal: AbortSignal): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      this.tolerateGone(this.api(`uuid_break ${this.id}`)).catch(() => undefined)
      timer = setTimeout(stop, breakAgainMs)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      return await playing
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /** @throws {SwitchDownError} when the link is lost meanwhile, {@link ChannelEndedError} when it hangs up */
  private async execute(application: string, argument: string): Promise<SwitchEvent> {
    return this.inTurn(async () => this.executeNow(application, argument))
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work)
    this.queue = turn.catch(() => undefined)
    return turn
  }

  private async executeNow(application: string, argument: string): Promise<SwitchEvent> {
    await this.untilParked()
    if (this.end) throw new ChannelEndedError(this.end)
    if (!this.link.isUp || this.isAbandoned) throw new SwitchDownError()
    const id = randomUUID()
    const over = this.link.awaits()
    const done = new Promise<SwitchEvent>((resolve, reject) => {
      const timer = setTimeout(
        () => settle(new SwitchTimeoutError(`${application} does not end`)),
        applicationDeadlineMs,
      )
      const settle = (result: SwitchEvent | Error) => {
        clearTimeout(timer)
        over()
        this.running = undefined
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
      this.running = { id, application, settle }
    })
    done.catch(() => undefined)
    try {
      await this.begin(application, argument, id)
    } catch (error) {
      this.running?.settle(error as Error)
    }
    return done
  }

  private async begin(application: string, argument: string, id: string = randomUUID()): Promise<void> {
    await this.command([
      `sendmsg ${this.id}`,
      'call-command: execute',
      `execute-app-name: ${application}`,
      `execute-app-arg: ${argument}`,
      `Event-UUID: ${id}`,
    ])
  }

  /**
   * Waits until a channel that was just answered, or has left a bridge, is parked: parking cuts short what was begun before
   * (a playback ends at once with PLAYBACK ERROR). Returns also when it ends instead.
   */
  async untilParked(): Promise<void> {
    if (this.isParked || this.end) return
    await this.until('parked', parkDeadlineMs).catch(() => undefined)
  }

  /** Feeds an event of this channel; called by the board. */
  receive(event: SwitchEvent): void {
    if (this.end) return
    switch (event.name) {
      case 'DTMF': {
        const digit = event.get('DTMF-Digit') ?? ''
        // The second: a key of ours that the switch sends as a tone.
        if (!/^[0-9*#A-D]$/.test(digit) || event.get('DTMF-Conversion') !== undefined) return
        const source = keySource(event.get('DTMF-Source'))
        if (source && this.doubledKeys.repeats(digit, source)) return
        this.keys.press(digit)
        this.emit('digit', digit)
        return
      }
      case 'CHANNEL_PROGRESS':
      case 'CHANNEL_PROGRESS_MEDIA':
        if (event.name === 'CHANNEL_PROGRESS_MEDIA' && this.currentState !== 'answered') this.emit('early')
        if (this.currentState !== 'dialing') return
        this.currentState = 'ringing'
        this.emit('ringing', event.name === 'CHANNEL_PROGRESS' ? 180 : 183, event.date)
        return
      case 'CHANNEL_ANSWER':
        this.currentState = 'answered'
        this.sipCallId = event.variable('sip_call_id')
        this.isEncrypted = event.variable('rtp_has_crypto') !== undefined
        this.answeredAt = event.moment('Caller-Channel-Answered-Time') ?? event.date
        this.updateSoundKeys(event)
        this.emit('answered', this.answeredAt)
        return
      case 'CODEC':
        void this.keepPace().catch(() => undefined)
        return
      case 'CHANNEL_PARK':
        this.isParked = true
        this.updateSoundKeys(event)
        this.emit('parked')
        return
      case 'CHANNEL_BRIDGE':
        this.bridged = true
        this.bridge?.begin(event.variable('video_read_codec') !== undefined)
        this.emit('bridged')
        return
      case 'CHANNEL_UNBRIDGE':
        this.bridged = false
        return
      case 'CHANNEL_EXECUTE_COMPLETE':
        // What a hang-up cut off is settled by the channel's end, which follows.
        if (event.get('Answer-State') === 'hangup') return
        if (event.get('Application-UUID') === this.running?.id) this.running?.settle(event)
        if (event.get('Application') === 'playback') {
          this.hasPlayed = true
          this.emit('played')
        }
        return
      case 'CHANNEL_HANGUP_COMPLETE':
        this.finish(endOf(event))
        return
    }
  }

  private updateSoundKeys(event: SwitchEvent): void {
    if (!this.mayBeAsked || this.currentState !== 'answered') return
    this.soundKeys.update(event, this.isParked && this.running?.application !== 'bridge')
  }

  /** Ends it with what is known, when its own event is missing. */
  finish(end: ChannelEnd): void {
    if (this.end) return
    this.end = end
    this.currentState = 'ended'
    this.bridged = false
    this.running?.settle(new ChannelEndedError(end))
    this.bridge?.end()
    this.emit('ended', end)
    this.removeAllListeners()
  }

  /** The link was lost: the channel lives on in the switch, but this object gets no events and cannot control it any more. */
  abandon(): void {
    this.isAbandoned = true
    this.running?.settle(new SwitchDownError())
    this.bridge?.end()
    this.emit('abandoned')
    this.removeAllListeners()
  }

  private async api(command: string): Promise<string> {
    if (this.isAbandoned) throw new SwitchDownError()
    return this.link.api(command)
  }

  private async background(command: string): Promise<string> {
    if (this.isAbandoned) throw new SwitchDownError()
    return this.link.background(command, lateAnswerDeadlineMs)
  }

  private async command(lines: string[]): Promise<void> {
    if (this.isAbandoned) throw new SwitchDownError()
    await this.link.command(lines)
  }

  /** Ignores `-ERR No such channel!`, the switch's answer for a channel that has just hung up. */
  private async tolerateGone(command: Promise<unknown>): Promise<void> {
    await command.catch((error: unknown) => {
      if (!(error instanceof SwitchRefusedError)) throw error
    })
  }
}
