/** A server of files, each under its path. */
import { once } from 'node:events'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Served = Buffer | ((response: ServerResponse) => unknown)

export class FileServer {
  readonly asked: string[] = []
  private readonly authorizations = new Map<string, string | undefined>()
  private readonly files = new Map<string, Served>()

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FileServer> {
    const server = createServer()
    const files = new FileServer(server)
    server.on('request', ({ url = '', headers }, response: ServerResponse) => {
      files.asked.push(url)
      files.authorizations.set(url, headers.authorization)
      const file = files.files.get(url)
      if (!file) response.writeHead(404).end()
      else if (Buffer.isBuffer(file)) response.writeHead(200, { 'content-type': 'text/html' }).end(file)
      else file(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return files
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }

  /** Serves a file, labelled wrongly on purpose. @returns its URL */
  serve(path: string, file: Served): string {
    this.files.set(path, file)
    return this.url(path)
  }

  /** The header of the last request. */
  authorizationAt(path: string): string | undefined {
    return this.authorizations.get(path)
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`
  }
}
