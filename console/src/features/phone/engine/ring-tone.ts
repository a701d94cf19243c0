/** The ring tone. */
import { soundChoice } from './sound-choice'

/** One second of ringing, two of silence. */
const periodSeconds = 3
const ringSeconds = 1
const tones = [440, 480]
const testTones = [523]
const loudness = 0.12

/** Rings until it is stopped. */
export class RingTone {
  private readonly context = new AudioContext()
  private readonly timer: number

  constructor() {
    void playAtChosen(this.context)
    this.ring()
    this.timer = window.setInterval(() => this.ring(), periodSeconds * 1000)
  }

  stop(): void {
    window.clearInterval(this.timer)
    void this.context.close().catch(() => undefined)
  }

  /** Browsers keep the audio silent until the first click. */
  private ring(): void {
    void this.context.resume()
    sound(this.context, tones)
  }
}

/** One ring, to test the speaker. */
export function playTestTone(): void {
  const context = new AudioContext()
  const play = () => {
    sound(context, testTones)
    window.setTimeout(() => void context.close().catch(() => undefined), 2_000 * ringSeconds)
  }
  void playAtChosen(context).then(play)
}

function sound(context: AudioContext, frequencies: readonly number[]): void {
  const gain = new GainNode(context, { gain: loudness })
  gain.connect(context.destination)
  for (const frequency of frequencies) {
    const oscillator = new OscillatorNode(context, { frequency })
    oscillator.connect(gain)
    oscillator.start()
    oscillator.stop(context.currentTime + ringSeconds)
  }
}

/** Where the browser lets a page choose the output; never fails. */
async function playAtChosen(context: AudioContext): Promise<void> {
  const { speakerId } = soundChoice()
  if (!speakerId || !('setSinkId' in context)) return
  await (context as { setSinkId(id: string): Promise<void> }).setSinkId(speakerId).catch(() => undefined)
}
