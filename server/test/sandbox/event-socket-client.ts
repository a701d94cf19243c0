/** A small Event Socket client for the tests: sends text, sorts replies from events. */
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

export type Event = Record<string, string>

interface Waiting {
  wanted: (event: Event) => boolean
  resolve: (event: Event) => void
}

export class TestClient {
  readonly events: Event[] = []
  readonly socket: Socket
  closed = false
  #held: Buffer = Buffer.alloc(0)
  #replies: ((text: string) => void)[] = []
  #waiting: Waiting[] = []
  #greeted: () => void = () => {}
  readonly greeting = new Promise<void>((resolve) => (this.#greeted = resolve))

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true })
    this.socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.socket.on('error', () => {})
    this.socket.on('close', () => (this.closed = true))
  }

  /** Connected, authenticated and subscribed to everything. */
  static async open(
    port: number,
    password = 'test-password',
    events = 'event json ALL',
  ): Promise<TestClient> {
    const client = new TestClient(port)
    await client.greeting
    await client.send(`auth ${password}`)
    if (events) await client.send(events)
    return client
  }

  #read(chunk: Buffer): void {
    this.#held = Buffer.concat([this.#held, chunk])
    for (;;) {
      const end = this.#held.indexOf('\n\n')
      if (end < 0) return
      const head = this.#held.toString('utf8', 0, end)
      const length = Number(/^Content-Length: (\d+)/m.exec(head)?.[1] ?? 0)
      if (this.#held.length < end + 2 + length) return
      const body = this.#held.toString('utf8', end + 2, end + 2 + length)
      this.#held = this.#held.subarray(end + 2 + length)
      this.#message(head, body)
    }
  }

  #message(head: string, body: string): void {
    if (head.includes('auth/request')) this.#greeted()
    else if (head.includes('text/event-json')) this.#event(JSON.parse(body) as Event)
    else if (head.includes('text/event-plain')) this.#event({ plain: body })
    else if (head.includes('api/response')) this.#replies.shift()?.(body)
    else if (head.includes('command/reply'))
      this.#replies.shift()?.(/^Reply-Text: (.*)$/m.exec(head)?.[1] ?? '')
  }

  #event(event: Event): void {
    this.events.push(event)
    const ready = this.#waiting.filter(({ wanted }) => wanted(event))
    this.#waiting = this.#waiting.filter(({ wanted }) => !wanted(event))
    for (const { resolve } of ready) resolve(event)
  }

  /** Sends a command; resolves with the text of its reply. */
  async send(command: string): Promise<string> {
    return new Promise((resolve) => {
      this.#replies.push(resolve)
      this.socket.write(`${command}\n\n`)
    })
  }

  async api(command: string): Promise<string> {
    return this.send(`api ${command}`)
  }

  async execute(uuid: string, name: string, argument = '', more = ''): Promise<string> {
    return this.send(
      `sendmsg ${uuid}\ncall-command: execute\nexecute-app-name: ${name}\nexecute-app-arg: ${argument}${more && `\n${more}`}`,
    )
  }

  /** The first event, past or to come, that matches; fails after the deadline. */
  async event(name: string, match: Partial<Event> = {}, deadline = 5000): Promise<Event> {
    const wanted = (event: Event) =>
      event['Event-Name'] === name && Object.entries(match).every(([key, value]) => event[key] === value)
    const past = this.events.find(wanted)
    if (past) return Promise.resolve(past)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `no ${name} ${JSON.stringify(match)} in ${deadline} ms; had ${this.names().slice(-30).join(' ')}`,
            ),
          ),
        deadline,
      )
      this.#waiting.push({
        wanted,
        resolve: (event) => {
          clearTimeout(timer)
          resolve(event)
        },
      })
    })
  }

  /** The names of the events of one channel, in order. */
  names(uuid?: string): string[] {
    return this.events
      .filter((event) => !uuid || event['Unique-ID'] === uuid)
      .map((event) => event['Event-Name'] ?? '')
  }

  async end(): Promise<void> {
    if (this.closed) return
    const gone = once(this.socket, 'close')
    this.socket.destroy()
    await gone
  }
}
