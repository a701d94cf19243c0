/**
 * Fifty calls at once and then five a second for two minutes, of all outcomes, on a real FreeSWITCH: no
 * event, channel or row may be lost or left. Fails with exit code 1 when one is.
 * Settings: BENCH_SECONDS, BENCH_PER_SECOND, BENCH_AT_ONCE.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallRecord, TimelineEvent } from '../../../server/dist/test/support/call-bench.js'
import { cpuMs, residentMb } from '../cpu.js'
import { machine, percentile, printTable, say, printFigure } from '../figures.js'
import { World } from '../calls/world.js'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 120)
const perSecond = Number(process.env['BENCH_PER_SECOND'] ?? 5)
const atOnce = Number(process.env['BENCH_AT_ONCE'] ?? 50)

/** Long enough that five calls a second keep fifty up. */
const audioSeconds = 12
const endDeadlineMs = 60_000

/** The expected outcome of a call, by the number that it is made to. */
interface Outcome {
  name: string
  number: string
  /** The number it goes out with; each has its own gateway. */
  from: 'healthy' | 'failover'
  status: string
  sipCode: number
  hangupCause: string
  events: string[]
  legs: number
}

const answered = {
  status: 'completed',
  sipCode: 200,
  hangupCause: 'NORMAL_CLEARING',
  events: ['call.created', 'call.ringing', 'call.answered', 'call.ended'],
}
const refused = { from: 'healthy', events: ['call.created', 'call.ended'], legs: 1 } as const

const outcomes: Record<'answers' | 'busy' | 'unknown' | 'failover', Outcome> = {
  answers: { ...answered, name: 'answers', number: '+12025550100', from: 'healthy', legs: 1 },
  busy: {
    ...{ ...refused, events: [...refused.events], name: 'busy', number: '+12025550101' },
    ...{ status: 'busy', sipCode: 486, hangupCause: 'USER_BUSY' },
  },
  unknown: {
    ...{ ...refused, events: [...refused.events], name: 'no such number', number: '+12025550103' },
    ...{ status: 'failed', sipCode: 404, hangupCause: 'UNALLOCATED_NUMBER' },
  },
  failover: { ...answered, name: 'failover', number: '+12025550100', from: 'failover', legs: 2 },
}

/** The mixture: of ten calls seven are answered at once, one of each other kind. */
const mixture = [
  ...Array.from({ length: 4 }, () => outcomes.answers),
  outcomes.busy,
  outcomes.answers,
  outcomes.failover,
  outcomes.answers,
  outcomes.unknown,
  outcomes.answers,
]

interface Made {
  callId: string
  outcome: Outcome
  acceptedMs: number
}

async function make(world: World, outcome: Outcome, from: Record<Outcome['from'], string>): Promise<Made> {
  const began = performance.now()
  const script = [{ action: 'play', params: { audio_id: world.audioId } }]
  const callId = await world.bench.call(outcome.number, script, { from: { number: from[outcome.from] } })
  return { callId, outcome, acceptedMs: performance.now() - began }
}

/** What is wrong with a call, or null. */
function problemOf({ outcome }: Made, record: CallRecord, timeline: readonly TimelineEvent[]): string | null {
  const course = timeline.filter(({ event }) => event !== 'call.action')
  const events = course.map(({ event }) => event)
  const times = timeline.map(({ created_at }) => Date.parse(created_at))
  const inOrder = times.every((time, index) => time >= (times[index - 1] ?? 0))
  const found = [record.status, record.sip_code, record.hangup_cause, record.legs.length, events.join(' ')]
  const wanted = [
    outcome.status,
    outcome.sipCode,
    outcome.hangupCause,
    outcome.legs,
    outcome.events.join(' '),
  ]
  if (found.join() !== wanted.join()) return `${found.join(', ')} instead of ${wanted.join(', ')}`
  if (!inOrder) return `events out of order: ${JSON.stringify(timeline)}`
  if (record.legs.some(({ ended_at }) => ended_at === null)) return 'a leg has no end'
  const length = outcome.status === 'completed' ? audioSeconds : 0
  if (record.duration < length || record.duration > length + 1) return `duration ${record.duration} s`
  return null
}

