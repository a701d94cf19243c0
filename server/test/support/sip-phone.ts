/** A small phone: registers over any transport with MD5 or SHA-256, sends requests, answers what comes. */
import { randomBytes } from 'node:crypto'
import type { KamailioOptions } from './kamailio.js'
import { type Algorithm, answerChallenge, digestField } from './sip-digest.js'
import { type SipLink, type Transport, openLink, openSwitchLink } from './sip-link.js'
import { header, headers } from './sip-message.js'

export interface PhoneOptions {
  transport?: Transport
  /** Address that it sends from. */
  host?: string
  username: string
  domain: string
  password: string
  /** Which challenge it answers. */
  algorithm?: Algorithm
  /** Sends `user@domain` as the digest's username. */
  longName?: boolean
}

/** An answer, taken apart. */
export interface Answer {
  status: number
  text: string
}

interface RequestOptions {
  /** Headers; a To or Contact among them stands in the place of its own. */
  extra?: readonly string[]
  to?: string
  /** The whole From but for its tag. */
  from?: string
  callId?: string
  body?: string
  /** Milliseconds for the answer. The request is sent again meanwhile, as over UDP it may be lost (RFC 3261 17.1.1.2). */
  patienceMs?: number
}

const token = (): string => randomBytes(6).toString('hex')

/** Lines of the ACK that ends a refused INVITE. */
function acknowledging(lines: readonly string[], answer: Answer): string[] {
  const kept = lines.filter((line) => /^(From|Call-ID|Route):/i.test(line))
  const sequence = lines.find((line) => line.startsWith('CSeq:'))?.replace('INVITE', 'ACK') ?? ''
  return [...kept, `To: ${header(answer, 'To') ?? ''}`, sequence, 'Content-Length: 0', '', '']
}

export class SipPhone {
  /** Requests that came, oldest first. */
  readonly requests: string[] = []
  /** What it answers to a request; by default 200 to all. */
  answerTo: (request: string) => string | undefined = (request) => this.reply(request, 200, 'OK')
  readonly callId = `${token()}@phone`
  private readonly waiting = new Map<string, (answer: Answer) => void>()
  /** Of its side of each dialog. */
  readonly tag = token()
  private cseq = 1

  private constructor(
    readonly options: PhoneOptions & { transport: Transport },
    readonly link: SipLink,
  ) {
    link.onMessage((text) => this.receive(text))
  }

  static async open(edge: KamailioOptions, options: PhoneOptions): Promise<SipPhone> {
    const transport = options.transport ?? 'udp'
    return new SipPhone({ ...options, transport }, await openLink(edge, transport, options.host))
  }

  /** Stands in for the switch: sends to the edge's private side, and takes what the edge sends to the switch. */
  static async asSwitch(edge: KamailioOptions): Promise<SipPhone> {
    const link = await openSwitchLink(edge)
    return new SipPhone({ username: 'switch', domain: edge.switchHost, password: '', transport: 'udp' }, link)
  }

  get contact(): string {
    const { username, transport } = this.options
    const address = transport.startsWith('ws') ? 'phone.invalid' : `${this.link.host}:${this.link.port}`
    const parameter = transport === 'udp' ? '' : `;transport=${transport === 'wss' ? 'ws' : transport}`
    return `sip:${username}@${address}${parameter}`
  }

  /** Registers, with a challenge answered. `expires` 0 unregisters. */
  async register({
    expires = 300,
    extra = [],
    ...options
  }: Pick<RequestOptions, 'extra' | 'patienceMs'> & { expires?: number } = {}): Promise<Answer> {
    const lines = [`Contact: <${this.contact}>`, `Expires: ${expires}`, ...extra]
    return this.authorised('REGISTER', `sip:${this.options.domain}`, {
      ...options,
      ...{ extra: lines, callId: this.callId },
    })
  }

  /** Sends a request, and again with credentials when it is challenged. */
  async authorised(method: string, uri: string, options: RequestOptions = {}): Promise<Answer> {
    const first = await this.request(method, uri, options)
    const challenge = this.challengeOf(first)
    if (!challenge) return first
    const { username, domain, password, longName } = this.options
    const credentials = { username: longName ? `${username}@${domain}` : username, password }
    const name = first.status === 401 ? 'Authorization' : 'Proxy-Authorization'
    const authorization = `${name}: ${answerChallenge(challenge, credentials, { method, uri })}`
    return this.request(method, uri, { ...options, extra: [...(options.extra ?? []), authorization] })
  }

