/** The API over HTTPS: the same answers as over HTTP, with a certificate that is reloaded when its file changes. */
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type Server, createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

interface Options {
  readonly certificateFile: string
  readonly keyFile: string
  readonly log: Logger
  /** Milliseconds between two looks at the file. */
  readonly lookEveryMs?: number
}

const minVersion = 'TLSv1.2'
const handshakeTimeout = 10_000

/** A server, not yet listening, that takes up a new certificate while its connections go on with the old one. */
export class TlsServer {
  /** All connections: the HTTP server knows only those whose handshake is done, and waits for the others. */
  private readonly raw = new Set<Socket>()

  private constructor(
    readonly server: Server,
    private readonly options: Options,
  ) {
    server.on('connection', (socket: Socket) => {
      this.raw.add(socket)
      socket.once('close', () => this.raw.delete(socket))
    })
  }

  /** @throws when the files cannot be read, or the key is not the certificate's */
  static async make(listener: RequestListener, options: Options): Promise<TlsServer> {
    const pair = await readPair(options)
    const made = new TlsServer(createServer({ ...pair, minVersion, handshakeTimeout }, listener), options)
    // By its name and not by its inode: a renewed certificate is a new file that is moved into place.
    const interval = options.lookEveryMs ?? 5_000
    for (const file of [options.certificateFile, options.keyFile]) watchFile(file, { interval }, made.renew)
    return made
  }

  /** No longer looks at the file; the server is its caller's. */
  stop(): void {
    for (const file of [this.options.certificateFile, this.options.keyFile]) unwatchFile(file, this.renew)
  }

  /** Cuts all connections, also those that never got as far as a request. */
  cut(): void {
    for (const socket of this.raw) socket.destroy()
  }

  private readonly renew = (): void => {
    const { log } = this.options
    readPair(this.options)
      .then((pair) => {
        this.server.setSecureContext({ ...pair, minVersion })
        log.info({ event: 'tls.certificate_reloaded' }, 'the certificate was reloaded')
      })
      .catch((error: unknown) =>
        log.error({ event: 'tls.certificate_refused', err: error }, 'the new certificate cannot be used'),
      )
  }
}

async function readPair({ certificateFile, keyFile }: Options) {
  const [cert, key] = await Promise.all([readFile(certificateFile), readFile(keyFile)])
  return { cert, key }
}
