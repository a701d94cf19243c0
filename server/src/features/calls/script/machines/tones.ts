/** Detects single tones: the beep of an answering machine, and the answer tone of a fax (ITU-T T.30, CED: 2100 Hz). */

/** Minimum share of a frame's power at one frequency. A hummed vowel has less. */
const pureShare = 0.95

/** Frames with a lower root mean square are silence. */
const silence = 100

/** Hz. Below it a voice can be as pure as a tone. */
const lowest = 400
const highest = 2_500

/** Hz that a tone may drift between frames. */
const drift = 15

/** Frames of 20 ms: 160 ms for a beep, 500 ms of 2100 Hz for a fax. */
const beepFrames = 8
const faxFrames = 25
const faxHz = 2_100
const faxWidth = 30

/** A fax reverses the phase of its tone (ITU-T V.8, ANSam), which spoils one frame. */
const spoiltFrames = 1

export class Tones {
  private hz = 0
  private length = 0
  private spoilt = 0

  /** @param rate samples per second */
  constructor(private readonly rate: number) {}

  /**
   * @param frame 20 ms
   * @returns what this frame completes: a beep is reported when it has ended
   */
  hear(frame: Int16Array): 'beep' | 'fax' | null {
    const hz = toneOf(frame, this.rate)
    if (hz !== null && (this.length === 0 || Math.abs(hz - this.hz) <= drift)) {
      this.hz = hz
      this.length += 1
      this.spoilt = 0
      return this.length >= faxFrames && Math.abs(hz - faxHz) <= faxWidth ? 'fax' : null
    }
    if (this.length > 0 && this.spoilt < spoiltFrames) {
      this.spoilt += 1
      return null
    }
    const wasBeep = this.length >= beepFrames
    this.length = this.spoilt = 0
    return wasBeep ? 'beep' : null
  }
}

/** @returns the frequency of a frame with a single tone, else null */
function toneOf(frame: Int16Array, rate: number): number | null {
  let [energy, both, middle] = [0, 0, 0]
  for (const sample of frame) energy += sample * sample
  if (energy < frame.length * silence * silence) return null
  // A tone has x[n] + x[n-2] = 2 cos(w) x[n-1]: w by least squares.
  for (let at = 2; at < frame.length; at++) {
    const [before, last, now] = [frame[at - 2] ?? 0, frame[at - 1] ?? 0, frame[at] ?? 0]
    both += last * (now + before)
    middle += last * last
  }
  const cosine = both / (2 * middle)
  if (!(Math.abs(cosine) < 1)) return null
  const turn = Math.acos(cosine)
  const hz = (turn * rate) / (2 * Math.PI)
  if (hz < lowest || hz > highest) return null
  return (2 * powerAt(frame, turn)) / (frame.length * energy) >= pureShare ? hz : null
}

function powerAt(frame: Int16Array, turn: number): number {
  let [real, imaginary] = [0, 0]
  for (const [at, sample] of frame.entries()) {
    real += sample * Math.cos(turn * at)
    imaginary += sample * Math.sin(turn * at)
  }
  return real * real + imaginary * imaginary
}
