/**
 * Apps without media, of agents and of clients: they listen to the event stream and speak the per-call WebSocket, and
 * answer offers with a description behind which nobody is. The switch takes that as an answer.
 */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type ApiClient, eventually } from './api-client.js'
import { EventReader } from './event-reader.js'
import { type Account, password } from './phone-bench.js'

interface Told {
  event: string
  data: any
}

/** An app of anybody. */
export class SilentListener {
  private seen = 0

  protected constructor(
    readonly api: ApiClient,
    public stream: EventReader,
    private readonly name: string,
    private readonly deviceId?: string,
  ) {}

  /** Listens as a client. */
  static async withToken(api: ApiClient, token: string, deviceId?: string): Promise<SilentListener> {
    const own = api.with({ authorization: `Bearer ${token}` })
    const stream = await EventReader.open(own, { ...(deviceId && { deviceId }) })
    return new SilentListener(own, stream, 'a client', deviceId)
  }

  /** Listens again, after the server was away. */
  async listen(): Promise<void> {
    this.stream.close()
    this.seen = 0
    this.stream = await EventReader.open(this.api, { ...(this.deviceId && { deviceId: this.deviceId }) })
  }

  /** Of what is told from now on {@link rung} is the first. */
  mark(): void {
    this.seen = this.incomingCalls.length
  }

  /** Waits to be told of a call. */
  async rung(): Promise<Told['data']> {
    const found = await eventually(
      async () => this.incomingCalls[this.seen],
      (ring) => ring !== undefined,
      { what: `call.ring for ${this.name}`, withinMs: 20_000, everyMs: 5 },
    )
    return found!.data
  }

  private get incomingCalls(): Told[] {
    return this.stream.events.filter(({ event }) => event === 'call.ring')
  }

  async canceled(callId: string): Promise<string> {
    return (await this.stream.next('call.canceled', ({ call_id }) => call_id === callId)).data
      .reason as string
  }

  /** How many events of a name it has had about a call. */
  had(event: string, callId: string): number {
    return this.stream.events.filter((one) => one.event === event && one.data.call_id === callId).length
  }

  close(): void {
    this.stream.close()
  }
}

export class SilentApp extends SilentListener {
  private constructor(
    api: ApiClient,
    stream: EventReader,
    readonly agent: Account,
  ) {
    super(api, stream, agent.username)
  }

  /** Logs an agent in, and listens. */
  static async of(api: ApiClient, agent: Account, device = 'one'): Promise<SilentApp> {
    const { status, body } = await api.with({ authorization: undefined }).post('/auth/login', {
      ...{ username: agent.username, password },
      device_id: `device-${device}-${agent.username}`,
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    const own = api.with({ authorization: `Bearer ${body.tokens.access_token as string}` })
    return new SilentApp(own, await EventReader.open(own), agent)
  }
}

/** One app's part in a call. */
export class SilentClient {
  readonly told: Told[] = []
  private code: number | undefined

  private constructor(
    private readonly socket: WebSocket,
    /** Takes what the switch sends, and says nothing: to a port that nobody has it would hang up. */
    private readonly ear: Socket,
  ) {
    socket.on('message', (data: Buffer) => this.told.push(JSON.parse(data.toString()) as Told))
    socket.on('close', (code) => {
      this.code = code
      ear.close()
    })
    socket.on('error', () => undefined)
  }

  /** Comes to a call. */
  static async take(
    { ws_url, call_token }: { ws_url: string; call_token: string },
    resume = false,
  ): Promise<SilentClient> {
    const { host, port, pathname } = new URL(ws_url)
    const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}`, { headers: { host } })
    const ear = createSocket('udp4').bind(0, '127.0.0.1').unref()
    await once(ear, 'listening')
    const clientLeg = new SilentClient(socket, ear)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    clientLeg.say('session.connect', { token: call_token, ...(resume && { resume }) })
    return clientLeg
  }

  say(event: string, data: object = {}): void {
    this.raw(JSON.stringify({ event, data }))
  }

  /** Sends a frame of text or bytes as it is. */
  raw(frame: string | Buffer): void {
    this.socket.send(frame)
  }

  /** Waits for what the server says. */
  async hears(event: string): Promise<Told['data']> {
    const found = await eventually(
      async () => this.told.find((one) => one.event === event),
      (one) => one !== undefined,
      { what: `${event} on the socket`, withinMs: 20_000 },
    )
    return found!.data
  }

  /** Whether the server gives it the seat that it has a token for; false when it is told to come again. */
  async comesIn(): Promise<boolean> {
    return eventually(
      async () =>
        this.code !== undefined ? false : this.told.some(({ event }) => event === 'call.token') || null,
      (isIn) => isIn !== null,
      { what: 'the seat, or none', withinMs: 20_000 },
    ).then((isIn) => isIn === true)
  }

  /** Answers the offer; returns the token for coming back. */
  async answer(): Promise<string> {
    this.say('call.answer', {
      sdp: answerTo((await this.hears('call.offer')).sdp as string, this.ear.address().port),
    })
    return (await this.hears('call.answered')).call_token as string
  }

  async closed(): Promise<number> {
    const code = await eventually(
      async () => this.code,
      (one) => one !== undefined,
      { what: 'close of the socket', withinMs: 20_000 },
    )
    return code!
  }

  /** The connection breaks. */
  cut(): void {
    this.socket.terminate()
  }
}

/** Accepts the offer's Opus. */
export function answerTo(offer: string, port: number): string {
  const [, payload] = /^a=rtpmap:(\d+) opus\/48000/im.exec(offer) ?? []
  const mid = /^a=mid:(\S+)/m.exec(offer)?.[1]
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')
  return [
    ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0'],
    `m=audio 9 UDP/TLS/RTP/SAVPF ${payload}`,
    'c=IN IP4 127.0.0.1',
    `a=rtpmap:${payload} opus/48000/2`,
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuvwx',
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:active',
    ...(mid ? [`a=mid:${mid}`] : []),
    ...['a=sendrecv', 'a=rtcp-mux'],
    `a=candidate:1 1 udp 2130706431 127.0.0.1 ${port} typ host`,
    '',
  ].join('\r\n')
}