/** Reads every call back over the API and compares it with its expected outcome. */
async function problems(world: World, made: readonly Made[]): Promise<string[]> {
  const found: string[] = []
  let cost = 0
  for (const call of made) {
    const [record, timeline] = await Promise.all([
      world.bench.record(call.callId),
      world.bench.timeline(call.callId),
    ])
    cost += record.cost
    const problem = problemOf(call, record, timeline)
    if (problem) found.push(`${call.outcome.name} ${call.callId}: ${problem}`)
  }
  const none: Record<string, string> = {
    'live calls': 'SELECT COUNT(*) FROM calls WHERE live IS NOT NULL',
    'legs without end': 'SELECT COUNT(*) FROM call_legs WHERE ended_at IS NULL',
    'jobs in the outbox': 'SELECT COUNT(*) FROM outbox',
    'calls more or less than made': `SELECT COUNT(*) - ${made.length} FROM calls`,
  }
  for (const [what, sql] of Object.entries(none)) {
    const count = await world.count(sql)
    if (count !== 0) found.push(`${count} ${what}`)
  }
  const charged = world.credit - (await world.bench.balance())
  if (Math.abs(charged - cost) > 1e-4) found.push(`${charged} USD charged for calls of ${cost} USD`)
  return found
}

async function soak(world: World): Promise<boolean> {
  const { bench, events, parts } = world
  await bench.connectNumber('2025550197', [bench.healthyUri(1)])
  await bench.connectNumber('2025550196', [bench.deadUri(1), bench.healthyUri(2)])
  const from = { healthy: '+12025550197', failover: '+12025550196' }
  const [server = 0] = parts.server
  const before = { mb: await residentMb(server), cpu: await cpuMs(parts.server) }
  let most = 0
  const gauge = setInterval(() => {
    void events.channels().then((channels) => (most = Math.max(most, channels)))
  }, 500)
  const making: Promise<Made>[] = []
  const next = () =>
    making.push(make(world, mixture[making.length % mixture.length] ?? outcomes.answers, from))
  const began = performance.now()
  for (let call = 0; call < atOnce; call++) next()
  await Promise.all(making)
  for (let call = 1; call <= seconds * perSecond; call++) {
    await sleep(began + (call * 1_000) / perSecond - performance.now())
    next()
  }
  const made = await Promise.all(making)
  await sleep(audioSeconds * 1_000)
  await events.untilIdle(endDeadlineMs)
  clearInterval(gauge)
  await sleep(2_000)
  const after = { mb: await residentMb(server), cpu: await cpuMs(parts.server) }
  const found = await problems(world, made)
  const accepted = made.map(({ acceptedMs }) => acceptedMs)
  printTable(
    ['calls', ''],
    [
      ...Object.values(outcomes).map((outcome) => [
        outcome.name,
        String(made.filter((call) => call.outcome === outcome).length),
      ]),
      ['all', String(made.length)],
      ['most channels at once', String(most)],
      [
        'accepted within, ms p50 / p99',
        [0.5, 0.99].map((share) => percentile(accepted, share).toFixed(0)).join(' / '),
      ],
      ['server CPU ms a call', ((after.cpu - before.cpu) / made.length).toFixed(1)],
      ['server memory before / after, MB', `${before.mb} / ${after.mb}`],
      ['problems', String(found.length)],
    ],
  )
  for (const problem of found.slice(0, 20)) say(problem)
  printFigure(`problems of ${made.length} outbound calls`, found.length, { atMost: 0 }, 0)
  return found.length === 0
}

say(`bench/soak: ${machine()}`)
const world = await World.start({ seconds: audioSeconds })
try {
  process.exitCode = (await soak(world)) ? 0 : 1
} finally {
  await world.stop()
}
process.exit()
