/** A workspace whose number leads to agents: callers from outside, and agents with a softphone each. */
import { type ApiClient, eventually } from './api-client.js'
import type { CallRecord } from './call-bench.js'
import { InboundBench, type TestNode } from './inbound-bench.js'
import { type Account, PhoneBench, password } from './phone-bench.js'
import { type PhoneDialog, hears } from './phone-dialog.js'
import type { Telephone } from './telephone.js'

/** An agent at work. */
export interface Worker {
  agent: Account
  phone: Telephone
  /** The tone that the agent's phone sends. */
  hz: number
}

export interface SignedInWorker extends Worker {
  api: ApiClient
}

export class TeamBench {
  private constructor(
    readonly inbound: InboundBench,
    readonly phones: PhoneBench,
  ) {}

  static async start(options: Parameters<typeof InboundBench.start>[0] = {}): Promise<TeamBench> {
    const inbound = await InboundBench.start(options)
    return TeamBench.on(inbound)
  }

  /** Agents beside what another bench has. */
  static on(inbound: InboundBench): TeamBench {
    return new TeamBench(inbound, PhoneBench.on(inbound.bench))
  }

  async worker(username: string, hz: number): Promise<Worker> {
    const agent = await this.phones.agent(username)
    return { agent, hz, phone: await this.phones.phone(agent, { toneHz: hz }) }
  }

  /** An agent at work who has logged in. */
  async signedIn(username: string, hz: number, role = 'member'): Promise<SignedInWorker> {
    const worker = await this.worker(username, hz)
    const { api } = this.phones
    await api.patch(`/agents/${worker.agent.id}`, { role })
    const login = { username, password, device_id: `device-${username}` }
    const { status, body } = await api.with({ authorization: undefined }).post('/auth/login', login)
    if (status !== 200) throw new Error(JSON.stringify(body))
    const authorization = `Bearer ${body.tokens.access_token as string}`
    return { ...worker, api: api.with({ authorization }) }
  }

  /** Has the number lead to one node, called `to`. */
  async leadsTo(type: string, params: object): Promise<void> {
    await this.inbound.runs([{ id: 'to', type, params } satisfies TestNode])
  }

  /** A call from outside, as soon as it is made. */
  async call(toneHz = 440): Promise<PhoneDialog> {
    const phone = await this.inbound.caller({ toneHz })
    return phone.call(this.inbound.number)
  }

  /** The latest call once it has ended, and what its node came to. */
  async end(): Promise<{ record: CallRecord; outcome: string }> {
    const record = await this.inbound.lastCall()
    return { record, outcome: (await this.inbound.path(record.call_id)).join(' ') }
  }

  async state({ agent }: Pick<Worker, 'agent'>): Promise<string> {
    return (await this.phones.api.get(`/agents/${agent.id}`)).body.state as string
  }

  async inState(worker: Pick<Worker, 'agent'>, wanted: string): Promise<void> {
    await eventually(
      async () => this.state(worker),
      (state) => state === wanted,
      { what: `${worker.agent.username} ${wanted}` },
    )
  }

  /** Waits until agents are free, with phones that answer. */
  async ready(...workers: Worker[]): Promise<void> {
    for (const worker of workers) {
      worker.phone.onCall = 'answer'
      await this.inState(worker, 'available')
    }
  }

  async stop(): Promise<void> {
    await this.phones.closePhones()
    await this.inbound.stop()
  }
}

/** Waits until a party hears a tone. */
export async function hearing(dialog: PhoneDialog, hz: number, what: string): Promise<void> {
  await eventually(
    async () => Promise.resolve(hears(dialog, hz, 2_000)),
    (level) => level > 0.5,
    { what },
  )
}

/** Waits for the call that an agent's phone gets next. @param before how many it had */
export async function rung({ phone }: Worker, before: number): Promise<PhoneDialog> {
  return phone.called(before)
}
