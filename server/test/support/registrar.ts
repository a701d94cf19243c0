/** A carrier's registrar: challenges REGISTER, keeps one binding for each Contact, and says what a test wants. */
import { createHash, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket, createServer } from 'node:net'
import { eventually } from './api-client.js'
import { digestField } from './sip-digest.js'
import { header } from './sip-message.js'

export class Registrar {
  /** REGISTER requests, oldest first, with when they came in milliseconds. */
  readonly requests: { text: string; at: number }[] = []
  /** Contacts that are registered. */
  readonly bindings = new Set<string>()
  /** Each account's password. */
  readonly passwords: Record<string, string> = {}
  minExpires = 60
  /** Seconds that it grants at most. */
  mostExpires = 7_200
  /** Says this in place of all else, `null` nothing at all; undefined: goes on. */
  answerTo: (text: string) => string | null | undefined = () => undefined
  /** Digest algorithm that it challenges with. */
  algorithm: 'MD5' | 'SHA-256' = 'MD5'
  /** Nonces that are too old, from now on. */
  readonly stale = new Set<string>()
  /** The connections that brought requests. */
  readonly connections: Socket[] = []

  private constructor(
    readonly host: string,
    readonly port: number,
    private readonly shut: () => void,
  ) {}

  static async open(host: string, transport: 'udp' | 'tcp' = 'udp'): Promise<Registrar> {
    return transport === 'udp' ? Registrar.overUdp(host) : Registrar.overTcp(host)
  }

  close(): void {
    this.shut()
  }

  /** The latest nonce that it asked with. */
  nonce = ''

  /** Waits for a Contact that is registered, besides some. */
  async contact(but: readonly string[] = []): Promise<string> {
    return eventually(
      async () => [...this.bindings].find((one) => !but.includes(one)),
      (one) => one !== undefined,
      { withinMs: 15_000, what: 'registered Contact' },
    ) as Promise<string>
  }

  private static async overUdp(host: string): Promise<Registrar> {
    const socket = createSocket('udp4')
    socket.bind(0, host)
    await once(socket, 'listening')
    const registrar = new Registrar(host, socket.address().port, () => void socket.close())
    socket.on('message', (data, from) => {
      const answer = registrar.take(data.toString())
      if (answer) socket.send(answer, from.port, from.address)
    })
    return registrar
  }

  private static async overTcp(host: string): Promise<Registrar> {
    const server = createServer((socket) => {
      registrar.connections.push(socket)
      let held = ''
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        const parts = (held + chunk.toString()).split('\r\n\r\n')
        held = parts.pop() ?? ''
        for (const part of parts) {
          const answer = part.startsWith('REGISTER ') ? registrar.take(`${part}\r\n\r\n`) : ''
          if (answer) socket.write(answer)
        }
      })
    })
    server.listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const registrar = new Registrar(host, port, () => {
      for (const socket of registrar.connections) socket.destroy()
      server.close()
    })
    return registrar
  }

  private take(text: string): string {
    if (!text.startsWith('REGISTER ')) return ''
    this.requests.push({ text, at: Date.now() })
    const said = this.answerTo(text)
    return said === undefined ? this.decide(text) : (said ?? '')
  }

  private decide(text: string): string {
    const authorization = header({ text }, 'Authorization')
    if (!authorization || this.stale.has(digestField(authorization, 'nonce'))) {
      this.nonce = randomBytes(8).toString('hex')
      const stale = authorization ? ', stale=true' : ''
      return this.reply(text, 401, 'Unauthorized', [
        'WWW-Authenticate: Basic realm="carrier"',
        `WWW-Authenticate: Digest realm="carrier, a", nonce="${this.nonce}", algorithm=${this.algorithm}, qop="auth"${stale}`,
      ])
    }
    if (!this.isRight(authorization)) return this.reply(text, 403, 'Forbidden')
    const expires = Number(header({ text }, 'Expires'))
    const contact = /<([^>]+)>/.exec(header({ text }, 'Contact') ?? '')?.[1] ?? ''
    if (expires === 0) {
      this.bindings.delete(contact)
      return this.reply(text, 200, 'OK')
    }
    if (expires < this.minExpires)
      return this.reply(text, 423, 'Interval Too Brief', [`Min-Expires: ${this.minExpires}`])
    this.bindings.add(contact)
    const granted = Math.min(expires, this.mostExpires)
    const others = `"Other, one" <sip:other@192.0.2.9>;expires=7`
    return this.reply(text, 200, 'OK', [`Contact: ${others}, <${contact}>;q=1;expires=${granted}`])
  }

  private isRight(authorization: string): boolean {
    const field = (name: string) => digestField(authorization, name)
    const of = (plain: string) =>
      createHash(this.algorithm === 'MD5' ? 'md5' : 'sha256')
        .update(plain)
        .digest('hex')
    const password = this.passwords[field('username')]
    const middle = [field('nonce'), field('nc'), field('cnonce'), 'auth'].join(':')
    const ha1 = of(`${field('username')}:carrier, a:${password}`)
    const response = of(`${ha1}:${middle}:${of(`REGISTER:${field('uri')}`)}`)
    return password !== undefined && response === field('response')
  }

  reply(text: string, status: number, phrase: string, extra: readonly string[] = []): string {
    const kept = text.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line))
    return [
      `SIP/2.0 ${status} ${phrase}`,
      ...kept,
      `To: ${header({ text }, 'To')};tag=registrar`,
      ...extra,
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n')
  }
}
