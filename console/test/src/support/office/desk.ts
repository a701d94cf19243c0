/** An agent's desk: at the console in a browser, or one that asks what a console in a browser asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import type { ApiClient } from '../../../../../server/dist/test/support/api-client.js'
import { EventReader } from '../../../../../server/dist/test/support/event-reader.js'
import { SilentClient } from '../../../../../server/dist/test/support/silent-app.js'
import type { ConsoleAgent, ConsoleBench } from '../console-bench.js'
import { type Asked, type Traffic, takenBack } from './traffic.js'

/** A request, and how long after the first one it was sent. */
export interface Repeated {
  afterMs: number
  path: string
}

export interface Desk {
  readonly agent: ConsoleAgent
  signIn(): Promise<void>
  /** Waits until a call rings here. */
  rung(callId: string): Promise<void>
  answer(callId: string): Promise<void>
  /** What is wrong: a white page, a stream that was lost, an error in the browser's log. */
  problems(): Promise<string[]>
  close(): Promise<void>
}

/** Thirty phones that ring keep a small machine busy. */
const patienceMs = 60_000

export class BrowserDesk implements Desk {
  private page: Page | undefined
  private context: BrowserContext | undefined
  private log: string[] = []

  constructor(
    private readonly bench: ConsoleBench,
    readonly agent: ConsoleAgent,
    private readonly traffic: Traffic,
  ) {}

  async signIn(): Promise<void> {
    this.context = await this.bench.context()
    this.context.on('request', (request) => {
      const at = Date.now()
      const add = (status: number) => this.count(request.method(), request.url(), at, status)
      // The answer's head: a stream has no end. The page takes back what it asks again.
      const none = () => add(request.failure()?.errorText === 'net::ERR_ABORTED' ? takenBack : 0)
      void request.response().then((response) => (response ? add(response.status()) : none()), none)
    })
    const opened = await this.bench.agent(this.agent, '/phone', this.context)
    this.page = opened.page
    this.log = opened.problems
    await this.inState('Available')
  }

  async rung(): Promise<void> {
    await this.dock.getByRole('button', { name: 'Answer' }).waitFor()
  }

  async answer(): Promise<void> {
    await this.dock.getByRole('button', { name: 'Answer' }).click()
    await this.dock.getByText('Talking', { exact: true }).waitFor({ timeout: patienceMs })
  }

  /** What this console has asked the API for since a moment, but for its sign-in and its stream. */
  askedSince(since: number, until = Infinity): Repeated[] {
    return this.traffic.requests
      .filter(({ by, at, isApi }) => by === this.agent.username && isApi && at >= since && at <= until)
      .filter(({ method, path }) => method === 'GET' && !path.startsWith('/stream'))
      .map(({ at, path }) => ({ afterMs: at - since, path }))
  }

  async problems(): Promise<string[]> {
    const { username } = this.agent
    const heading = await this.opened.getByRole('main').getByRole('heading', { level: 1 }).isVisible()
    const streams = this.traffic.requests.filter(
      ({ by, path }) => by === username && path.startsWith('/stream'),
    ).length
    return [
      ...(heading ? [] : [`${username}: a white page`]),
      ...(streams === 1 ? [] : [`${username}: ${streams} streams were opened`]),
      ...this.log.map((problem) => `${username}: ${problem}`),
    ]
  }

  async close(): Promise<void> {
    await this.context?.close()
  }

  private count(method: string, url: string, at: number, status: number): void {
    const { pathname, search } = new URL(url)
    const isApi = pathname.startsWith('/api/v1/')
    const path = isApi ? pathname.slice('/api/v1'.length) + search : pathname
    this.traffic.add({ at, by: this.agent.username, method, path, status, isApi })
  }

  private async inState(state: string): Promise<void> {
    await this.opened.getByRole('button', { name: `Your state: ${state}` }).waitFor()
  }

  private get opened(): Page {
    if (!this.page) throw new Error(`${this.agent.username} is not signed in`)
    return this.page
  }

  private get dock() {
    return this.opened.getByRole('region', { name: 'Phone' })
  }
}

export class RepeatingDesk implements Desk {
  private stream: EventReader | undefined
  private client: SilentClient | undefined
  private own: ApiClient

  /** @param signedIn what a console asks once it has signed in */
  constructor(
    visitor: ApiClient,
    readonly agent: ConsoleAgent,
    private readonly traffic: Traffic,
    private readonly signedIn: () => readonly Repeated[],
  ) {
    this.own = visitor.with({ authorization: undefined })
  }

  async signIn(): Promise<void> {
    const { username, password } = this.agent
    const credentials = { username, password, device_id: `desk-${username}` }
    const { status, body } = await this.ask('POST', '/auth/login', credentials)
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${JSON.stringify(body)}`)
    this.own = this.own.with({ authorization: `Bearer ${body.tokens.access_token as string}` })
    const at = Date.now()
    const asked = { at, by: username, method: 'GET', path: '/stream', isApi: true } satisfies Partial<Asked>
    try {
      this.stream = await EventReader.open(this.own, { inQuery: true })
      this.traffic.add({ ...asked, status: 200 })
    } catch (error) {
      const [, refused = '0'] = /no stream: (\d+)/.exec(String(error)) ?? []
      this.traffic.add({ ...asked, status: Number(refused) })
      throw error
    }
    await this.repeat(this.signedIn())
  }

  async choose(state: 'available' | 'busy'): Promise<void> {
    await this.ask('PUT', '/me/state', { state })
  }

  async rung(callId: string): Promise<void> {
    await this.ringOf(callId)
  }

  async answer(callId: string): Promise<void> {
    this.client = await SilentClient.take(await this.ringOf(callId))
    await this.client.answer()
  }

  /** Asks the same, with the same time between. */
  async repeat(requests: readonly Repeated[]): Promise<void> {
    const began = Date.now()
    for (const { afterMs, path } of requests) {
      await sleep(Math.max(0, began + afterMs - Date.now()))
      await this.ask('GET', path)
    }
  }

  async problems(): Promise<string[]> {
    return Promise.resolve(this.stream?.isClosed === false ? [] : [`${this.agent.username}: a lost stream`])
  }

  async close(): Promise<void> {
    this.client?.cut()
    this.stream?.close()
    return Promise.resolve()
  }

  private async ringOf(callId: string): Promise<{ ws_url: string; call_token: string }> {
    const { data } = await this.opened.next('call.ring', ({ call_id }) => call_id === callId)
    return data as { ws_url: string; call_token: string }
  }

  private get opened(): EventReader {
    if (!this.stream) throw new Error(`${this.agent.username} is not signed in`)
    return this.stream
  }

  private async ask(method: string, path: string, body?: unknown) {
    const asked = { at: Date.now(), by: this.agent.username, method, path, isApi: true }
    const answer = await this.own.request(method, path, body === undefined ? {} : { body })
    this.traffic.add({ ...asked, status: answer.status })
    return answer
  }
}

/** Waits until all of them ring. */
export async function allRung(desks: readonly Desk[], callId: string): Promise<void> {
  await Promise.all(desks.map(async (desk) => desk.rung(callId)))
}

/** What is wrong at any of them. */
export async function problemsOf(desks: readonly Desk[]): Promise<string[]> {
  return (await Promise.all(desks.map(async (desk) => desk.problems()))).flat()
}
