/**
 * A telephone for tests: a small SIP user agent on UDP that registers, calls, answers, and hangs up. Its audio end
 * sends a tone of its own and keeps what it hears. Every request and answer is seen by the test.
 */
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { eventually } from './api-client.js'
import { PhoneDialog, type Via, patienceMs } from './phone-dialog.js'
import { RtpEar } from './rtp-ear.js'
import { answerChallenge } from './sip-digest.js'
import { header, headers, mediaAddress } from './sip-message.js'

export interface TelephoneOptions {
  username: string
  domain: string
  password?: string
  /** Where its requests go, `host:port`. */
  server: string
  host?: string
  /** Tone that it sends [440]. */
  toneHz?: number
  /** What it does when it is called [answer]. `ring`: until somebody gives up. A number: refuses with it. */
  onCall?: 'answer' | 'ring' | number
  /** How long it rings before it answers, milliseconds [100]. */
  ringMs?: number
  /** Whether it acknowledges the answers to its calls [true]. */
  acknowledges?: boolean
  /** Further headers of its INVITEs. */
  headers?: Record<string, string>
  /** The name in its From [its username]. */
  displayName?: string
  /** Changes its descriptions of media before they are sent. */
  describes?: (sdp: string) => string
}

export class Telephone extends EventEmitter<{ call: [PhoneDialog] }> {
  onCall: 'answer' | 'ring' | number
  /** Where its descriptions of media say that it hears; by default its ear. */
  mediaHost: string | undefined
  mediaPort: number | undefined
  /** Changes its descriptions of media before they are sent. */
  describes: (sdp: string) => string
  /** Sends its INVITEs without a description of media, and answers the other side's in its ACK. */
  offersLate = false
  /** Refuses what is offered within a call with this status. */
  refusesOffers: number | undefined
  /** Refuses fax (T.38) within a call with 488. */
  refusesFax = false
  /** Further headers of its answers. */
  says: readonly string[] = []
  readonly dialogs = new Map<string, PhoneDialog>()
  /** Calls that came in, in order. */
  readonly incoming: PhoneDialog[] = []
  private readonly invites = new Map<string, string>()
  /** Headers of a call of its own, which it repeats when it is challenged. */
  private readonly extra = new Map<string, Record<string, string>>()
  /** The latest re-INVITE of each call. */
  private readonly renewals = new Map<string, string>()
  private isOff = false
  private readonly replies = new EventEmitter()
  private readonly waiting: NodeJS.Timeout[] = []

  private constructor(
    private readonly options: Required<Omit<TelephoneOptions, 'onCall'>>,
    private readonly socket: Socket,
    readonly ear: RtpEar,
    onCall: 'answer' | 'ring' | number,
  ) {
    super()
    this.onCall = onCall
    this.describes = options.describes
    socket.on('message', (data, from) => this.receive(data.toString(), from))
    socket.on('error', () => undefined)
  }

  static async open(options: TelephoneOptions): Promise<Telephone> {
    const { host = '127.0.0.1', toneHz = 440, onCall = 'answer' } = options
    const socket = createSocket('udp4')
    socket.bind(0, host)
    await once(socket, 'listening')
    const ear = await RtpEar.open({ host, toneHz })
    const all = {
      password: '',
      ringMs: 100,
      acknowledges: true,
      headers: {},
      displayName: options.username,
      describes: (sdp: string) => sdp,
      ...options,
      host,
      toneHz,
    }
    return new Telephone(all, socket, ear, onCall)
  }

  get uri(): string {
    return `sip:${this.options.username}@${this.options.domain}`
  }

  get port(): number {
    return this.socket.address().port
  }

  /** The call that comes behind those that it has had. @param had how many these are */
  async called(had: number): Promise<PhoneDialog> {
    const dialog = await eventually(
      async () => this.incoming[had],
      (one) => one !== undefined,
      { what: `call ${had + 1} at ${this.options.username}` },
    )
    return dialog!
  }

  /** Says and hears nothing any more. */
  losePower(): void {
    this.isOff = true
    for (const { media } of [...this.dialogs.values()]) if (media) this.ear.leave(media.host, media.port)
  }

  async close(): Promise<void> {
    this.waiting.forEach(clearTimeout)
    await new Promise<void>((done) => this.socket.close(() => done()))
    await this.ear.close()
  }

