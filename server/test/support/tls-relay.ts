/** TLS in front of a SIPp that speaks TCP only, and certificates for it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

/** Makes a certificate for 127.0.0.1 and localhost that signs itself, so it is its own authority. */
export async function selfSigned(directory: string): Promise<{ certificate: string; key: string }> {
  const certificate = join(directory, 'carrier.crt')
  const key = join(directory, 'carrier.key')
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=carrier.test', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-keyout', key, '-out', certificate],
  ])
  return { certificate, key }
}

export class TlsRelay {
  serverName: string | undefined
  connections = 0
  private readonly sockets = new Set<{ destroy(): unknown }>()

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private readonly target: number,
  ) {
    server.on('secureConnection', (socket) => this.join(socket))
    server.on('tlsClientError', () => undefined)
  }

  /** Listens on a free port of `host` and passes what it hears to TCP port `target`. */
  static async start(
    host: string,
    target: number,
    files: { certificate: string; key: string } | undefined,
  ): Promise<TlsRelay> {
    if (!files) throw new Error('a TLS carrier needs a certificate: see selfSigned()')
    const server = createServer({ cert: readFileSync(files.certificate), key: readFileSync(files.key) })
    server.listen(0, host)
    await once(server, 'listening')
    return new TlsRelay(server, host, target)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((done) => this.server.close(() => done()))
  }

  private join(outside: TLSSocket): void {
    this.connections++
    this.serverName = typeof outside.servername === 'string' ? outside.servername : undefined
    const inside = connect(this.target, this.host)
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      this.sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }
}
