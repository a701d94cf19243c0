/**
 * A call that this page is an app of: its WebSocket, its media and its microphone in one. It comes back by itself when it
 * is cut, and lets go of everything at its end.
 */
import type { AppCallState, TalkState } from './app-call-state'
import { CallLink, type Frame } from './call-link'
import { CallMedia } from './call-media'
import { CallVoice } from './call-voice'
import type { Meter } from './meter'
import { Watched } from '../api/watched'

export type { AppCallState } from './app-call-state'

/** Where a call is that the page has a token for. */
export interface CallWay {
  ws_url: string
  call_token: string
}

interface Options {
  /** Opens another microphone, in place of one that is unplugged. */
  reopen: () => Promise<MediaStream>
  isMuted?: boolean
  /** The page was loaded anew while it had the call: its place in it is kept. */
  isBack?: boolean
}

/** Waiting longer for what the server says next is of no use. */
const connectMs = 40_000

/** The server says within this that a call is over which one has left. */
const leaveMs = 3_000

export class AppCall extends Watched<AppCallState> {
  private readonly link: CallLink
  private readonly media: CallMedia
  private readonly voice: CallVoice
  private isMuted: boolean
  private isMediaLost = false
  /** Of the media, one after the other. */
  private failures = 0
  private isLeaving = false
  private timer: number | undefined
  private tokenListener: ((token: string) => void) | undefined

  /** @param sound what is sent: the tracks of this stream are stopped at the end */
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

  /** How loud the microphone is. */
  get microphone(): Meter {
    return this.voice.meter
  }

  get heard(): Meter {
    return this.media.heard
  }

  /** Tells of each token for coming back, which takes the place of the one before. */
  onToken(listener: (token: string) => void): void {
    this.tokenListener = listener
  }

  /** Nothing is sent and heard any more; the end follows when the server has said so, or cannot. */
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

  /** Holds without the server too, which is told when it can be. */
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

  /** Another microphone from now on; the one before is let go. */
  async speakInto(sound: MediaStream): Promise<void> {
    await this.voice.use(sound)
  }

  /** Speakers or headset; where the browser cannot choose, its own. */
  async playAt(deviceId: string): Promise<void> {
    await this.media.playAt(deviceId)
  }

  /** Leaves the call, if it lasts, and lets go of everything. */
  close(): void {
    this.hangUp()
    this.end('hangup')
  }

  /** What was refused is read. */
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
        // Of a new offer's talk the server knows nothing yet: the silence that is sent has to do there.
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
    // A new offer is for who talks (docs/integrate/apps.md, "Coming back"), and of no use where no way is found again.
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
