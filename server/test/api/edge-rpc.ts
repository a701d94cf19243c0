/** Stands where Kamailio's JSON-RPC is, to see what the server asks of it and to leave it without an answer. */
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Manner = 'answers' | 'refuses' | 'is silent'

export class EdgeRpc {
  /** Addresses whose registrations were removed, `user@domain`, in order. */
  readonly removed: string[] = []
  /** How it meets removals; it is always healthy otherwise. */
  manner: Manner = 'answers'
  /** Removals asked for, answered or not. */
  asked = 0
  /** How often it was asked how it is. */
  uptimes = 0
  /** Whether it says nothing to anybody. */
  isHung = false

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EdgeRpc> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, params } = JSON.parse(body) as { method: string; params: string[] }
        if (method === 'core.uptime') rpc.uptimes += 1
        if (rpc.isHung) return
        if (method === 'ul.rm') {
          rpc.asked += 1
          if (rpc.manner === 'is silent') return
          if (rpc.manner === 'refuses') {
            response.statusCode = 500
            response.end('{"jsonrpc":"2.0","error":{"code":500,"message":"not now"},"id":1}')
            return
          }
          rpc.removed.push(params[1]!)
        }
        response.end('{"jsonrpc":"2.0","result":{},"id":1}')
      })
    })
    const rpc = new EdgeRpc(server)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return rpc
  }

  /** Settings of a server that uses it. */
  get settings(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo
    return { JACKFIELD_EDGE_RPC_URL: `http://127.0.0.1:${port}/RPC`, JACKFIELD_EDGE_RPC_SECRET: 'secret' }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => this.server.close(closed))
  }
}
