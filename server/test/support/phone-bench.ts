/** A workspace whose phones call: SIP accounts, agents, extensions, and telephones that are registered with them. */
import { type ApiClient, eventually } from './api-client.js'
import { CallBench, type CallRecord } from './call-bench.js'
import { Telephone, type TelephoneOptions } from './telephone.js'

export const password = 'a-password-of-the-tests'

type PhoneOptions = Partial<
  Pick<TelephoneOptions, 'toneHz' | 'onCall' | 'ringMs' | 'acknowledges' | 'headers'>
>

export interface Account {
  id: string
  username: string
  domain: string
}

export class PhoneBench {
  private readonly phones: Telephone[] = []

  private constructor(readonly bench: CallBench) {}

  static async start(options: Parameters<typeof CallBench.start>[1] = {}): Promise<PhoneBench> {
    return new PhoneBench(await CallBench.start('freeswitch', options))
  }

  /** Phones beside what another bench has. */
  static on(bench: CallBench): PhoneBench {
    return new PhoneBench(bench)
  }

  get api(): ApiClient {
    return this.bench.api
  }

  /** Makes a SIP account. */
  async account(username: string, outboundCallerId: string | null = null): Promise<Account> {
    const { status, body } = await this.bench.api.post('/sip-accounts', {
      title: `Phone of ${username}`,
      username,
      password,
      outbound_caller_id: outboundCallerId,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return { id: body.id as string, username, domain: body.domain as string }
  }

  /** Makes an agent, whose softphone registers as a SIP account's phone does. */
  async agent(username: string): Promise<Account> {
    const { status, body } = await this.api.post('/agents', {
      display_name: `Agent ${username}`,
      username,
      password,
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return { id: body.id as string, username, domain: body.domain as string }
  }

  /** Makes a team of agents, who come into it in this order. */
  async team(name: string, agents: readonly Account[]): Promise<string> {
    const { status, body } = await this.api.post('/teams', { name })
    if (status !== 201) throw new Error(JSON.stringify(body))
    for (const { id } of agents) await this.api.put(`/teams/${body.id as string}/agents/${id}`)
    return body.id as string
  }

  /** Makes an extension that leads to a SIP account, an agent, a team or a voice agent. */
  async extension(number: string, target: Account | string): Promise<string> {
    const id = typeof target === 'string' ? target : target.id
    const leadsTo = id.startsWith('si_')
      ? { destination: 'sip-account', sip_account_id: id }
      : id.startsWith('ag_')
        ? { destination: 'agent', agent_id: id }
        : id.startsWith('va_')
          ? { destination: 'voice-agent', voice_agent_id: id }
          : { destination: 'team', team_id: id }
    const input = { title: `Desk ${number}`, extension_number: number, ...leadsTo }
    const { status, body } = await this.api.post('/extensions', input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }

  /** Opens a telephone and registers it with an account. */
  async phone(account: Account, options: PhoneOptions = {}): Promise<Telephone> {
    const kamailio = this.bench.appliance.kamailio!.options
    const phone = await Telephone.open({
      ...options,
      username: account.username,
      domain: account.domain,
      password,
      server: `${kamailio.sipHost}:${kamailio.sipPort}`,
    })
    this.phones.push(phone)
    const status = await phone.register()
    if (status !== 200) throw new Error(`${account.username} cannot register: ${status}`)
    return phone
  }

  /** The latest call of the workspace, once it has ended. */
  async lastCall(): Promise<CallRecord> {
    const { body } = await this.bench.api.get('/calls?limit=1')
    return this.bench.ended((body.data as { call_id: string }[])[0]!.call_id)
  }

  async callsInAll(): Promise<number> {
    return (await this.bench.api.get('/calls?limit=1')).body.meta.total as number
  }

  /** Waits until the workspace's latest call has a status; returns its id. */
  async lastCallIs(status: string): Promise<string> {
    const { call_id } = await eventually(
      async () =>
        ((await this.bench.api.get('/calls?limit=1')).body.data as { call_id: string; status: string }[])[0]!,
      (call) => call?.status === status,
      { what: `call in status ${status}` },
    )
    return call_id
  }

  async closePhones(): Promise<void> {
    await Promise.all(this.phones.splice(0).map(async (phone) => phone.close()))
  }

  async stop(): Promise<void> {
    await this.closePhones()
    await this.bench.stop()
  }
}
