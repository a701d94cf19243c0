/**
 * FreeSWITCH looks for events to send every 20 ms, and at once when something comes in on the socket. A line feed between
 * commands is enough for that, and is otherwise ignored (mod_event_socket.c, `read_packet`). It is sent while an event is
 * awaited and no command has just done the same.
 */
const nudgeMs = 4

/** What has been awaited for so long, in milliseconds, while nothing else happened, may wait for those 20 ms. */
const patientMs = 10_000

export class Nudges {
  private timer: NodeJS.Timeout | undefined
  private livelyAt = 0
  private wroteAt = 0

  /** @param nudge sends a line feed */
  constructor(
    private readonly isAwaited: () => boolean,
    private readonly nudge: () => void,
  ) {}

  /** A command was sent. */
  wrote(): void {
    this.wroteAt = performance.now()
    this.stir()
  }

  /** An event came, or a command was sent. */
  stir(): void {
    this.livelyAt = performance.now()
    this.timer ??= setInterval(() => this.tick(), nudgeMs)
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private tick(): void {
    const now = performance.now()
    if (!this.isAwaited() || now - this.livelyAt > patientMs) this.stop()
    else if (now - this.wroteAt >= nudgeMs) this.nudge()
  }
}
