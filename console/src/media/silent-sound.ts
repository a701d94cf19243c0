/** What a call sends where there is no microphone: the server takes one of which nothing comes for a minute to be dead. */
import { stopSound } from './sound'

export class SilentSound {
  readonly sound: MediaStream
  private readonly context = new AudioContext()

  constructor() {
    const sent = new MediaStreamAudioDestinationNode(this.context)
    // With nothing before it a destination has no sound at all.
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
