/** Agents and clients with an app in a browser: it is told of calls by the event stream, and takes them by WebRTC. */
import type { Told } from '../browser/app.js'
import { eventually } from './api-client.js'
import { type BrowserPage, Chromium } from './browser.js'
import { type Account, password } from './phone-bench.js'
import type { TeamBench } from './team-bench.js'

/** What an app needs to come to a call. */
export interface Way {
  call_id: string
  call_token: string
  ws_url: string
}

const streamed = ['call.ring', 'call.canceled', 'workspace.agent.state', 'call.ended']

export class AppBench {
  private readonly apps: BrowserApp[] = []

  private constructor(
    readonly team: TeamBench,
    private readonly chromium: Chromium,
  ) {}

  static async on(team: TeamBench): Promise<AppBench> {
    return new AppBench(team, await Chromium.start())
  }

  /** A new agent whose app listens to the event stream. */
  async agent(username: string, toneHz: number): Promise<AgentApp> {
    return this.app(await this.team.phones.agent(username), toneHz)
  }

  /** One more app of an agent. */
  async app(agent: Account, toneHz: number): Promise<AgentApp> {
    const app = await this.sleepingApp(agent, toneHz)
    await app.listen()
    return app
  }

  /** An app of an agent that listens to nothing: a push has to wake it. */
  async sleepingApp(agent: Account, toneHz: number): Promise<AgentApp> {
    const { origin } = this
    const page = await this.chromium.page(toneHz)
    const deviceId = `device-${this.apps.length}`
    const credentials = { username: agent.username, password, device_id: deviceId }
    const accessToken = await page.call('app', 'logIn', `${origin}/api/v1/auth/login`, credentials)
    const app = new AgentApp(agent, { accessToken, origin, page, deviceId, name: agent.username, hz: toneHz })
    this.apps.push(app)
    return app
  }

  /** An app of a client that listens to nothing yet. @param accessToken its JWT */
  async client(accessToken: string, toneHz: number): Promise<BrowserApp> {
    const page = await this.chromium.page(toneHz)
    const deviceId = `device-${this.apps.length}`
    const app = new BrowserApp({
      ...{ accessToken, origin: this.origin, page, deviceId, name: 'a client', hz: toneHz },
    })
    this.apps.push(app)
    return app
  }

  private get origin(): string {
    const { host, port } = this.team.phones.api
    return `http://${host}:${port}`
  }

  async stop(): Promise<void> {
    await this.chromium.stop()
    await this.team.stop()
  }
}

interface Parts {
  accessToken: string
  origin: string
  page: BrowserPage
  name: string
  hz: number
  deviceId: string
}

export class BrowserApp {
  readonly accessToken: string
  readonly page: BrowserPage
  readonly hz: number
  readonly deviceId: string

  constructor(private readonly parts: Parts) {
    const { accessToken, page, hz, deviceId } = parts
    this.accessToken = accessToken
    this.page = page
    this.hz = hz
    this.deviceId = deviceId
  }

  /** Opens the event stream, as at the start and after a reload. */
  async listen(): Promise<void> {
    const query = `token=${this.accessToken}&device_id=${this.deviceId}`
    await this.page.call('app', 'listen', `${this.parts.origin}/api/v1/stream?${query}`, streamed)
    await this.streamed('open')
  }

  /** Waits for an event on the stream. @param had how many of the same name it has had before */
  async streamed(event: string, had = 0): Promise<Told['data']> {
    return this.waitFor('stream', event, had)
  }

  /** Waits for an event on the call's socket. */
  async told(event: string, had = 0): Promise<Told['data']> {
    return this.waitFor('socket', event, had)
  }

  /** How many calls it was told of since the page was loaded. */
  async incomingCalls(): Promise<number> {
    return (await this.page.call('app', 'told', 'stream')).filter(({ event }) => event === 'call.ring').length
  }

  /** Waits to be told of a call. */
  async rung(had = 0): Promise<Way> {
    return (await this.streamed('call.ring', had)) as unknown as Way
  }

  /** Takes a seat in a call. */
  async enter({ ws_url, call_token }: Pick<Way, 'ws_url' | 'call_token'>, resume = false): Promise<void> {
    await this.page.call('app', 'enter', ws_url, call_token, resume)
  }

  /** Answers what is offered next; returns the token for coming back. */
  async answer(): Promise<string> {
    const { sdp } = await this.told('call.offer')
    await this.say('call.answer', { sdp: await this.page.answerOf(sdp as string) })
    const { call_token } = await this.told('call.answered')
    return call_token as string
  }

  /** Is told of a call, and takes it; returns how to come back. */
  async pickUp(had = 0): Promise<Way> {
    const way = await this.rung(had)
    await this.enter(way)
    return { ...way, call_token: await this.answer() }
  }

  async say(event: string, data: object = {}): Promise<void> {
    await this.page.call('app', 'say', event, data)
  }

  /** Waits until the socket is closed; returns the code. */
  async closed(): Promise<number> {
    const closed = await eventually(
      async () => this.page.call('app', 'closed'),
      (one) => one !== null,
      { what: 'close of the socket' },
    )
    return closed!.code
  }

  private async waitFor(by: 'stream' | 'socket', event: string, had: number): Promise<Told['data']> {
    const all = await eventually(
      async () => this.page.call('app', 'told', by),
      (told) => told.filter((one) => one.event === event).length > had,
      { withinMs: 20_000, what: `${event} at ${this.parts.name}` },
    )
    return all.filter((one) => one.event === event)[had]!.data
  }
}

export class AgentApp extends BrowserApp {
  constructor(
    readonly agent: Account,
    parts: Parts,
  ) {
    super(parts)
  }
}
