/**
 * A call leg of this page: its WebSocket, its media and its microphone. It reconnects automatically,
 * and releases everything at its end.
 */
import type { AppCallState, TalkState } from './app-call-state'
import { CallLink, type Frame } from './call-link'
import { CallMedia } from './call-media'
import { CallVoice } from './call-voice'
import type { Meter } from './meter'
import { Watched } from '../api/watched'

export type { AppCallState } from './app-call-state'

/** Where to join a call, with its token. */
export interface CallWay {
  ws_url: string
  call_token: string
}

interface Options {
  /** Opens another microphone, when the current one is unplugged. */
  reopen: () => Promise<MediaStream>
  isMuted?: boolean
  /** The page was reloaded during the call: it resumes the call. */
  isBack?: boolean
}

/** Timeout for the server's next message. */
const connectMs = 40_000

/** How long the server may take to confirm the end after a hang-up. */
const leaveMs = 3_000

export class AppCall extends Watched<AppCallState> {
  private readonly link: CallLink
  private readonly media: CallMedia
  private readonly voice: CallVoice
  private isMuted: boolean
  private isMediaLost = false
  /** Serialises media operations. */
  private failures = 0
  private isLeaving = false
  private timer: number | undefined
  private tokenListener: ((token: string) => void) | undefined

  /** @param sound the stream to send: its tracks are stopped at the end */
  constructor({ ws_url, call_token }: CallWay, sound: MediaStream, options: Options) {
    super({ at: 'connecting' })
    const { reopen, isMuted = false, isBack = false } = options
    this.isMuted = isMuted
    this.voice = new CallVoice(sound, reopen, {
      replaced: async (track) => this.media.send(track),
      problem: (microphone) => this.change({ microphone }),
    })
    this.voice.mute(isMuted)
    this.media = new CallMedia({
      candidate: (candidate) => this.link.say('call.ice_candidate', candidate),
      changed: (state) => this.mediaChanged(state),
    })
    this.timer = window.setTimeout(() => this.end('timeout'), connectMs)
    this.link = new CallLink(ws_url, call_token, {
      frame: (frame) => this.take(frame),
      lost: () => this.change({ isAway: true, refusal: null }),
      over: (code) => this.end(this.isMediaLost ? 'no_sound' : (code ?? 'failed')),
    })
    this.link.keepsPlace = isBack
  }

  /** Level of the microphone. */
  get microphone(): Meter {
    return this.voice.meter
  }

  get heard(): Meter {
    return this.media.heard
  }

  /** Called with each new resume token, which replaces the previous one. */
  onToken(listener: (token: string) => void): void {
    this.tokenListener = listener
  }

  /** Sends and plays nothing from now on; the end follows when the server confirms it, or cannot. */
  hangUp(): void {
    if (this.isLeaving || this.state.at === 'ended') return
    this.isLeaving = true
    this.voice.close()
    this.media.close()
    const isHeard = this.link.isOpen
    this.link.leave()
    window.clearTimeout(this.timer)
    if (isHeard) this.timer = window.setTimeout(() => this.end('hangup'), leaveMs)
    else this.end('hangup')
  }

  /** Puts the call on hold at once; the server learns of it when it is reachable. */
  mute(isMuted: boolean): void {
    this.isMuted = isMuted
    this.voice.mute(isMuted)
    this.change({ isMuted })
    this.link.say('call.mute', { muted: isMuted })
  }

  hold(on: boolean): void {
    this.link.say(on ? 'call.hold' : 'call.unhold')
  }

  /** @param digits of `0-9 A-D * #` */
  dtmf(digits: string): void {
    this.link.say('call.dtmf', { digits })
  }

  /** Switches to another microphone; the previous one is released. */
  async speakInto(sound: MediaStream): Promise<void> {
    await this.voice.use(sound)
  }

  /** Sets the output device; browsers that cannot choose use their default. */
  async playAt(deviceId: string): Promise<void> {
    await this.media.playAt(deviceId)
  }

  /** Hangs up, if the call is live, and releases everything. */
  close(): void {
    this.hangUp()
    this.end('hangup')
  }

  /** The user has read the error. */
  dismissRefusal(): void {
    this.change({ refusal: null })
  }

  private take({ event, data }: Frame): void {
    if (this.isLeaving && event !== 'call.ended') return
    switch (event) {
      case 'call.offer':
        void this.answer(String(data['sdp']))
        break
      case 'call.answered':
        this.settled(String(data['call_token']))
        break
      case 'call.token':
        this.settled(String(data['call_token']))
        // The server does not know the state of a new offer's connection yet: sending silence has to suffice.
        this.link.say('call.mute', { muted: this.isMuted })
        break
      case 'call.held':
      case 'call.unheld':
        this.change({ isHeld: event === 'call.held', refusal: null })
        break
      case 'call.ice_candidate':
        this.media.add(data)
        break
      case 'call.ended':
        this.end(String(data['reason']))
        break
      case 'error':
        this.change({ refusal: String(data['message']) })
        break
    }
  }

  private async answer(offer: string): Promise<void> {
    if (this.state.at === 'connecting') this.set({ at: 'answering' })
    try {
      this.link.say('call.answer', { sdp: await this.media.answer(offer, this.voice.sound) })
    } catch {
      this.hangUp()
      this.end('failed')
    }
  }

  private settled(token: string): void {
    this.link.token = token
    this.link.settled()
    this.tokenListener?.(token)
    window.clearTimeout(this.timer)
    if (this.state.at === 'talking') this.change({ isAway: this.isMediaLost })
    else {
      const { isMuted, isMediaLost: isAway } = this
      this.set({
        ...{ at: 'talking', since: Date.now(), isMuted, isAway },
        ...{ isHeld: false, microphone: this.voice.problem, refusal: null },
      })
    }
  }

  private mediaChanged(state: 'connected' | 'disconnected' | 'failed'): void {
    this.isMediaLost = state !== 'connected'
    if (state === 'connected') this.failures = 0
    this.change({ isAway: this.isMediaLost || !this.link.isOpen })
    if (state !== 'failed') return
    this.failures += 1
    // Only answered calls get a new offer (docs/integrate/apps.md, "Coming back"); it is useless if ICE fails again.
    if (this.state.at === 'talking' && this.failures === 1) {
      this.media.forget()
      this.link.renew()
    } else {
      this.hangUp()
      this.end('no_sound')
    }
  }

  private end(reason: string): void {
    const { state } = this
    if (state.at === 'ended') return
    this.set({ at: 'ended', reason, talkedMs: state.at === 'talking' ? Date.now() - state.since : 0 })
    window.clearTimeout(this.timer)
    if (!this.isLeaving) this.link.close()
    this.voice.close()
    this.media.close()
  }

  private change(changed: Partial<TalkState>): void {
    if (this.state.at === 'talking') this.set({ ...this.state, ...changed })
  }
}
