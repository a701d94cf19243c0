/** Detects a dead stream: browsers do not report a connection that silently broke. */

/** Default heartbeat interval of the server, in seconds. */
const usualHeartbeat = 15

export class Silence {
  private timer: number | undefined
  private heartbeat = usualHeartbeat

  /** @param tooLong called after silence of twice the heartbeat interval */
  constructor(private readonly tooLong: () => void) {}

  begins(): void {
    this.end()
    this.timer = window.setTimeout(this.tooLong, 2_000 * this.heartbeat)
  }

  /** Data arrived. */
  isBroken({ heartbeat }: Readonly<Record<string, unknown>>): void {
    if (typeof heartbeat === 'number') this.heartbeat = heartbeat
    this.begins()
  }

  /** Stops watching. */
  end(): void {
    window.clearTimeout(this.timer)
  }
}
