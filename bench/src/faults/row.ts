/** One row of the table: a fault in the middle of traffic, and what became of that. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, titles } from './faults.js'
import { type FarCall } from './far-call.js'
import { evidence, findLost } from './history.js'
import { Load, answerMs } from './load.js'
import type { PartName } from './plant.js'
import type { FaultTrace, Span } from './reckoning.js'
import { recoverySeconds, wellSeconds } from './recovery.js'
import { endingOf } from './served.js'
import { Watch, parts } from './watch.js'
import type { World } from './world.js'

export interface Row {
  name: string
  part: string
  what: string
  /** How long the fault lasted; 0 for what is over at once. */
  seconds: number
  /** Calls both ways. */
  calls: number
  refused: number
  cut: number
  requests: number
  requestsFailed: number
  /** Of requests of all kinds: how often what was answered, or why nothing. */
  failures: Record<string, number>
  /** Null: not within a minute. */
  recoverySeconds: number | null
  /** What was accepted and is missing, or is not as it was: one text each. Null: unknown. */
  lost: string[] | null
  /** Of calls that are lost: what `GET /calls/:id` and its timeline say. */
  evidence: unknown[]
  notes: string[]
  /** Of the whole row. */
  tookSeconds: number
}

const warmUpSeconds = 4
const unwellMs = 60_000
/** A far end may ring for half a minute, hangs up after 20 s itself, and may retransmit its BYE for half a minute. */
const lastCallsMs = 90_000

export async function measure(world: World, fault: Fault, index: number, perSecond: number): Promise<Row> {
  const began = Date.now()
  const load = await Load.start(world, index, perSecond)
  const watch = new Watch(world.plant)
  try {
    const isWarm = await recovered(load, load.began, warmUpSeconds * 1000 + unwellMs / 2)
    const restarts = restartsOf(world)
    const begin = Date.now()
    const lift = await fault.strike(world.plant)
    let note: string | undefined
    try {
      await sleep(fault.seconds * 1000)
    } finally {
      note = await lift()
    }
    const over = fault.seconds > 0 ? Date.now() : begin
    const recovery = await recovered(load, over, unwellMs)
    const areOver = await load.finish(lastCallsMs)
    const endings = endingsOf(load, await load.farCalls())
    const again = restartsOf(world)
    const ended = parts.filter((part) => again[part] > restarts[part])
    const trace = traceOf(fault, watch, { begin, end: over })
    const found = await findLost(world, load, trace).catch((error: unknown) => String(error))
    const notes = [
      isWarm === null ? 'not well before' : undefined,
      note,
      ...ended.map((part) => `${part} started again ${again[part] - restarts[part]} times`),
      typeof found === 'string' ? `what is lost could not be asked: ${found}` : undefined,
      typeof found === 'object' && found.recordingsFailed > 0
        ? `${found.recordingsFailed} recordings came to nothing`
        : undefined,
      typeof found === 'object' && found.recordingsRefused > 0
        ? `${found.recordingsRefused} recordings did not begin`
        : undefined,
      areOver ? undefined : 'some callers were never hung up',
    ]
    return {
      ...{ name: fault.name, part: fault.part, what: fault.what, seconds: fault.seconds },
      calls: endings.length,
      refused: endings.filter((ending) => ending === 'refused').length,
      cut: endings.filter((ending) => ending === 'cut').length,
      requests: load.probed.length,
      requestsFailed: load.probed.filter(({ isWell }) => !isWell).length,
      failures: Object.fromEntries(load.failures),
      recoverySeconds: recovery,
      lost: typeof found === 'string' ? null : found.lost,
      evidence: typeof found === 'string' ? [] : await evidence(world, found.lost),
      notes: notes.filter((note) => note !== undefined),
      tookSeconds: Math.round((Date.now() - began) / 1000),
    }
  } finally {
    watch.stop()
    await load.stop()
  }
}

/** @param span of the fault, as the bench made it */
function traceOf(fault: Fault, watch: Watch, span: Span): FaultTrace {
  const isOfEdge = fault.part === titles.kamailio && fault.seconds > 0
  return {
    switchEnded: watch.ended('switch', span),
    edgeHeldUp: [...(isOfEdge ? [span] : []), ...watch.ended('kamailio', span)],
  }
}

/** Of a fault that could not be struck, or after which nothing could be asked. */
export function failed({ name, part, what, seconds }: Fault, error: unknown): Row {
  const none = { calls: 0, refused: 0, cut: 0, requests: 0, requestsFailed: 0, tookSeconds: 0 }
  return {
    ...{ name, part, what, seconds, ...none, failures: {}, recoverySeconds: null, lost: null, evidence: [] },
    notes: [`could not be measured: ${String(error)}`],
  }
}

/** Of all calls that were offered, both ways. */
function endingsOf(load: Load, far: readonly FarCall[]) {
  const byNumber = new Map(far.map((call) => [call.number, call]))
  return [
    ...load.calls.map(({ number }) => endingOf(byNumber.get(number))),
    ...far.filter(({ side }) => side === 'caller').map(endingOf),
  ]
}

function restartsOf({ plant }: World): Record<PartName, number> {
  return Object.fromEntries(parts.map((part) => [part, plant.restarts(part)])) as Record<PartName, number>
}

/** Waits until all is well. @returns seconds since `from`; null when it is not in time */
async function recovered(load: Load, from: number, withinMs: number): Promise<number | null> {
  const last = from + withinMs + wellSeconds * 1000 + answerMs
  for (;;) {
    const seconds = recoverySeconds(await load.asked(), from, Date.now() - answerMs - 1_000)
    if (seconds !== null || Date.now() > last) return seconds
    await sleep(500)
  }
}
