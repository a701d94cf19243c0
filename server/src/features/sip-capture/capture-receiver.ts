/** Takes the SIP messages that Kamailio hands over, keeps them, and passes them on to a Homer where there is one. */
import { type Socket, createSocket } from 'node:dgram'
import type { Logger } from 'pino'
import type { CaptureStore } from './capture-store.js'
import { messageIn } from './hep.js'
import { Homer } from './homer.js'
import { callIdOf, hideSecrets } from './secrets-in-sip.js'

interface Settings {
  /** UDP port on 127.0.0.1; 0: none is taken. */
  readonly port: number
  /** Null: nothing is passed on. */
  readonly homer: { readonly host: string; readonly port: number } | null
}

/** What the system keeps for us while we are busy, in bytes. */
const receiveBytes = 4_194_304

export class CaptureReceiver {
  private socket: Socket | undefined
  private readonly homer: Homer | null

  constructor(
    private readonly settings: Settings,
    private readonly store: CaptureStore,
    private readonly log: Logger,
  ) {
    this.homer = settings.homer && new Homer(settings.homer, log)
  }

  get isOn(): boolean {
    return this.settings.port !== 0
  }

  /** @throws when the port is taken */
  async start(): Promise<void> {
    const { port } = this.settings
    if (!this.isOn) return
    await this.store.start()
    this.homer?.start()
    const socket = (this.socket = createSocket({ type: 'udp4', recvBufferSize: receiveBytes }))
    socket.on('message', (datagram) => this.take(datagram))
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind(port, '127.0.0.1', resolve)
    })
    socket.on('error', (error) =>
      this.log.warn({ event: 'sip_capture.stopped', err: error }, 'SIP is not captured any more'),
    )
  }

  async stop(): Promise<void> {
    this.socket?.close()
    this.homer?.stop()
    if (this.socket) await this.store.stop()
    this.socket = undefined
  }

  private take(datagram: Buffer): void {
    const message = messageIn(datagram)
    const callId = message && callIdOf(message.payload)
    if (!callId) return
    hideSecrets(message.payload)
    this.store.add(callId, datagram)
    this.homer?.send(datagram)
  }
}
