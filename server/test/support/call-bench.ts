/** A workspace that can call: an appliance, a carrier or simulated lines, and short words for what tests do. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { ApiClient, eventually } from './api-client.js'
import { Appliance, type SwitchKind, type TestWorkspace } from './appliance.js'
import type { FreeswitchSettings } from './freeswitch.js'
import type { startKamailio } from './kamailio.js'
import type { Mariadb } from './mariadb.js'
import { Carrier } from './sipp.js'

export interface GatewayUri {
  uri: string
  port: number
  protocol: 'udp' | 'tcp' | 'tls'
  priority: number
}

export interface CallRecord {
  call_id: string
  status: string
  direction: string
  from: string
  to: string
  sip_account_id: string | null
  agent_id: string | null
  duration: number
  hold_seconds: number | null
  cost: number
  hangup_cause: string | null
  sip_code: number | null
  created_at: string
  answered_at: string | null
  ended_at: string | null
  legs: {
    role: string
    number: string
    gateway_id: string | null
    sip_account_id: string | null
    agent_id: string | null
    uri: string
    hangup_cause: string | null
    sip_code: number | null
    answered_at: string | null
    ended_at: string | null
  }[]
}

export interface TimelineEvent {
  event: string
  sip_code: number | null
  hangup_cause?: string
  details?: { action?: string; outcome?: string }
  created_at: string
}

export const feePerMinute = 0.6

/** Settings with which tests may ask and call as often as they like. */
const unlimited = {
  JACKFIELD_RATE_LIMITS_DEFAULT: '1000000',
  JACKFIELD_RATE_LIMITS_HEAVY: '1000000',
  JACKFIELD_CALLS_MAX_CONCURRENT: '100000',
  JACKFIELD_CALLS_MAX_PER_SECOND: '10000',
  JACKFIELD_CALLS_MAX_CONCURRENT_PER_ACCOUNT: '10000',
}

/** A port of the loopback that takes every packet and never answers. */
async function silentPort(): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => void socket.close() }
}

export class CallBench {
  private constructor(
    readonly appliance: Appliance,
    readonly workspace: TestWorkspace,
    /** Undefined with the sandbox. */
    readonly carrier: Carrier | undefined,
    private readonly dead: { port: number; close(): void },
    readonly numberId: string,
    readonly aclId: string,
  ) {}

  static async start(
    kind: SwitchKind,
    options: {
      settings?: Record<string, string>
      credit?: number
      carrier?: Parameters<typeof Carrier.start>[0]
      edge?: Parameters<typeof startKamailio>[0]
      freeswitch?: FreeswitchSettings
      mariadb?: Mariadb
    } = {},
  ): Promise<CallBench> {
    const appliance = await Appliance.start({
      switch: kind,
      settings: { ...unlimited, ...options.settings },
      ...(options.edge && { edge: options.edge }),
      ...(options.freeswitch && { freeswitch: options.freeswitch }),
      ...(options.mariadb && { mariadb: options.mariadb }),
    })
    const carrier = kind === 'freeswitch' ? await Carrier.start(options.carrier) : undefined
    const dead = await silentPort()
    const workspace = await appliance.workspace({ credit: options.credit ?? 100 })
    const acl = await workspace.api.post('/sip-trunks/acls', {
      title: 'Carrier',
      mode: 'ip',
      allowed_ips: ['127.0.0.1'],
    })
    const bench = new CallBench(appliance, workspace, carrier, dead, '', acl.body.id as string)
    const numberId = await bench.connectNumber('2025550199', [bench.healthyUri(1)])
    return new CallBench(appliance, workspace, carrier, dead, numberId, acl.body.id as string)
  }

  get api(): ApiClient {
    return this.workspace.api
  }

  /** The carrier that behaves by the number called. */
  healthyUri(priority: number): GatewayUri {
    return this.carrier
      ? { uri: this.carrier.host, port: this.carrier.port, protocol: 'udp', priority }
      : { uri: 'carrier.sandbox', port: 5060, protocol: 'udp', priority }
  }

  /** A carrier that says nothing at all. */
  deadUri(priority: number): GatewayUri {
    return this.carrier
      ? { uri: '127.0.0.1', port: this.dead.port, protocol: 'udp', priority }
      : { uri: 'dead.sandbox', port: 5060, protocol: 'udp', priority }
  }

  /** Connects and activates a number over a gateway of its own; returns its id. */
  async connectNumber(
    national: string,
    outbound_uris: (Pick<GatewayUri, 'uri' | 'priority'> & Partial<GatewayUri>)[],
    credential?: { username: string; password: string },
  ): Promise<string> {
    const gateway = await this.api.post('/sip-trunks/gateways', {
      title: 'Carrier',
      outbound_caller_id: `1${national}`,
      outbound_uris,
      ...(credential && { credential }),
    })
    const number = await this.api.post('/phone-numbers/connect', {
      title: 'Main',
      number: national,
      country_code: 'US',
      inbound_acl_id: this.aclId,
      enable_outbound: true,
      outbound_gateway_id: gateway.body.id,
    })
    if (number.status !== 201) throw new Error(JSON.stringify([gateway.body, number.body]))
    const path = `/workspaces/${this.workspace.id}/phone-numbers/${number.body.id}`
    await this.appliance.operator.patch(path, { status: 'active', fee_per_mins_call: feePerMinute })
    return number.body.id as string
  }

  /** Calls a number and returns the call's id. */
  async call(number: string, actions: object[] = [], more: object = {}): Promise<string> {
    const { status, body } = await this.api.post('/calls/make', { to: { number }, actions, ...more })
    if (status !== 201) throw new Error(`no call: ${JSON.stringify(body)}`)
    return body.data.call_id as string
  }

  async record(callId: string): Promise<CallRecord> {
    return (await this.api.get(`/calls/${callId}`)).body as CallRecord
  }

  /** Waits until a call has a status. */
  async reaches(callId: string, status: string, withinMs = 10_000): Promise<CallRecord> {
    return eventually(
      async () => this.record(callId),
      (record) => record.status === status,
      { withinMs, what: `call in status ${status}` },
    )
  }

  /** Waits until a call has ended. */
  async ended(callId: string, withinMs = 20_000): Promise<CallRecord> {
    return eventually(
      async () => this.record(callId),
      (record) => record.ended_at !== null,
      { withinMs, what: 'end of the call' },
    )
  }

  async timeline(callId: string): Promise<TimelineEvent[]> {
    return (await this.api.get(`/calls/${callId}/events`)).body.data as TimelineEvent[]
  }

  async balance(): Promise<number> {
    return (await this.api.get('/credit')).body.balance as number
  }

  async stop(): Promise<void> {
    this.dead.close()
    await this.carrier?.stop()
    await this.appliance.stop()
  }
}