  /** Registers for a while; returns the final status. `expires` 0 takes the registration back. */
  async register(expires = 300): Promise<number> {
    const callId = `${randomBytes(8).toString('hex')}@phone`
    const tag = randomBytes(4).toString('hex')
    const uri = `sip:${this.options.domain}`
    const send = async (cseq: number, more: string[]) => {
      const reply = once(this.replies, `${callId} ${cseq}`, { signal: AbortSignal.timeout(patienceMs) })
      this.send([
        `REGISTER ${uri} SIP/2.0`,
        this.via(),
        'Max-Forwards: 70',
        `From: <${this.uri}>;tag=${tag}`,
        `To: <${this.uri}>`,
        `Call-ID: ${callId}`,
        `CSeq: ${cseq} REGISTER`,
        `Contact: <${this.contact}>;expires=${expires}`,
        ...more,
      ])
      return (await reply)[0] as string
    }
    const first = await send(1, [])
    if (statusOf(first) !== 401) return statusOf(first)
    return statusOf(await send(2, [this.authorization(first, 'REGISTER', uri)]))
  }

  /** Calls somebody: a number, an extension or a username. */
  call(user: string, more: Record<string, string> = {}): PhoneDialog {
    const callId = `${randomBytes(8).toString('hex')}@phone`
    const uri = `sip:${user}@${this.options.domain}`
    const dialog = new PhoneDialog(this, callId, randomBytes(4).toString('hex'), this.uri, uri)
    this.dialogs.set(callId, dialog)
    this.extra.set(callId, more)
    this.invite(dialog, { ...this.options.headers, ...more })
    return dialog
  }

  /** Gives up a call that rings. */
  cancel(dialog: PhoneDialog): void {
    const invite = this.invites.get(dialog.callId) ?? ''
    this.send([
      `CANCEL ${dialog.remote} SIP/2.0`,
      `Via: ${headers({ text: invite }, 'Via')[0]}`,
      'Max-Forwards: 70',
      `From: ${header({ text: invite }, 'From')}`,
      `To: ${header({ text: invite }, 'To')}`,
      `Call-ID: ${dialog.callId}`,
      `CSeq: ${dialog.inviteCseq} CANCEL`,
    ])
  }

  /** Puts a call on hold (`sendonly`), or takes it back (`sendrecv`); the answer is the dialog's next status. */
  renew(dialog: PhoneDialog, direction: 'sendonly' | 'inactive' | 'sendrecv'): void {
    this.sendOffer(dialog, `${this.sdp()}a=${direction}\r\n`)
  }

  /** Offers other media within a call (re-INVITE); returns the final answer's status. */
  async offer(dialog: PhoneDialog, sdp = this.sdp()): Promise<number> {
    const had = dialog.statuses.length
    this.sendOffer(dialog, sdp)
    const status = await eventually(
      async () => dialog.statuses.slice(had).find((one) => one >= 200),
      (one) => one !== undefined,
      { what: 'answer to a re-INVITE' },
    )
    return status!
  }

  /** Presses keys in a call, in its audio (RFC 4733) or by SIP INFO (`application/dtmf-relay`). */
  press(dialog: PhoneDialog, keys: string, by: 'rtp' | 'info' = 'rtp'): void {
    if (by === 'rtp') {
      const { host = '127.0.0.1', port = 0 } = dialog.media ?? {}
      this.ear.press(host, port, keys)
      return
    }
    for (const key of keys) {
      dialog.cseq += 1
      const body = `Signal=${key}\r\nDuration=100\r\n`
      this.sendWithin(dialog, 'INFO', dialog.cseq, body)
    }
  }

  /** Presses a key by SIP INFO, and waits for the answer; returns its status. */
  async pressByInfo(dialog: PhoneDialog, key: string): Promise<number> {
    this.press(dialog, key, 'info')
    return this.answerWithin(dialog, 'INFO')
  }

  /** The status of the final answer to the latest request of a dialog. */
  private async answerWithin(dialog: PhoneDialog, method: string): Promise<number> {
    const cseq = `${dialog.cseq} ${method}`
    const isAnswer = (text: string) => text.startsWith('SIP/2.0 ') && header({ text }, 'CSeq') === cseq
    const answer = await eventually(
      async () => dialog.received.find((text) => isAnswer(text) && statusOf(text) >= 200),
      (one) => one !== undefined,
      { what: `answer to ${method}` },
    )
    return statusOf(answer!)
  }

  /** Asks that the other side call somebody else (REFER, RFC 3515); returns the answer's status. */
  async refer(dialog: PhoneDialog, to: string): Promise<number> {
    dialog.cseq += 1
    this.sendWithin(dialog, 'REFER', dialog.cseq, '', [`Refer-To: <${to}>`, `Referred-By: <${this.uri}>`])
    return this.answerWithin(dialog, 'REFER')
  }

