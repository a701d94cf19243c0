/** What is heard and seen of a call that rings: a tone, and a notification of the browser. Of several tabs one rings. */
import { notify } from '../../../live/notifications'
import { soundChoice } from './sound-choice'

const lockName = 'jackfield.ringer'

/** A second of ringing, two of silence. */
const periodSeconds = 3
const ringSeconds = 1
const tones = [440, 480]
const loudness = 0.12

export interface RingNotice {
  callId: string
  title: string
  body: string
}

/** Rings until it is stopped. */
export class Ringer {
  private context: AudioContext | undefined
  private timer: number | undefined
  private notification: Notification | null = null
  private release: (() => void) | undefined
  private isOver = false

  constructor(private readonly notice: RingNotice) {
    const locks = navigator.locks as LockManager | undefined
    if (!locks) {
      this.start()
      return
    }
    void locks.request(lockName, { ifAvailable: true }, async (lock) => {
      if (!lock || this.isOver) return
      this.start()
      await new Promise<void>((resolve) => (this.release = resolve))
    })
  }

  stop(): void {
    if (this.isOver) return
    this.isOver = true
    window.clearInterval(this.timer)
    this.notification?.close()
    void this.context?.close().catch(() => undefined)
    this.release?.()
  }

  private start(): void {
    const { callId: tag, title, body } = this.notice
    this.notification = notify({ tag, title, body, stays: true, onClick: () => undefined })
    const context = new AudioContext()
    this.context = context
    const { speakerId } = soundChoice()
    if (speakerId && 'setSinkId' in context) {
      void (context as { setSinkId(id: string): Promise<void> }).setSinkId(speakerId).catch(() => undefined)
    }
    this.sound(context)
    this.timer = window.setInterval(() => this.sound(context), periodSeconds * 1000)
  }

  /** One ring. A browser that has seen no click yet stays silent. */
  private sound(context: AudioContext): void {
    void context.resume()
    const gain = new GainNode(context, { gain: loudness })
    gain.connect(context.destination)
    for (const frequency of tones) {
      const oscillator = new OscillatorNode(context, { frequency })
      oscillator.connect(gain)
      oscillator.start()
      oscillator.stop(context.currentTime + ringSeconds)
    }
  }
}

/** One ring for the ear, to find out where it is heard. */
export function playTestTone(): void {
  const context = new AudioContext()
  const { speakerId } = soundChoice()
  const play = () => {
    const gain = new GainNode(context, { gain: loudness })
    gain.connect(context.destination)
    const oscillator = new OscillatorNode(context, { frequency: 523 })
    oscillator.connect(gain)
    oscillator.onended = () => void context.close().catch(() => undefined)
    oscillator.start()
    oscillator.stop(context.currentTime + ringSeconds)
  }
  const chosen =
    speakerId && 'setSinkId' in context
      ? (context as { setSinkId(id: string): Promise<void> }).setSinkId(speakerId)
      : Promise.resolve()
  chosen.catch(() => undefined).finally(play)
}
