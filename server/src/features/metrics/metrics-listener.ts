/** `GET /metrics` on a listener of its own, without authentication: it should listen where only the monitoring reaches it. */
import { type Server, createServer } from 'node:http'
import type { Metrics } from './metrics.js'

export class MetricsListener {
  private server: Server | undefined

  constructor(
    private readonly metrics: Metrics,
    private readonly settings: { readonly host: string; readonly port: number },
  ) {}

  /** Does nothing where no port is set. @throws when the port is taken */
  async start(): Promise<void> {
    const { host, port } = this.settings
    if (port === 0) return
    const server = createServer((request, response) => {
      if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
        response.writeHead(404).end()
        return
      }
      this.metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': this.metrics.type }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    server.requestTimeout = 10_000
    server.maxConnections = 50
    this.server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  }

  stop(): void {
    this.server?.close()
    this.server?.closeAllConnections()
  }
}