  /** Asks that those with whom it talks in two calls be joined (RFC 5589 section 7). @returns the answer's status */
  async joinCalls(
    dialog: PhoneDialog,
    { callId, remote, remoteTag, localTag }: PhoneDialog,
  ): Promise<number> {
    const replaces = encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`)
    return this.refer(dialog, `${remote}?Replaces=${replaces}`)
  }

  /** Sends a request within a call. */
  async ask(dialog: PhoneDialog, method: string, more: readonly string[], body = ''): Promise<number> {
    dialog.cseq += 1
    const cseq = `${dialog.cseq} ${method}`
    this.sendWithin(dialog, method, dialog.cseq, body, more)
    const answer = await eventually(
      async () =>
        dialog.received.find((text) => text.startsWith('SIP/2.0 ') && header({ text }, 'CSeq') === cseq),
      (one) => one !== undefined,
      { what: `answer to ${method}` },
    )
    return statusOf(answer!)
  }

  bye(dialog: PhoneDialog): void {
    dialog.cseq += 1
    this.sendWithin(dialog, 'BYE', dialog.cseq)
    dialog.end('hung up')
  }

  /** Is heard in a call that rings, and is not answered by that: SIP 183. */
  announce(dialog: PhoneDialog): void {
    this.listenTo(dialog, this.invites.get(dialog.callId) ?? '')
    this.replyTo(dialog, 183, 'Session Progress', this.sdp())
  }

  /** Says once more that it rings. */
  ring(dialog: PhoneDialog): void {
    this.replyTo(dialog, 180, 'Ringing')
  }

  /** Answers a call that rings. */
  accept(dialog: PhoneDialog): void {
    if (dialog.state !== 'ringing') return
    const text = this.invites.get(dialog.callId) ?? ''
    this.listenTo(dialog, text)
    this.replyTo(dialog, 200, 'OK', this.sdp())
  }

  /** Refuses a call that rings. */
  refuse(dialog: PhoneDialog, status: number): void {
    this.replyTo(dialog, status, 'Refused')
    dialog.end(String(status))
  }

  private get contact(): string {
    return `sip:${this.options.username}@${this.options.host}:${this.port}`
  }

  private via(): string {
    return `Via: SIP/2.0/UDP ${this.options.host}:${this.port};branch=z9hG4bK${randomBytes(8).toString('hex')};rport`
  }

  private invite(dialog: PhoneDialog, more: Record<string, string>, authorization: string[] = []): void {
    const lines = [
      `INVITE ${dialog.remote} SIP/2.0`,
      this.via(),
      'Max-Forwards: 70',
      `From: "${this.options.displayName}" <${dialog.local}>;tag=${dialog.localTag}`,
      `To: <${dialog.remote}>`,
      `Call-ID: ${dialog.callId}`,
      `CSeq: ${dialog.cseq} INVITE`,
      `Contact: <${this.contact}>`,
      'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE',
      ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
      ...authorization,
    ]
    this.invites.set(dialog.callId, this.send(lines, this.offersLate ? '' : this.sdp()))
  }

  private sendOffer(dialog: PhoneDialog, sdp: string): void {
    dialog.cseq += 1
    dialog.inviteCseq = dialog.cseq
    this.renewals.set(dialog.callId, this.sendWithin(dialog, 'INVITE', dialog.cseq, sdp))
  }

  private sendWithin(
    dialog: PhoneDialog,
    method: string,
    cseq: number,
    body = '',
    more: readonly string[] = [],
  ): string {
    const [first] = dialog.routes
    return this.send(
      [
        `${method} ${dialog.remoteTarget} SIP/2.0`,
        this.via(),
        'Max-Forwards: 70',
        ...dialog.routes.map((route) => `Route: ${route}`),
        `From: <${dialog.local}>;tag=${dialog.localTag}`,
        `To: <${dialog.remote}>;tag=${dialog.remoteTag}`,
        `Call-ID: ${dialog.callId}`,
        `CSeq: ${cseq} ${method}`,
        `Contact: <${this.contact}>`,
        ...more,
      ],
      body,
      addressIn(first ?? dialog.remoteTarget),
    )
  }

  /** Its description of media. */
  sdp(): string {
    const lines = [
      'v=0',
      `o=phone 1 1 IN IP4 ${this.ear.host}`,
      's=-',
      `c=IN IP4 ${this.mediaHost ?? this.ear.host}`,
      't=0 0',
      `m=audio ${this.mediaPort ?? this.ear.port} RTP/AVP 0 101`,
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-16',
      'a=ptime:20',
      '',
    ]
    return this.describes(lines.join('\r\n'))
  }

  private send(lines: string[], body = '', to = addressIn(this.options.server)): string {
    const kind = body.startsWith('v=0') ? 'application/sdp' : 'application/dtmf-relay'
    const isTyped = lines.some((line) => line.startsWith('Content-Type: '))
    const type = body && !isTyped ? [`Content-Type: ${kind}`] : []
    const text = [...lines, ...type, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
    this.socket.send(text, to.port, to.host)
    return text
  }

  private receive(text: string, from: RemoteInfo): void {
    if (text.trim() === '' || this.isOff) return
    const dialog = this.dialogs.get(header({ text }, 'Call-ID') ?? '')
    dialog?.received.push(text)
    if (text.startsWith('SIP/2.0 ')) this.takeReply(text, dialog)
    else this.takeRequest(text, from, dialog)
  }

  private takeReply(text: string, dialog: PhoneDialog | undefined): void {
    const status = statusOf(text)
    const [cseq = '', method = ''] = (header({ text }, 'CSeq') ?? '').split(' ')
    if (method === 'REGISTER' && status >= 200) {
      this.replies.emit(`${header({ text }, 'Call-ID')} ${cseq}`, text)
    }
    if (method !== 'INVITE' || !dialog || Number(cseq) !== dialog.inviteCseq) return
    if (status >= 200) this.acknowledge(dialog, text, status)
    else this.confirm(dialog, text)
    if ((status === 401 || status === 407) && dialog.cseq === 1 && this.options.password) {
      dialog.cseq = 2
      dialog.inviteCseq = 2
      const headers = { ...this.options.headers, ...this.extra.get(dialog.callId) }
      this.invite(dialog, headers, [this.authorization(text, 'INVITE', dialog.remote)])
      return
    }
    if (mediaAddress({ text })) this.listenTo(dialog, text)
    dialog.statuses.push(status)
    dialog.emit('status', status)
    if (status >= 300 && dialog.state === 'ringing') dialog.end(String(status))
    else if (status >= 200 && dialog.state === 'ringing') dialog.state = 'up'
  }

  private learnOf(dialog: PhoneDialog, text: string): void {
    dialog.remoteTag = /;tag=([^;>\s]+)/.exec(header({ text }, 'To') ?? '')?.[1] ?? ''
    dialog.remoteTarget = uriIn(header({ text }, 'Contact') ?? '')
    dialog.routes = headers({ text }, 'Record-Route')
      .flatMap((line) => line.split(/,\s*(?=<)/))
      .reverse()
  }

  /** Sends a PRACK for a reliable provisional answer (RFC 3262). */
  private confirm(dialog: PhoneDialog, text: string): void {
    const rseq = header({ text }, 'RSeq')
    if (!rseq) return
    this.learnOf(dialog, text)
    dialog.cseq += 1
    this.sendWithin(dialog, 'PRACK', dialog.cseq, '', [`RAck: ${rseq} ${dialog.inviteCseq} INVITE`])
  }

  private acknowledge(dialog: PhoneDialog, text: string, status: number): void {
    dialog.remoteTag = /;tag=([^;>\s]+)/.exec(header({ text }, 'To') ?? '')?.[1] ?? ''
    if (status < 300) {
      this.learnOf(dialog, text)
      const answer = this.offersLate && dialog.state === 'ringing' ? this.sdp() : ''
      if (this.options.acknowledges) this.sendWithin(dialog, 'ACK', dialog.inviteCseq, answer)
      return
    }
    const renewal = this.renewals.get(dialog.callId)
    const invite = { text: renewal ?? this.invites.get(dialog.callId) ?? '' }
    this.send([
      `ACK ${renewal ? dialog.remoteTarget : dialog.remote} SIP/2.0`,
      `Via: ${headers(invite, 'Via')[0]}`,
      'Max-Forwards: 70',
      `From: ${header(invite, 'From')}`,
      `To: ${header({ text }, 'To')}`,
      `Call-ID: ${dialog.callId}`,
      `CSeq: ${dialog.inviteCseq} ACK`,
    ])
  }

  private listenTo(dialog: PhoneDialog, text: string): void {
    const media = mediaAddress({ text })
    if (!media) return
    dialog.media = media
    this.ear.playTo(media.host, media.port)
    dialog.once('ended', () => this.ear.leave(media.host, media.port))
  }

  private takeRequest(text: string, from: RemoteInfo, dialog: PhoneDialog | undefined): void {
    const method = text.split(' ', 1)[0]
    const reply = (status: number, phrase: string, body = '', of = text) =>
      this.reply({ text: of, from, status, phrase, body, tag: dialog?.localTag ?? 'none' })
    switch (method) {
      case 'INVITE':
        if (!dialog) this.takeCall(text)
        else if (dialog.state === 'up')
          if (this.refusesOffers) reply(this.refusesOffers, 'Refused')
          else if (this.refusesFax && /^m=image [1-9]/m.test(text)) reply(488, 'Refused')
          else reply(200, 'OK', this.sdp())
        return
      case 'ACK':
        if (dialog?.state === 'ringing') dialog.state = 'up'
        return
      case 'CANCEL':
        reply(200, 'OK')
        if (dialog?.state !== 'ringing') return
        reply(487, 'Request Terminated', '', this.invites.get(dialog.callId))
        dialog.end('CANCEL')
        return
      case 'BYE':
        reply(200, 'OK')
        dialog?.end('BYE')
        return
      default:
        reply(200, 'OK')
    }
  }

  private takeCall(text: string): void {
    const message = { text }
    const dialog = new PhoneDialog(
      this,
      header(message, 'Call-ID') ?? '',
      randomBytes(4).toString('hex'),
      uriIn(header(message, 'To') ?? ''),
      uriIn(header(message, 'From') ?? ''),
    )
    dialog.received.push(text)
    dialog.remoteTag = /;tag=([^;>\s]+)/.exec(header(message, 'From') ?? '')?.[1] ?? ''
    dialog.remoteTarget = uriIn(header(message, 'Contact') ?? '')
    dialog.routes = headers(message, 'Record-Route').flatMap((line) => line.split(/,\s*(?=<)/))
    dialog.cseq = 100
    this.dialogs.set(dialog.callId, dialog)
    this.invites.set(dialog.callId, text)
    this.incoming.push(dialog)
    const does = this.onCall
    if (typeof does === 'number') this.refuse(dialog, does)
    else {
      this.replyTo(dialog, 180, 'Ringing')
      if (does === 'answer') this.waiting.push(setTimeout(() => this.accept(dialog), this.options.ringMs))
    }
    this.emit('call', dialog)
  }

  /** Answers the INVITE of a call that came in. */
  private replyTo(dialog: PhoneDialog, status: number, phrase: string, body = ''): void {
    const text = this.invites.get(dialog.callId) ?? ''
    const { host, port } = addressIn(headers({ text }, 'Via')[0]?.split(' ')[1] ?? '')
    this.reply({ text, from: { address: host, port }, status, phrase, body, tag: dialog.localTag })
  }

  private reply(answer: {
    text: string
    from: Pick<RemoteInfo, 'address' | 'port'>
    status: number
    phrase: string
    body: string
    tag: string
  }): void {
    const { text, from, status, phrase, body, tag } = answer
    const message = { text }
    const to = header(message, 'To') ?? ''
    this.send(
      [
        `SIP/2.0 ${status} ${phrase}`,
        ...headers(message, 'Via').map((via) => `Via: ${via}`),
        ...headers(message, 'Record-Route').map((route) => `Record-Route: ${route}`),
        `From: ${header(message, 'From')}`,
        `To: ${to.includes(';tag=') ? to : `${to};tag=${tag}`}`,
        `Call-ID: ${header(message, 'Call-ID')}`,
        `CSeq: ${header(message, 'CSeq')}`,
        ...(this.says.some((line) => line.startsWith('Contact:')) ? [] : [`Contact: <${this.contact}>`]),
        'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE',
        ...this.says,
      ],
      body,
      { host: from.address, port: from.port },
    )
  }

  private authorization(challenge: string, method: string, uri: string): string {
    const proxy = header({ text: challenge }, 'Proxy-Authenticate')
    const text = proxy ?? header({ text: challenge }, 'WWW-Authenticate') ?? ''
    const { username, password } = this.options
    const answer = answerChallenge(text, { username, password }, { method, uri })
    return `${proxy ? 'Proxy-Authorization' : 'Authorization'}: ${answer}`
  }
}

function statusOf(text: string): number {
  return Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0)
}

/** `"Name" <sip:a@b>;tag=x` → `sip:a@b`. */
function uriIn(value: string): string {
  return /<([^>]+)>/.exec(value)?.[1] ?? value.split(';')[0] ?? ''
}

/** Host and port of `<sip:user@host:port;lr>` or `host:port`. */
function addressIn(value: string): Via {
  const uri = uriIn(value).replace(/^sips?:/, '')
  const [, host = '127.0.0.1', port] = /^(?:[^@]*@)?(\[[^\]]+\]|[^:;>]+)(?::(\d+))?/.exec(uri) ?? []
  return { host, port: Number(port ?? 5060) }
}
