/** What customers do all the while: calls both ways, texts, top-ups, and a steady probe of the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './api.js'
import type { FarCall } from './far-call.js'
import type { Offered } from './reckoning.js'
import type { Asked } from './recovery.js'
import { SipEnd } from './sip-end.js'
import type { World } from './world.js'

const probesPerSecond = 10
const textsPerSecond = 1
const topUpsPerSecond = 0.5
/** How much credit each adds. */
export const topUp = 1

/** A call that is not up by then is not well. */
export const answerMs = 4_000

/** Of calls that we make, one in so many is recorded. */
const recordedOneIn = 5

/** More calls one way than a row has. */
const mostNumbers = 9_000

const probes = ['/calls?limit=1', '/profile']

/** Numbers that only one row uses: an area of the USA, an exchange of the row, and a count. */
const numberOf = (area: number, row: number, count: number) =>
  `+1${area}${200 + row}${String(count).padStart(4, '0')}`

export interface Sent {
  id: string
  to: string
}

export class Load {
  readonly began = Date.now()
  readonly calls: Offered[] = []
  readonly texts: Sent[] = []
  /** Ids of ledger entries. */
  readonly topUps: string[] = []
  /** Requests of the probe; calls and texts are not among them. */
  readonly probed: Asked[] = []
  /** How often requests of all kinds failed, by what they were answered. */
  readonly failures = new Map<string, number>()
  private readonly sent: Asked[] = []
  private readonly under = new Set<Promise<void>>()
  private readonly stopping = new AbortController()
  private readonly timers: Promise<void>[] = []

  private constructor(
    private readonly world: World,
    private readonly row: number,
    private readonly callers: SipEnd,
  ) {}

  /** @param perSecond calls: half of them made by the API, half coming in */
  static async start(world: World, row: number, perSecond: number): Promise<Load> {
    await world.carrier.forget()
    const callers = await SipEnd.callers({
      server: `127.0.0.1:${world.plant.ports.SIP_PORT}`,
      user: world.customer.number,
      perSecond: perSecond / 2,
      numbers: Array.from({ length: mostNumbers }, (_, index) => numberOf(212, row, index)),
    })
    const load = new Load(world, row, callers)
    load.every(2 / perSecond, async (count) => load.call(count))
    load.every(1 / probesPerSecond, async (count) => load.probe(count))
    load.every(1 / textsPerSecond, async (count) => load.text(count))
    load.every(1 / topUpsPerSecond, async () => load.topUp())
    return load
  }

  /** What all far ends saw so far. */
  async farCalls(): Promise<FarCall[]> {
    return [...(await this.world.carrier.calls()), ...(await this.callers.calls())]
  }

  /** All that was asked, and whether it was well: of calls, whether they were up in time. */
  async asked(): Promise<Asked[]> {
    const far = await this.farCalls()
    const upAt = new Map(far.map(({ number, acknowledgedAt }) => [number, acknowledgedAt]))
    const isWell = (number: string, at: number) => {
      const up = upAt.get(number)
      return up != null && up - at <= answerMs
    }
    return [
      ...this.probed,
      ...this.sent,
      ...this.calls.map(({ number, at }) => ({ at, isWell: isWell(number, at) })),
      ...far
        .filter(({ side }) => side === 'caller')
        .map(({ number, invitedAt }) => ({ at: invitedAt, isWell: isWell(number, invitedAt) })),
    ]
  }

  /** Asks for nothing more, and waits until all calls are over at their far ends. @returns whether they are */
  async finish(withinMs: number): Promise<boolean> {
    this.stopping.abort()
    const [callersAreOver] = await Promise.all([
      this.callers.finish(withinMs),
      ...this.timers,
      ...this.under,
      this.carrierIsOver(withinMs),
    ])
    return callersAreOver
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.callers.stop()
  }

  /** Acts once in an interval, whether the last time is over or not. */
  private every(seconds: number, act: (count: number) => Promise<void>): void {
    const { signal } = this.stopping
    const going = async () => {
      for (let count = 0; !signal.aborted; count++) {
        const one = act(count).finally(() => this.under.delete(one))
        this.under.add(one)
        const wait = this.began + (count + 1) * seconds * 1000 - Date.now()
        await sleep(Math.max(0, wait), undefined, { signal }).catch(() => undefined)
      }
    }
    this.timers.push(going())
  }

  private async call(count: number): Promise<void> {
    const number = numberOf(303, this.row, count)
    const isRecorded = count % recordedOneIn === 0
    const offered: Offered = { number, at: Date.now(), callId: undefined, isRecorded }
    this.calls.push(offered)
    const { audioId, api } = this.world.customer
    const recording = isRecorded ? [{ action: 'recording', params: {} }] : []
    const actions = [...recording, { action: 'play', params: { audio_id: audioId } }]
    const { status, body } = this.noted(await api.send('POST', '/calls/make', { to: { number }, actions }))
    if (status === 201) offered.callId = (body as { data: { call_id: string } }).data.call_id
  }

  private async probe(count: number): Promise<void> {
    const at = Date.now()
    const { status } = this.noted(await this.world.customer.api.get(probes[count % probes.length] ?? ''))
    this.probed.push({ at, isWell: status === 200 })
  }

  private async text(count: number): Promise<void> {
    const { api, number } = this.world.customer
    const [at, to] = [Date.now(), numberOf(415, this.row, count)]
    const text = { from: number, to, body: 'Hello' }
    const { status, body } = this.noted(await api.send('POST', '/messages/send', text))
    if (status === 201) this.texts.push({ id: (body as { id: string }).id, to })
    this.sent.push({ at, isWell: status === 201 })
  }

  private async topUp(): Promise<void> {
    const { id, operator } = this.world.customer
    const at = Date.now()
    const added = await operator.send('POST', `/workspaces/${id}/credit`, { amount: topUp })
    const { status, body } = this.noted(added)
    if (status === 201) this.topUps.push((body as { entry: { id: string } }).entry.id)
    this.sent.push({ at, isWell: status === 201 })
  }

  private noted(answer: Answer): Answer {
    const { status, body } = answer
    if (status >= 200 && status < 300) return answer
    const kind = status === 0 ? String(body) : String(status)
    this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1)
    return answer
  }

  private async carrierIsOver(withinMs: number): Promise<void> {
    const end = Date.now() + withinMs
    while (Date.now() < end) {
      const calls = await this.world.carrier.calls()
      const open = calls.filter(
        ({ refusedWith, byeAt, byeBy, byeAnsweredAt }) =>
          refusedWith === null && (byeAt === null || (byeBy === 'far' && byeAnsweredAt === null)),
      )
      if (open.length === 0) return
      await sleep(500)
    }
  }
}
