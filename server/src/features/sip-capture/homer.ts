/** A Homer that captured SIP is passed on to, over UDP. Its name is looked up once a minute, and not for every message. */
import { type Socket, createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import type { Logger } from 'pino'
import { RepeatingTask } from '../../lib/repeating-task.js'

interface Settings {
  readonly host: string
  readonly port: number
}

type Lookup = (host: string) => Promise<{ address: string; family: number }>

const lookedUpEveryMs = 60_000

export class Homer {
  private to: { readonly address: string; readonly socket: Socket } | undefined
  private readonly lookingUp: RepeatingTask

  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly find: Lookup = lookup,
  ) {
    this.lookingUp = new RepeatingTask(
      {
        everyMs: lookedUpEveryMs,
        first: 'now',
        log,
        failure: ['sip_capture.homer_not_found', `Homer is not found: ${settings.host}`],
      },
      async (stopped) => this.lookUp(stopped),
    )
  }

  start(): void {
    this.lookingUp.start()
  }

  stop(): void {
    void this.lookingUp.stop()
    this.to?.socket.close()
    this.to = undefined
  }

  /** Sends as UDP does: a lost datagram is lost, also while Homer's address is unknown. */
  send(datagram: Buffer): void {
    this.to?.socket.send(datagram, this.settings.port, this.to.address)
  }

  /** The address from before holds where the name is not found now. */
  private async lookUp(stopped: AbortSignal): Promise<void> {
    const { address, family } = await this.find(this.settings.host)
    if (stopped.aborted || address === this.to?.address) return
    this.to?.socket.close()
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
    socket.on('error', (error) =>
      this.log.debug({ event: 'sip_capture.homer_unreachable', err: error }, 'Homer is not reached'),
    )
    this.to = { address, socket }
  }
}
