/** Silence for calls without a microphone: the server ends a leg that sends no RTP for a minute. */
import { stopSound } from './sound'

export class SilentSound {
  readonly sound: MediaStream
  private readonly context = new AudioContext()

  constructor() {
    const sent = new MediaStreamAudioDestinationNode(this.context)
    // A destination node without an input sends nothing at all.
    const nothing = new ConstantSourceNode(this.context, { offset: 0 })
    nothing.connect(sent)
    nothing.start()
    void this.context.resume()
    this.sound = sent.stream
  }

  close(): void {
    stopSound(this.sound)
    void this.context.close().catch(() => undefined)
  }
}