  /** The challenge that this phone would answer. */
  challengeOf(answer: Answer): string | undefined {
    const name = answer.status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate'
    const wanted = this.options.algorithm ?? 'MD5'
    return headers(answer, name).find(
      (challenge) => (digestField(challenge, 'algorithm') || 'MD5') === wanted,
    )
  }

  /** Sends one request and waits for its final answer. @throws when none comes within the time */
  async request(method: string, uri: string, options: RequestOptions = {}): Promise<Answer> {
    const {
      extra = [],
      to = this.aor,
      from = `<${this.aor}>`,
      callId = `${token()}@phone`,
      body = '',
      patienceMs,
    } = options
    const has = (name: string): boolean => extra.some((line) => line.startsWith(`${name}:`))
    const lines = [
      `From: ${from};tag=${this.tag}`,
      ...(has('To') ? [] : [`To: <${to}>`]),
      `Call-ID: ${callId}`,
      `CSeq: ${this.nextSequence()} ${method}`,
      ...(has('Contact') ? [] : [`Contact: <${this.contact}>`]),
      ...extra,
      ...(body ? [`Content-Length: ${body.length}`, '', body] : ['Content-Length: 0', '', '']),
    ]
    return this.transact(method, uri, lines, patienceMs ?? 3000, patienceMs !== undefined)
  }

  /** Sends a request whose lines are given but for Via, and waits for its final answer unless it is an ACK. */
  async transact(
    method: string,
    uri: string,
    lines: readonly string[],
    withinMs = 3000,
    isSentAgain = false,
  ): Promise<Answer> {
    const branch = `z9hG4bK${token()}`
    const { host, port } = this.link
    const via = `Via: SIP/2.0/${this.options.transport.toUpperCase()} ${host}:${port};branch=${branch};rport`
    const text = [`${method} ${uri} SIP/2.0`, via, 'Max-Forwards: 70', ...lines].join('\r\n')
    if (method === 'ACK') {
      this.link.send(text)
      return { status: 0, text: '' }
    }
    return new Promise((fulfil, reject) => {
      const timer = setTimeout(() => {
        clearInterval(again)
        this.waiting.delete(branch)
        reject(new Error(`no answer to ${method} within ${withinMs} ms`))
      }, withinMs)
      const again = isSentAgain ? setInterval(() => this.link.send(text), 1_000) : undefined
      this.waiting.set(branch, (answer) => {
        clearTimeout(timer)
        clearInterval(again)
        this.waiting.delete(branch)
        // the ACK of a refusal belongs to the same transaction
        if (method === 'INVITE' && answer.status >= 300) {
          const ack = [`ACK ${uri} SIP/2.0`, via, 'Max-Forwards: 70', ...acknowledging(lines, answer)]
          this.link.send(ack.join('\r\n'))
        }
        fulfil(answer)
      })
      this.link.send(text)
    })
  }

  nextSequence(): number {
    return this.cseq++
  }

  /** An answer to a request, with its contact. */
  reply(request: string, status: number, reason: string, { extra = [] as string[], body = '' } = {}): string {
    const repeated = request
      .split('\r\n\r\n', 1)[0]!
      .split('\r\n')
      .filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/i.test(line))
    const to = header({ text: request }, 'To') ?? ''
    return [
      `SIP/2.0 ${status} ${reason}`,
      ...repeated,
      `To: ${to.includes('tag=') ? to : `${to};tag=${this.tag}`}`,
      `Contact: <${this.contact}>`,
      ...extra,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  }

  close(): void {
    this.link.close()
  }

  get aor(): string {
    return `sip:${this.options.username}@${this.options.domain}`
  }

  private receive(text: string): void {
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0)
    if (status === 0) {
      this.requests.push(text)
      const answer = text.startsWith('ACK ') ? undefined : this.answerTo(text)
      if (answer) this.link.send(answer)
      return
    }
    const branch = /branch=([^;,\s]+)/.exec(header({ text }, 'Via') ?? '')?.[1] ?? ''
    if (status >= 200) this.waiting.get(branch)?.({ status, text })
  }
}
