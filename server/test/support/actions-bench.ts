/** Call actions as they are heard: the same script on a call that goes out, and as a flow of one that comes in. */
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from './api-client.js'
import { multipart, wavFile } from './audio-files.js'
import { type HeardTone, heardTones } from './heard-tones.js'
import { InboundBench, type InboundTimelineEvent, type TestNode } from './inbound-bench.js'
import { type PhoneDialog, hears } from './phone-dialog.js'
import { Telephone, type TelephoneOptions } from './telephone.js'

export interface TestAction {
  action: string
  params?: object
  continue?: boolean
  auto_answer?: boolean
}

export type Direction = 'outbound' | 'inbound'
export const directions: readonly Direction[] = ['outbound', 'inbound']

/** Tones of the audios, by their names in tests. */
export const hz = { low: 500, middle: 800, high: 1250 } as const

/** What phones sound like themselves. */
const known = [...Object.values(hz), 440, 700, 1000, 1500, 1800]

/** One call and the test's end of it. */
export class TestCall {
  constructor(
    private readonly bench: ActionsBench,
    readonly id: string,
    readonly dialog: PhoneDialog,
  ) {}

  press(keys: string, by: 'rtp' | 'info' = 'rtp'): void {
    this.dialog.phone.press(this.dialog, keys, by)
  }

  /** Tones that were heard so far. */
  get heard(): HeardTone[] {
    return heardTones(this.dialog, known)
  }

  get tones(): number[] {
    return this.heard.map((tone) => tone.hz)
  }

  /** How much was heard, at 8 kHz. */
  get samples(): number {
    const { phone, media } = this.dialog
    const heard = phone.ear.heard().find(({ source }) => source === `${media?.host}:${media?.port}`)
    return heard?.pcm.length ?? 0
  }

  /** Waits until a tone is what is heard now. */
  async hears(tone: number): Promise<void> {
    await eventually(
      async () => this.tones.at(-1),
      (last) => last === tone,
      { what: `tone of ${tone} Hz` },
    )
  }

  /** Waits for the end; returns what ended it and the call's record. */
  async over() {
    const by = await this.dialog.over()
    return { by, record: await this.bench.calls.ended(this.id) }
  }

  async timeline(): Promise<InboundTimelineEvent[]> {
    return this.bench.inbound.timeline(this.id)
  }

  /** What its actions, or nodes, came to: `play:completed`. */
  async outcomes(): Promise<string[]> {
    return (await this.timeline())
      .filter(({ event }) => event === 'call.action' || event === 'call.node')
      .map(
        ({ details }) =>
          `${String(details?.['action'] ?? details?.['type'])}:${String(details?.['outcome'])}`,
      )
  }

  async events(name: string): Promise<Record<string, unknown>[]> {
    return (await this.timeline()).filter(({ event }) => event === name).map(({ details }) => details ?? {})
  }
}

export class ActionsBench {
  private readonly audios = new Map<string, string>()
  private readonly phones: Telephone[] = []
  private readonly numberIds = new Map<string, string>()
  private numbers = 70

  private constructor(
    readonly inbound: InboundBench,
    /** Takes calls to +12025550170, over a number of its own. */
    readonly customer: Telephone,
    /** Calls to whom it takes. */
    public customerNumber: string,
  ) {}

  static async start(options: Parameters<typeof InboundBench.start>[0] = {}): Promise<ActionsBench> {
    const inbound = await InboundBench.start(options)
    const customer = await Telephone.open({
      username: 'carrier',
      domain: 'carrier.test',
      server: '127.0.0.1:1',
    })
    const bench = new ActionsBench(inbound, customer, '')
    bench.customerNumber = await bench.gatewayTo(customer)
    return bench
  }

  get calls() {
    return this.inbound.bench
  }

  get api() {
    return this.inbound.api
  }

  /** A phone at the end of a gateway of its own. @returns the number whose calls go there */
  async gatewayTo({ port }: { port: number }): Promise<string> {
    const national = `20255501${this.numbers++}`
    const id = await this.calls.connectNumber(national, [
      { uri: '127.0.0.1', port, protocol: 'udp', priority: 1 },
    ])
    this.numberIds.set(`+1${national}`, id)
    return `+1${national}`
  }

  /** Id of a number of {@link gatewayTo}. */
  numberId(number: string): string {
    return this.numberIds.get(number) ?? ''
  }

