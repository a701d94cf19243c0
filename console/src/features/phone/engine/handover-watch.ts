/** Tells what comes of handing a call over: the stream of the one call says so (docs/apps.md, "One call"). */
import { accessToken } from '../../../session/access-token'

/** `initiated`, `completed`, `canceled`, or why the target was not reached. */
export type HandoverStatus = string

/** Handing over goes on without the stream, which only tells of it. */
const openWithinMs = 3_000

export class HandoverWatch {
  private constructor(private readonly source: EventSource) {}

  /** Resolves once it listens, or after three seconds. */
  static async open(callId: string, told: (status: HandoverStatus) => void): Promise<HandoverWatch> {
    const query = new URLSearchParams({ call_id: callId, token: await accessToken() })
    const source = new EventSource(`/api/v1/stream?${query.toString()}`)
    const isOpen = new Promise<void>((resolve) => {
      const timer = window.setTimeout(resolve, openWithinMs)
      source.addEventListener('stream.opened', () => {
        window.clearTimeout(timer)
        resolve()
      })
    })
    source.addEventListener('call.transfer', ({ data }: MessageEvent<string>) => {
      told((JSON.parse(data) as { status: HandoverStatus }).status)
    })
    await isOpen
    return new HandoverWatch(source)
  }

  close(): void {
    this.source.close()
  }
}
