/** Notices that a stream is dead: of a connection that is gone without a word browsers tell nothing. */

/** Where the server does not say how often it is heard of, in seconds. */
const usualHeartbeat = 15

export class Silence {
  private timer: number | undefined
  private heartbeat = usualHeartbeat

  /** @param tooLong nothing was heard for twice as long as the server keeps silent */
  constructor(private readonly tooLong: () => void) {}

  begins(): void {
    this.end()
    this.timer = window.setTimeout(this.tooLong, 2_000 * this.heartbeat)
  }

  /** Something was heard. */
  isBroken({ heartbeat }: Readonly<Record<string, unknown>>): void {
    if (typeof heartbeat === 'number') this.heartbeat = heartbeat
    this.begins()
  }

  /** Nothing is listened to. */
  end(): void {
    window.clearTimeout(this.timer)
  }
}
