/**
 * A call centre behind one address: a shift of agents signs in, some at the console in browsers, the others asking what
 * those consoles ask; calls from outside ring all of them. The limits of requests must be the defaults.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, eventually } from '../../../../../server/dist/test/support/api-client.js'
import type { PhoneDialog } from '../../../../../server/dist/test/support/phone-dialog.js'
import type { TeamBench } from '../../../../../server/dist/test/support/team-bench.js'
import type { ConsoleAgent, ConsoleBench } from '../console-bench.js'
import { BrowserDesk, type Desk, RepeatingDesk, allRung, problemsOf } from './desk.js'
import { Traffic } from './traffic.js'

/** The default limits: benches lift them. */
export const defaultLimits = {
  JACKFIELD_RATE_LIMITS_DEFAULT: '100',
  JACKFIELD_RATE_LIMITS_HEAVY: '30',
  JACKFIELD_RATE_LIMITS_AUTH: '10',
}

/** How one call is played. */
export type Play =
  | { kind: 'answered'; by: 'browser' | 'repeating'; talkMs: number }
  /** The caller hangs up once all phones ring. */
  | { kind: 'abandoned' }
  /** The caller waits as long as the queue lets, and speaks to the voicemail. */
  | { kind: 'voicemail' }

/** The parts of a call's record that say what became of it. */
interface Outcome {
  call_id: string
  ended_at: string | null
  outcome: string | null
  abandoned_in: string | null
  answered_by: { kind: string; id: string } | null
  missed_by: { username: string }[]
}

export interface OfficeOptions {
  agents: number
  /** How many of them have the console in a browser. */
  browsers: number
  /** Time in which all sign in. */
  signInMs: number
  /** Seconds that a caller waits in the queue. */
  maxWait: number
}

/** How long consoles ask after an event. */
const settledMs = 1_500

export class Office {
  readonly traffic = new Traffic()
  private readonly browsers: BrowserDesk[] = []
  private readonly others: RepeatingDesk[] = []
  private played = 0

  private constructor(
    private readonly team: TeamBench,
    /** Its API key reads the calls, so that the bench's own has its requests left. */
    private readonly reader: ApiClient,
    private readonly options: OfficeOptions,
  ) {}

  /** Makes agents, their team, and the flow of its number; no agent is signed in yet. */
  static async open(team: TeamBench, bench: ConsoleBench, options: OfficeOptions): Promise<Office> {
    const { api } = bench.workspace
    const maker = await keyOf(api, 'People')
    const office = new Office(team, await keyOf(api, 'Reader'), options)
    const agents = await Promise.all(
      Array.from({ length: options.agents }, async (_, index) => staffed(maker, index)),
    )
    for (const [index, agent] of agents.entries()) {
      if (index < options.browsers) office.browsers.push(new BrowserDesk(bench, agent, office.traffic))
      else office.others.push(new RepeatingDesk(api, agent, office.traffic, () => office.signInRequests))
    }
    const made = await maker.post('/teams', { name: 'Front office' })
    const teamId = made.body.id as string
    for (const { id } of agents) await maker.put(`/teams/${teamId}/agents/${id}`)
    const queue = { max_wait: options.maxWait }
    await team.inbound.runs([
      {
        ...{ id: 'team', type: 'connect_team', params: { team_id: teamId, strategy: 'ring-all', queue } },
        next: { queue_timeout: 'mail', no_answer: 'mail', offline: 'mail' },
      },
      { id: 'mail', type: 'voicemail', params: { beep: false } },
    ])
    return office
  }

  get desks(): readonly Desk[] {
    return [...this.browsers, ...this.others]
  }

  /** The shift signs in: one console first, whose requests others repeat. */
  async signIn(): Promise<void> {
    const [first, ...rest] = this.browsers
    if (!first) throw new Error('an office needs a browser')
    const began = Date.now()
    await first.signIn()
    await sleep(settledMs)
    this.signInRequests = first.askedSince(began, Date.now())
    const spacing = this.options.signInMs / this.options.agents
    await Promise.all(
      [...rest, ...this.others].map(async (desk, index) => {
        await sleep(index * spacing)
        await desk.signIn()
      }),
    )
  }

  /** What is wrong at desks now, and every request that was refused or failed until now. */
  async problems(): Promise<string[]> {
    const failed = this.traffic.failures.map(
      ({ by, method, path, status }) => `${by}: ${method} ${path}: ${status}`,
    )
    return [...failed, ...(await problemsOf(this.desks))]
  }

