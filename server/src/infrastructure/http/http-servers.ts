/** Where the API listens: HTTP, and HTTPS where there is a certificate. */
import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { type ConnectionLimits, connectionLimits, limitConnections } from './connection-limits.js'
import { inTurn } from './in-turn.js'
import { mayBePlain, withChallenges, withRedirect } from './plain-http.js'
import { TlsServer } from './tls-server.js'

/** How long requests under way may take to finish when the server stops. */
const drainMs = 10_000

export class HttpServers {
  private constructor(
    readonly all: readonly Server[],
    private readonly tls: TlsServer | null,
    private readonly config: Config['http'],
  ) {}

  /** Makes them, not yet listening. @throws when the certificate cannot be used */
  static async make(
    { http: config, base_domain: baseDomain, stream }: Pick<Config, 'http' | 'base_domain' | 'stream'>,
    listener: RequestListener,
    log: Logger,
    limits: ConnectionLimits = connectionLimits(stream.heartbeat),
  ): Promise<HttpServers> {
    const { tls_port: tlsPort, tls_certificate_file: certificateFile, tls_key_file: keyFile } = config
    const taking = (all: RequestListener) => inTurn(limits.maxWaiting, all)
    const tls = tlsPort > 0 ? await TlsServer.make(taking(listener), { certificateFile, keyFile, log }) : null
    const redirected = withRedirect({ tlsPort, trustedProxies: config.trusted_proxies, baseDomain }, listener)
    const plain = createServer(taking(withChallenges(config.challenge_directory, redirected)))
    const all = tls ? [plain, tls.server] : [plain]
    for (const server of all) {
      server.requestTimeout = 60_000
      server.headersTimeout = 15_000
      server.keepAliveTimeout = 65_000
    }
    limitConnections(all, limits, config.trusted_proxies)
    return new HttpServers(all, tls, config)
  }

  /** Whether a request to one of them may be for a WebSocket: not in clear where there is HTTPS. */
  mayUpgrade(server: Server, request: IncomingMessage): boolean {
    const { tls_port: tlsPort, trusted_proxies: trustedProxies } = this.config
    return server !== this.all[0] || mayBePlain(request, { tlsPort, trustedProxies })
  }

  /** @throws when a port refuses */
  async listen(): Promise<void> {
    const { host, port, tls_port: tlsPort } = this.config
    for (const [index, server] of this.all.entries()) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(index === 0 ? port : tlsPort, host, resolve)
      })
    }
  }

  /** Takes no more requests, and waits for those under way. */
  async close(): Promise<void> {
    this.tls?.stop()
    const timer = setTimeout(() => this.tls?.cut(), drainMs)
    await Promise.all(this.all.map(closed))
    clearTimeout(timer)
  }
}

async function closed(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
