/** What the appliance knows afterwards of what it has accepted, by its API. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, topUp } from './load.js'
import {
  type Content,
  type CreditCheck,
  type Entry,
  type Message,
  type Recording,
  type TimelineEvent,
  ledgerProblems,
  lostRecordings,
  lostTexts,
  lostTopUps,
  saysUnrecorded,
  unrecorded,
} from './losses.js'
import { type FaultTrace, type HistoryCall, type Offered, wrongs } from './reckoning.js'
import type { World } from './world.js'

/** Recordings that have come to nothing are counted, not lost: each says why, or its call's timeline does. */
export interface Found {
  lost: string[]
  recordingsFailed: number
  recordingsRefused: number
}

/** Ends of calls that were missed, receipts of texts and stored recordings may come so much later. */
const settledMs = 60_000

const mostEvidence = 5

/** Waits until nothing is under way any more, or too late, and compares. */
export async function findLost(world: World, load: Load, fault: FaultTrace): Promise<Found> {
  const { api, operator, id } = world.customer
  const since = new Date(load.began - 1_000).toISOString()
  const calls = async () => api.all<HistoryCall>(`/calls?from=${since}&sort_field=created_at&sort_order=asc`)
  const messages = async () =>
    api.all<Message>(`/messages?from=${since}&sort_field=created_at&sort_order=asc`)
  const open = ['queued', 'sending', 'sent']
  await settled(async () => (await api.all<HistoryCall>(`/calls?status=live`)).length === 0)
  await settled(async () => (await messages()).every(({ status }) => !open.includes(status)))
  const history = await calls()
  const recordings = await recordingsOf(world, load)
  const entries = await operator.since<Entry>(`/workspaces/${id}/credit/entries`, since)
  const check = await operator.get(`/workspaces/${id}/credit/check`)
  if (check.status !== 200) throw new Error(`the credit check answers ${check.status}`)
  const far = await load.farCalls()
  const { silent, noted } = await byTimeline(world, unrecorded(load.calls, far, recordings))
  return {
    lost: [
      ...wrongs(load.calls, far, history, fault),
      ...lostTexts(load.texts, await messages(), new Set(world.smsc.taken.map(({ to }) => to))),
      ...lostTopUps(load.topUps, topUp, entries),
      ...ledgerProblems(check.body as CreditCheck),
      ...silent.map(
        ({ number, callId }) => `${callId ?? ''} to ${number} was to be recorded and has no recording`,
      ),
      ...lostRecordings(recordings, await contentsOf(world, recordings)),
    ],
    recordingsFailed: recordings.filter(({ status }) => status === 'failed').length,
    recordingsRefused: noted.length,
  }
}

/** Calls without a recording: those whose timelines say so, and those that say nothing. */
async function byTimeline({ customer: { api } }: World, calls: readonly Offered[]) {
  const silent: Offered[] = []
  const noted: Offered[] = []
  for (const call of calls) {
    const { body } = await api.get(`/calls/${call.callId ?? ''}/events?limit=100`)
    const { data = [] } = body as { data?: TimelineEvent[] }
    ;(saysUnrecorded(data) ? noted : silent).push(call)
  }
  return { silent, noted }
}

/** What the appliance says of the first calls that are lost: their records and timelines. */
export async function evidence({ customer: { api } }: World, lost: readonly string[]): Promise<unknown[]> {
  const ids = lost.flatMap((one) => /call_\w+/.exec(one)?.[0] ?? []).slice(0, mostEvidence)
  const asked = ids.flatMap((id) => [api.get(`/calls/${id}`), api.get(`/calls/${id}/events`)])
  return (await Promise.all(asked)).map(({ body }) => body)
}

const isDone: ReadonlySet<string> = new Set(['ready', 'failed'])

/** Of calls of this row. */
async function recordingsOf({ customer: { api } }: World, load: Load): Promise<Recording[]> {
  const ids = new Set(load.calls.map(({ callId }) => callId))
  const since = new Date(load.began).toISOString()
  const own = async () =>
    (await api.since<Recording>('/recordings', since)).filter(({ call_id }) => ids.has(call_id))
  await settled(async () => (await own()).every(({ status }) => isDone.has(status)))
  return own()
}

/** Of those that are ready, by id. */
async function contentsOf(
  { customer: { api } }: World,
  recordings: readonly Recording[],
): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>()
  for (const { id } of recordings.filter(({ status }) => status === 'ready')) {
    const { status, body } = await api.get(`/recordings/${id}/content`)
    contents.set(id, { status, bytes: Buffer.isBuffer(body) ? body.length : 0 })
  }
  return contents
}

async function settled(is: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + settledMs
  while (Date.now() < end) {
    if (await is().catch(() => false)) return
    await sleep(500)
  }
}
