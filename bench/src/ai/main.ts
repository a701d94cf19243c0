/**
 * Concurrent calls of voice agents, whose provider is a process of its own: how even their speech is at the callers'
 * ends, what a call costs, and how much delay the server adds to what is heard. Beside them as many calls to which
 * FreeSWITCH itself plays a tone.
 * Settings: BENCH_CALLS (50), BENCH_SECONDS of each turn (15), BENCH_PER_SECOND that begin (10).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type PartName, cpuOf, partNames } from '../calls/parts.js'
import { cpuMs, residentKb } from '../cpu.js'
import { machine, percentile, printTable, say, printFigure } from '../figures.js'
import type { Heard } from './phones.js'
import { oneWay, roundTrips } from './marks.js'
import { World } from './world.js'

const setting = (name: string, value: number) => Number(process.env[name] ?? value)
const calls = setting('BENCH_CALLS', 50)
const seconds = setting('BENCH_SECONDS', 15)
const perSecond = setting('BENCH_PER_SECOND', 10)

const names = [...partNames, 'provider', 'phones'] as const
type Name = PartName | 'provider' | 'phones'

/** What was measured while so many calls were up. */
interface Turn {
  heard: Heard
  /** CPU of each part per call, in thousandths of a core. */
  cpu: Record<Name, number>
  /** Resident memory, in KB. */
  serverKb: number
  freeswitchKb: number
}

async function cpuOfAll(world: World): Promise<Record<Name, number>> {
  const [provider, phones] = await Promise.all([cpuMs([world.provider.pid]), cpuMs([world.phones.pid])])
  return { ...(await cpuOf(world.parts)), provider, phones }
}

async function memory(world: World): Promise<{ serverKb: number; freeswitchKb: number }> {
  const [serverKb, freeswitchKb] = await Promise.all(
    [world.parts.server, world.parts.freeswitch].map(async ([pid = 0]) => residentKb(pid)),
  )
  return { serverKb: serverKb ?? 0, freeswitchKb: freeswitchKb ?? 0 }
}

/** Has calls begin one after another; resolves when all are up and talking. */
async function begin(world: World, count: number, call: () => Promise<void>): Promise<void> {
  for (let made = 0; made < count; made++) {
    await call()
    await sleep(1_000 / perSecond)
  }
  const until = Date.now() + 20_000
  while ((await world.phones.ask('calls')) < count) {
    if (Date.now() > until) throw new Error(`${await world.phones.ask('calls')} of ${count} calls are up`)
    await sleep(50)
  }
  await sleep(1_500)
}

async function listen(world: World, count: number, marks: boolean): Promise<Turn> {
  const before = await cpuOfAll(world)
  const began = performance.now()
  const heard = await world.phones.ask('listen', { seconds, marks })
  const ms = performance.now() - began
  const after = await cpuOfAll(world)
  const share = (name: Name) => ((after[name] - before[name]) / ms / count) * 1_000
  const cpu = Object.fromEntries(names.map((name) => [name, share(name)])) as Record<Name, number>
  return { heard, cpu, ...(await memory(world)) }
}

function evenness(name: string, { heard }: Turn): string[] {
  const all = heard.lines.flatMap(({ lateness }) => lateness)
  const sum = (key: 'packets' | 'absent' | 'silent') =>
    heard.lines.reduce((total, line) => total + line[key], 0)
  return [
    name,
    ...[0.5, 0.99, 0.999, 1].map((share) => percentile(all, share).toFixed(1)),
    ...[sum('packets'), sum('absent'), sum('silent')].map(String),
    heard.ownLatenessMs.toFixed(1),
  ]
}

function lateness({ heard }: Turn): number {
  return percentile(
    heard.lines.flatMap((line) => line.lateness),
    0.99,
  )
}

function delays(name: string, samples: readonly number[], of: number): string[] {
  return [
    name,
    ...[0.5, 0.9, 0.99, 1].map((share) => percentile(samples, share).toFixed(0)),
    String(samples.length),
    String(of - samples.length),
  ]
}

