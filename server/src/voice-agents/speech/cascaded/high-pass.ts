/**
 * Takes away what is below a voice: mains hum, rumble, and an offset. A Butterworth filter of the second order
 * (https://www.w3.org/TR/audio-eq-cookbook/): 3 dB at `hz`, 12 dB an octave below it.
 */
export class HighPass {
  private readonly forward: readonly [number, number, number]
  private readonly back: readonly [number, number]
  private x1 = 0
  private x2 = 0
  private y1 = 0
  private y2 = 0

  constructor(rate: number, hz: number) {
    const omega = (2 * Math.PI * hz) / rate
    const alpha = Math.sin(omega) / Math.SQRT2
    const cosine = Math.cos(omega)
    const a0 = 1 + alpha
    this.forward = [(1 + cosine) / 2 / a0, -(1 + cosine) / a0, (1 + cosine) / 2 / a0]
    this.back = [(-2 * cosine) / a0, (1 - alpha) / a0]
  }

  /** What comes next, filtered. */
  filter(samples: Int16Array): Int16Array {
    const [b0, b1, b2] = this.forward
    const [a1, a2] = this.back
    const output = new Int16Array(samples.length)
    // Not by entries(): with every frame of every call, that would be four times as long.
    for (let index = 0; index < samples.length; index++) {
      const x = samples[index] ?? 0
      const y = b0 * x + b1 * this.x1 + b2 * this.x2 - a1 * this.y1 - a2 * this.y2
      this.x2 = this.x1
      this.x1 = x
      this.y2 = this.y1
      this.y1 = y
      output[index] = Math.max(-32768, Math.min(32767, Math.round(y)))
    }
    return output
  }
}
