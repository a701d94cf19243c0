/** A workspace that is called: a number with a flow, and telephones that call it as its carrier does. */
import { type ApiClient, eventually } from './api-client.js'
import type { SwitchKind } from './appliance.js'
import { CallBench, type CallRecord, type TimelineEvent } from './call-bench.js'
import type { PhoneDialog } from './phone-dialog.js'
import { Telephone, type TelephoneOptions } from './telephone.js'

/** A node as a test writes it; `next` may be left out. */
export interface TestNode {
  id: string
  type: string
  params?: object
  next?: Record<string, string>
}

export interface InboundTimelineEvent extends TimelineEvent {
  details?: Record<string, unknown>
}

export class InboundBench {
  private readonly callers: Telephone[] = []
  private flows = 0

  private constructor(readonly bench: CallBench) {}

  static async start(
    options: Parameters<typeof CallBench.start>[1] = {},
    kind: SwitchKind = 'freeswitch',
  ): Promise<InboundBench> {
    return new InboundBench(await CallBench.start(kind, options))
  }

  /** Callers beside what another bench has. */
  static on(bench: CallBench): InboundBench {
    return new InboundBench(bench)
  }

  get api(): ApiClient {
    return this.bench.api
  }

  /** The bench's number, which is active. */
  readonly number = '+12025550199'

  /** Makes a flow; its first node is entered at once. */
  async flow(nodes: TestNode[], trigger: 'inbound' | 'outbound' = 'inbound'): Promise<string> {
    const [first] = nodes
    const start = { id: 'start', type: 'start', next: { default: first?.id } }
    const input = { title: `Flow ${++this.flows}`, trigger_type: trigger, nodes: [start, ...nodes] }
    const { status, body } = await this.api.post('/call-flows', input)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body.id as string
  }

  /** Has the number run a flow. */
  async runs(nodes: TestNode[]): Promise<void> {
    await this.takesTo(await this.flow(nodes))
  }

  /** Has what the carrier asserts be who calls. */
  async trustsCarrier(): Promise<void> {
    const changes = { trusts_identity: true }
    const { status, body } = await this.api.patch(`/sip-trunks/acls/${this.bench.aclId}`, changes)
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  async takesTo(call_flow_id: string | null, numberId = this.bench.numberId): Promise<void> {
    const { status, body } = await this.api.patch(`/phone-numbers/${numberId}`, { call_flow_id })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  /** Somebody in the telephone network whose carrier is the workspace's. */
  async caller(options: Partial<TelephoneOptions> = {}): Promise<Telephone> {
    const { sipHost, sipPort } = this.bench.appliance.kamailio!.options
    const phone = await Telephone.open({
      username: '+12125550123',
      domain: 'carrier.test',
      server: `${sipHost}:${sipPort}`,
      ...options,
    })
    this.callers.push(phone)
    return phone
  }

  /** Calls the number and waits for the answer. */
  async answeredCall(phone: Telephone): Promise<PhoneDialog> {
    const dialog = phone.call(this.number)
    const status = await dialog.answered()
    if (status !== 200) throw new Error(`not answered: ${status}`)
    return dialog
  }

  /** The workspace's latest call, as soon as there is one. */
  async lastCallId(): Promise<string> {
    const calls = await eventually(
      async () => (await this.api.get('/calls?limit=1')).body.data as { call_id: string }[],
      (list) => list.length > 0,
      { what: 'call' },
    )
    return calls[0]!.call_id
  }

  /** The workspace's latest call, once it has ended. */
  async lastCall(): Promise<CallRecord> {
    return this.bench.ended(await this.lastCallId())
  }

  async timeline(callId: string): Promise<InboundTimelineEvent[]> {
    return await this.bench.timeline(callId)
  }

  /** Waits until the timeline of a call tells so of its last transfer. */
  async toldOfTransfer(callId: string, status: string): Promise<void> {
    await eventually(
      async () => {
        const events = await this.timeline(callId)
        return events.findLast(({ event }) => event === 'call.transfer')?.details?.['status']
      },
      (last) => last === status,
      { what: `transfer that is ${status}` },
    )
  }

  /** What the nodes of a call came to, once it has ended: as `id:outcome`, oldest first. */
  async path(callId: string): Promise<string[]> {
    await this.bench.ended(callId)
    return (await this.timeline(callId))
      .filter(({ event }) => event === 'call.node')
      .map(({ details }) => `${String(details?.['node_id'])}:${String(details?.['outcome'])}`)
  }

  async stop(): Promise<void> {
    await Promise.all(this.callers.map(async (phone) => phone.close()))
    await this.bench.stop()
  }
}