async function measure(world: World): Promise<void> {
  const idle = await memory(world)

  await begin(world, calls, async () => world.callWithTone())
  const bare = await listen(world, calls, false)
  await world.hangUpAll()

  await world.provider.ask('echo', true)
  await begin(world, 1, async () => world.callWithAgent())
  const one = await listen(world, 1, true)
  const { times: oneTimes } = await world.provider.ask('marks')
  await world.hangUpAll()

  await world.provider.ask('echo', false)
  await begin(world, calls, async () => world.callWithAgent())
  const talk = await listen(world, calls, false)
  await world.hangUpAll()

  await world.provider.ask('echo', true)
  await begin(world, calls, async () => world.callWithAgent())
  const echo = await listen(world, calls, true)
  const { times, ownLatenessMs } = await world.provider.ask('marks')
  await world.hangUpAll()

  if (talk.heard.lines.length + echo.heard.lines.length < 2 * calls) {
    say(`calls that ended too early, by reason: ${await world.ends()}`)
  }
  say('lateness of packets at the callers’ ends, milliseconds')
  printTable(
    ['', 'p50', 'p99', 'p99.9', 'max', 'packets', 'absent', 'silent', 'own p99'],
    [
      evenness(`${calls} calls, a tone of FreeSWITCH`, bare),
      evenness(`${calls} calls, voice agents talk`, talk),
      evenness(`${calls} calls, voice agents answer marks`, echo),
    ],
  )
  say()
  const cpuRow = (name: string, { cpu }: Turn) => [name, ...names.map((part) => cpu[part].toFixed(1))]
  say('CPU a call, thousandths of a core')
  printTable(
    ['', ...names],
    [
      cpuRow('a tone of FreeSWITCH', bare),
      cpuRow('voice agents talk', talk),
      cpuRow('voice agents answer marks', echo),
    ],
  )
  const ours = ({ cpu }: Turn) => partNames.reduce((sum, part) => sum + cpu[part], 0)
  printFigure(`CPU of ${calls} voice agents that talk, to tones of FreeSWITCH`, ours(talk) / ours(bare))
  printFigure(`ms that packets of ${calls} voice agents are late, p99`, lateness(talk), { atMost: 10 }, 1)
  const perCall = (kb: number, from: number) => `${Math.round((kb - from) / calls)} KB`
  say(
    `memory a call: server ${perCall(talk.serverKb, idle.serverKb)}, FreeSWITCH ${perCall(talk.freeswitchKb, bare.freeswitchKb)} more than with a tone`,
  )
  say()
  say(
    `mouth to ear and back, added by the switch and the server: milliseconds; the provider's own p99 ${ownLatenessMs.toFixed(1)}`,
  )
  const rows = (name: string, { heard }: Turn, provider: number[][]) => {
    const { up, down } = oneWay(heard.lines, provider)
    const sent = heard.lines.reduce((sum, { marks }) => sum + marks.length, 0)
    return [
      delays(`${name}: there and back`, roundTrips(heard.lines), sent),
      delays(`${name}: caller to provider`, up, sent),
      delays(`${name}: provider to caller`, down, sent),
    ]
  }
  printTable(
    ['', 'p50', 'p90', 'p99', 'max', 'marks', 'missing'],
    [...rows('one call', one, oneTimes), ...rows(`${calls} calls`, echo, times)],
  )
  printFigure(
    'ms there and back that switch and server add to one voice agent, p50',
    percentile(roundTrips(one.heard.lines), 0.5),
    { atMost: 35 },
    0,
  )
  const violations = await world.provider.ask('violations')
  if (violations.length > 0) say(`against the protocol: ${violations.slice(0, 5).join(', ')}`)
}

say(`bench/ai: ${machine()}`)
const world = await World.start((seconds + calls / perSecond + 10) * 1_000)
try {
  await measure(world)
} finally {
  await world.stop()
}
process.exit(0)
