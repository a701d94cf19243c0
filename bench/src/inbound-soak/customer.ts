/** A customer's own server: it knows every caller, and has each greeted and asked for a number. */
import { type Server, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

interface Asked {
  event: string
}

export class Customer {
  /** How often each event came. */
  readonly asked = new Map<string, number>()

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const { event } = JSON.parse(body) as Asked
        this.asked.set(event, (this.asked.get(event) ?? 0) + 1)
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify(answers[event] ?? {}))
      })
    })
  }

  static async start(): Promise<Customer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Customer(server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}

const answers: Readonly<Record<string, object>> = {
  'call_flow.contact_lookup': { display_name: 'A known caller', level: 'gold' },
  'call_flow.jca': {
    actions: [
      { action: 'tts', params: { text: 'Please type your number.' } },
      { action: 'ivr', params: { max_digits: 5, timeout: 8 } },
      { action: 'tts', params: { text: 'Thank you.' } },
    ],
  },
}