  /** Plays a call. @returns how its record differs from what was played */
  async play(play: Play): Promise<string[]> {
    const turn = this.played++
    const absent = this.others[turn % Math.max(1, this.others.length)]
    await absent?.choose('busy')
    const present = this.desks.filter((desk) => desk !== absent)
    const began = Date.now()
    const caller = await this.team.call()
    const callId = await this.newCallId(began)
    await allRung(present, callId)
    const desk = await this.carryOut(play, caller, callId, present)
    await absent?.choose('available')
    const record = await this.ended(callId)
    await this.repeatOthers(began, desk)
    const names = (desks: readonly Desk[]) => desks.map(({ agent }) => agent.username)
    return differences(record, {
      outcome: play.kind,
      abandoned_in: play.kind === 'abandoned' ? 'queue' : null,
      answered_by: desk?.agent.id ?? null,
      missed_by: desk ? [] : names(present),
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.desks.map(async (desk) => desk.close()))
  }

  private signInRequests: ReturnType<BrowserDesk['askedSince']> = []
  private answerRequests: ReturnType<BrowserDesk['askedSince']> = []

  /** @returns the desk that took the call */
  private async carryOut(
    play: Play,
    caller: PhoneDialog,
    callId: string,
    present: readonly Desk[],
  ): Promise<Desk | null> {
    if (play.kind === 'abandoned') {
      // While phones ring, the caller hears the carrier's ringing: the call is not answered yet.
      if (caller.state === 'ringing') caller.phone.cancel(caller)
      else await caller.hangUp()
      return null
    }
    if (play.kind === 'voicemail') {
      await this.hasReached(callId, 'voicemail')
      await sleep(2_500)
      await caller.hangUp()
      return null
    }
    const candidates = present.filter((desk) => desk instanceof BrowserDesk === (play.by === 'browser'))
    const desk = candidates[this.played % candidates.length]
    if (!desk) throw new Error(`no desk of the kind ${play.by}`)
    await desk.answer(callId)
    await sleep(play.talkMs)
    await caller.hangUp()
    return desk
  }

  /** Agents without a browser repeat the requests of the browsers: some as the one that answered, others as one that did not. */
  private async repeatOthers(began: number, taker: Desk | null): Promise<void> {
    await sleep(settledMs)
    const now = Date.now()
    const bystander = this.browsers.find((desk) => desk !== taker)
    if (taker instanceof BrowserDesk) this.answerRequests = taker.askedSince(began, now)
    const requests = bystander?.askedSince(began, now) ?? []
    await Promise.all(
      this.others.map(async (desk) => desk.repeat(desk === taker ? this.answerRequests : requests)),
    )
  }

  private async newCallId(since: number): Promise<string> {
    const { call_id } = await eventually(
      async () => {
        const { data } = (await this.reader.get('/calls?limit=1')).body as {
          data: { call_id: string; created_at: string }[]
        }
        return data.find(({ created_at }) => Date.parse(created_at) >= since - 50)
      },
      (call) => call !== undefined,
      { what: 'the call', everyMs: 200 },
    ).then((call) => call!)
    return call_id
  }

  private async hasReached(callId: string, step: string): Promise<void> {
    await eventually(
      async () =>
        (await this.reader.get('/recordings?kind=voicemail&limit=1')).body.data as { call_id: string }[],
      ([latest]) => latest?.call_id === callId,
      // Phones that ring when the wait is over ring on to their own end, half a minute; the key has 100 requests a minute.
      { what: step, everyMs: 1_500, withinMs: (this.options.maxWait + 60) * 1_000 },
    )
  }

  private async ended(callId: string): Promise<Outcome> {
    return eventually(
      async () => (await this.reader.get(`/calls/${callId}`)).body as Outcome,
      ({ ended_at, outcome }) => ended_at !== null && outcome !== null,
      { what: 'the end of the call', everyMs: 300 },
    )
  }
}

interface Expected {
  outcome: string
  abandoned_in: string | null
  answered_by: string | null
  missed_by: string[]
}

function differences(record: Outcome, expected: Expected): string[] {
  const is: Expected = {
    outcome: String(record.outcome),
    abandoned_in: record.abandoned_in,
    answered_by: record.answered_by?.id ?? null,
    missed_by: record.missed_by.map(({ username }) => username),
  }
  const sorted = ({ missed_by, ...rest }: Expected) =>
    Object.entries({ ...rest, missed_by: [...missed_by].sort().join(' ') })
  const [seen, wanted] = [new Map<string, unknown>(sorted(is)), sorted(expected)]
  return wanted.flatMap(([field, value]) =>
    seen.get(field) === value
      ? []
      : [`${record.call_id}: ${field} is ${String(seen.get(field))}, not ${String(value)}`],
  )
}

/** Requests are counted by key. */
async function keyOf(api: ApiClient, title: string): Promise<ApiClient> {
  const { status, body } = await api.post('/api-keys', { title, scope: 'full', role: 'owner' })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return api.with({ authorization: `ApiKey ${body.api_key as string}` })
}

async function staffed(api: ApiClient, index: number): Promise<ConsoleAgent> {
  // Usernames have no digits.
  const username = `desk${[...String(index).padStart(2, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
  const password = 'correct horse battery'
  const { status, body } = await api.post('/agents', { username, password, display_name: username })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id as string, username, password }
}
