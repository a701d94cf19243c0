/**
 * The audio that a call sends: a microphone. If it is unplugged, another one replaces it as soon as there
 * is one; until then silence is sent.
 */
import { Meter } from './meter'
import { MicrophoneError, type MicrophoneProblem } from './microphone'
import { SilentSound } from './silent-sound'
import { stopSound } from './sound'

interface Listener {
  /** Sends another track. */
  replaced(track: MediaStreamTrack): Promise<void>
  /** Why silence is sent; null: a microphone works again. */
  problem(problem: MicrophoneProblem | null): void
}

export class CallVoice {
  readonly meter = new Meter()
  private isMuted = false
  /** Sent while there is no microphone. */
  private silence: SilentSound | undefined
  /** The last reported problem. */
  private lastProblem: MicrophoneProblem | null = null
  private isOpening = false
  private isOver = false
  private readonly devices = navigator.mediaDevices as MediaDevices | undefined
  private readonly devicesChanged = () => {
    if (this.silence) void this.reopen()
  }

  constructor(
    private current: MediaStream,
    private readonly open: () => Promise<MediaStream>,
    private readonly listener: Listener,
  ) {
    this.follow(current)
    this.devices?.addEventListener('devicechange', this.devicesChanged)
  }

  get sound(): MediaStream {
    return this.silence?.sound ?? this.current
  }

  get problem(): MicrophoneProblem | null {
    return this.lastProblem
  }

  /** Switches to another microphone; the previous one is released. */
  async use(sound: MediaStream): Promise<void> {
    const [track] = sound.getAudioTracks()
    if (this.isOver || !track) {
      stopSound(sound)
      return
    }
    const { current: before, silence } = this
    this.current = sound
    this.silence = undefined
    this.follow(sound)
    try {
      await this.listener.replaced(track)
      this.report(null)
    } finally {
      stopSound(before)
      silence?.close()
    }
  }

  /** Silence is sent then. */
  mute(isMuted: boolean): void {
    this.isMuted = isMuted
    for (const track of this.current.getAudioTracks()) track.enabled = !isMuted
  }

  close(): void {
    this.isOver = true
    this.devices?.removeEventListener('devicechange', this.devicesChanged)
    stopSound(this.current)
    this.silence?.close()
    this.meter.close()
  }

  private follow(sound: MediaStream): void {
    this.meter.follow(sound)
    this.mute(this.isMuted)
    for (const track of sound.getAudioTracks()) {
      track.onended = () => {
        if (this.current !== sound || this.isOver) return
        void this.goSilent()
        void this.reopen()
      }
    }
  }

  /** The browser's permission prompt may stay open indefinitely. */
  private async goSilent(): Promise<void> {
    this.silence ??= new SilentSound()
    const [track] = this.silence.sound.getAudioTracks()
    // A closed connection cannot replace its track.
    if (track) await this.listener.replaced(track).catch(() => undefined)
  }

  private async reopen(): Promise<void> {
    if (this.isOpening) return
    this.isOpening = true
    try {
      await this.use(await this.open())
    } catch (error) {
      if (!this.isOver) this.report(error instanceof MicrophoneError ? error.problem : 'busy')
    } finally {
      this.isOpening = false
    }
  }

  private report(problem: MicrophoneProblem | null): void {
    this.lastProblem = problem
    this.listener.problem(problem)
  }
}
