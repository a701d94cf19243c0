/** Level of a stream, for display. */

/** Normal speech is in the middle: full scale is 0 dB, -60 dB is zero. */
const floorDb = -60

export class Meter {
  private context: AudioContext | undefined
  private source: MediaStreamAudioSourceNode | undefined
  private analyser: AnalyserNode | undefined
  private readonly samples = new Float32Array(1_024)

  /** Starts measuring this stream. */
  follow(stream: MediaStream): void {
    this.context ??= new AudioContext()
    this.analyser ??= new AnalyserNode(this.context, { fftSize: this.samples.length })
    this.source?.disconnect()
    this.source = new MediaStreamAudioSourceNode(this.context, { mediaStream: stream })
    this.source.connect(this.analyser)
    void this.context.resume()
  }

  /** 0 (silence) to 1 (full scale), over the last 20 ms. */
  level(): number {
    const { analyser, samples } = this
    if (!analyser) return 0
    analyser.getFloatTimeDomainData(samples)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    const db = 10 * Math.log10(Math.max(power, 1e-9))
    return Math.min(1, Math.max(0, 1 - db / floorDb))
  }

  close(): void {
    this.source?.disconnect()
    void this.context?.close().catch(() => undefined)
    this.context = this.analyser = this.source = undefined
  }
}