  /** What calls with a number of {@link gatewayTo} cost, USD a minute. */
  async setFee(number: string, fee_per_mins_call: number): Promise<void> {
    const path = `/workspaces/${this.calls.workspace.id}/phone-numbers/${this.numberId(number)}`
    const { status, body } = await this.calls.appliance.operator.patch(path, { fee_per_mins_call })
    if (status !== 200) throw new Error(JSON.stringify(body))
  }

  /** Somebody whom a script can connect its call with. */
  async operator(options: Partial<TelephoneOptions> = {}): Promise<{ phone: Telephone; from: string }> {
    const phone = await Telephone.open({
      ...{ username: 'carrier', domain: 'carrier.test', server: '127.0.0.1:1', toneHz: 1500 },
      ...options,
    })
    this.phones.push(phone)
    return { phone, from: await this.gatewayTo(phone) }
  }

  /** Uploads a pure tone, once. */
  async audio(tone: number, seconds: number): Promise<string> {
    const name = `${tone} Hz ${seconds} s`
    const have = this.audios.get(name)
    if (have) return have
    const answer = await this.api.request('POST', '/audios', {
      raw: multipart({ title: name }, { name: 'tone.wav', content: wavFile(tone, seconds, { rate: 8_000 }) }),
    })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    this.audios.set(name, answer.body.id as string)
    return answer.body.id as string
  }

  /** An action that plays a tone. */
  async tone(tone: number, seconds: number, params: object = {}): Promise<TestAction> {
    return { action: 'play', params: { audio_id: await this.audio(tone, seconds), ...params } }
  }

  /** Runs a script on a call, once it is answered. */
  async run(direction: Direction, script: readonly TestAction[]): Promise<TestCall> {
    return direction === 'outbound' ? this.callOut(script) : this.callIn(asFlow(script))
  }

  async callOut(script: readonly object[], more: object = {}): Promise<TestCall> {
    const seen = this.customer.incoming.length
    const id = await this.calls.call('+12125550199', [...script], {
      from: { number: this.customerNumber },
      ...more,
    })
    const dialog = await eventually(
      async () => this.customer.incoming[seen],
      (one) => one !== undefined,
      { what: 'call to the customer' },
    )
    await dialog!.up()
    return new TestCall(this, id, dialog!)
  }

  /** Calls the customer with a flow, which begins when they answer. */
  async callOutWithFlow(nodes: TestNode[]): Promise<TestCall> {
    const call_flow_id = await this.inbound.flow(nodes, 'outbound')
    return this.callOut([], { call_flow_id, actions: undefined })
  }

  /** Calls in, and waits for the answer. */
  async callIn(nodes: TestNode[], options: Partial<TelephoneOptions> = {}): Promise<TestCall> {
    const call = await this.ring(nodes, options)
    await call.dialog.up()
    return call
  }

  /** Calls in, and waits until the call is written down. */
  async ring(nodes: TestNode[], options: Partial<TelephoneOptions> = {}): Promise<TestCall> {
    await this.inbound.runs(nodes)
    const phone = await this.inbound.caller(options)
    const before = await this.latest()
    const dialog = phone.call(this.inbound.number)
    const id = await eventually(
      async () => this.latest(),
      (latest) => latest !== before,
      { what: 'call that came in' },
    )
    return new TestCall(this, id!, dialog)
  }

  async stop(): Promise<void> {
    await Promise.all([this.customer, ...this.phones].map(async (phone) => phone.close()))
    await this.inbound.stop()
  }

  private async latest(): Promise<string | undefined> {
    const { body } = await this.api.get('/calls?limit=1')
    return (body.data as { call_id: string }[])[0]?.call_id
  }
}

/** The nodes of a flow that does the same, one after the other. */
export function asFlow(script: readonly TestAction[]): TestNode[] {
  return script.map(({ action, params = {} }, index) => ({
    ...{ id: `n${index}`, type: action, params },
    next: index + 1 < script.length ? { default: `n${index + 1}` } : {},
  }))
}

export { sleep }

/** Both talk, and each hears the other's tone. */
export async function bothTalk(
  call: TestCall,
  far: PhoneDialog,
  farHz: number,
  callerHz: number,
): Promise<void> {
  await far.up()
  await call.hears(farHz)
  await eventually(
    async () => hears(far, callerHz),
    (level) => level > 0.8,
    { what: 'tone of the caller at the far end' },
  )
}
