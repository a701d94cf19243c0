/**
 * Calls that come in, decided by the server (a flow: answer, one second of audio, hang-up), beside a static dialplan that
 * does the same on the same FreeSWITCH, in turns: what deciding adds to INVITE → 180 and INVITE → 200, and how many
 * calls a second each answers within 100 ms.
 * Settings: BENCH_RATES ("25,35,50,60,75,100,125,150,200"), BENCH_SECONDS of a turn, BENCH_ROUNDS.
 */
import { copyFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { machine, median, percentile, printTable, say, printFigure } from '../figures.js'
import { type PartName, cpuPerCall, partNames } from '../calls/parts.js'
import { World } from '../calls/world.js'
import { type Answers, type Way, callInbound } from './callers.js'

const rates = (process.env['BENCH_RATES'] ?? '25,35,50,60,75,100,125,150,200').split(',').map(Number)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const gentle = { perSecond: 10, calls: 100 }

/** What a caller does not notice. */
const promptMs = 100

/** Least ratio of calls a second to a static dialplan. */
const aims = { decided: 0.5, 'decided, by the edge': 0.4 } as const

/** The rate at which CPU counts, and how much of it server and MariaDB may take together, in ms a call. */
const judged = { perSecond: 60, cpuMs: 8 }

/** Rates that are tried of a way that was too slow: how it behaves beyond what it can, and no more of the same. */
const triedBeyond = 2

/** Callers listen for a second: so many ports for each call a second. */
const rtp = { rtpStart: 10_000, rtpPorts: 4_600 }

const staticExtension = (file: string) => `
      <extension name="static"><condition field="destination_number" expression="^static$">
        <action application="ring_ready"/><action application="answer"/>
        <action application="playback" data="${file}"/><action application="hangup"/>
      </condition></extension>`

const staticFile = `/tmp/jackfield-bench-${process.pid}.wav`

const wayNames = ['static dialplan', 'decided', 'decided, by the edge'] as const
type WayName = (typeof wayNames)[number]

async function waysOf(world: World): Promise<Record<WayName, Way>> {
  const { api, workspace, numberId, appliance } = world.bench
  const flow = await api.post('/call-flows', {
    title: 'Bench',
    trigger_type: 'inbound',
    nodes: [
      { id: 'start', type: 'start', next: { default: 'play' } },
      { id: 'play', type: 'play', params: { audio_id: world.audioId } },
    ],
  })
  await api.patch(`/phone-numbers/${numberId}`, { call_flow_id: (flow.body as { id: string }).id })
  const { options } = appliance.kamailio ?? {}
  if (!options) throw new Error('this needs an edge')
  const direct = {
    server: `127.0.0.1:${world.freeswitch.sipPort}`,
    host: options.privateHost,
    ...{ numberId, workspaceId: workspace.id },
  }
  const user = '+12025550199'
  return {
    'static dialplan': { ...direct, user: 'static' },
    decided: { ...direct, user },
    'decided, by the edge': {
      ...direct,
      user,
      server: `${options.sipHost}:${options.sipPort}`,
      host: '127.0.0.1',
    },
  }
}

const figure = (samples: readonly number[], share: number) => percentile(samples, share).toFixed(0)

async function addedDelay({ parts }: World, ways: Record<WayName, Way>): Promise<void> {
  const used: Record<WayName, Record<PartName, number>[]> = {
    'static dialplan': [],
    decided: [],
    'decided, by the edge': [],
  }
  const turns: Record<WayName, Answers[]> = { 'static dialplan': [], decided: [], 'decided, by the edge': [] }
  for (let round = 0; round <= rounds; round++) {
    for (const name of wayNames) {
      const { result: turn, cpu } = await cpuPerCall(
        parts,
        async () => callInbound(ways[name], gentle.perSecond, gentle.calls),
        ({ made }) => made,
      )
      if (turn.failed > 0)
        throw new Error(`${turn.failed} calls failed (${name}): ${turn.errors.slice(0, 2_000)}`)
      // The first round warms up.
      if (round > 0) {
        turns[name].push(turn)
        used[name].push(cpu)
      }
      await sleep(500)
    }
  }
  const all = (name: WayName, timer: 'rings' | 'answers') => turns[name].flatMap((turn) => turn[timer])
  const base = {
    rings: percentile(all('static dialplan', 'rings'), 0.5),
    answers: percentile(all('static dialplan', 'answers'), 0.5),
  }
  say(
    `${gentle.perSecond} calls a second, ${rounds} turns of ${gentle.calls} each; milliseconds; parts: CPU ms a call`,
  )
  printTable(
    ['', '180 p50', 'p99', 'added p50', '200 p50', 'p99', 'added p50', ...partNames],
    wayNames.map((name) => [
      name,
      ...(['rings', 'answers'] as const).flatMap((timer) => [
        figure(all(name, timer), 0.5),
        figure(all(name, timer), 0.99),
        (percentile(all(name, timer), 0.5) - base[timer]).toFixed(0),
      ]),
      ...partNames.map((part) => median(used[name].map((cpu) => cpu[part])).toFixed(1)),
    ]),
  )
  for (const timer of ['rings', 'answers'] as const) {
    const added = percentile(all('decided', timer), 0.5) - base[timer]
    printFigure(
      `ms that deciding adds to INVITE → ${timer === 'rings' ? 180 : 200}, p50`,
      added,
      { atMost: 15 },
      0,
    )
  }
}

/** The highest rate at which nearly all are answered in time, and no call fails at any. */
async function capacity({ parts }: World, ways: Record<WayName, Way>): Promise<void> {
  const best: Record<WayName, number> = { 'static dialplan': 0, decided: 0, 'decided, by the edge': 0 }
  const beyond: Record<WayName, number> = { 'static dialplan': 0, decided: 0, 'decided, by the edge': 0 }
  const table: string[][] = []
  const ours: number[] = []
  let failures = 0
  let errors = ''
  for (const rate of rates) {
    const row = [String(rate)]
    for (const name of wayNames) {
      if (beyond[name] >= triedBeyond) {
        row.push('', '', '')
        continue
      }
      const turns: Answers[] = []
      for (let round = 0; round < rounds; round++) {
        const { result, cpu } = await cpuPerCall(
          parts,
          async () => callInbound(ways[name], rate, rate * seconds),
          ({ made }) => made,
        )
        turns.push(result)
        if (name === 'decided' && rate === judged.perSecond) ours.push(cpu.server + cpu.mariadb)
        await sleep(1_500)
      }
      const late = median(turns.map(({ answers }) => percentile(answers, 0.95)))
      const failed = turns.reduce((sum, turn) => sum + turn.failed, 0)
      if (name !== 'static dialplan') {
        failures += failed
        errors ||= turns.map((turn) => turn.errors).join('')
      }
      if (late < promptMs && failed === 0) best[name] = Math.max(best[name], rate)
      else beyond[name]++
      row.push(
        median(turns.map(({ answers }) => percentile(answers, 0.5))).toFixed(0),
        late.toFixed(0),
        String(failed),
      )
    }
    table.push(row)
  }
  say()
  say(`calls a second, ${rounds} turns of ${seconds} s each; milliseconds from INVITE to 200`)
  printTable(['', ...wayNames.flatMap((name) => [`${name}: p50`, 'p95', 'failed'])], table)
  say()
  for (const name of ['decided', 'decided, by the edge'] as const) {
    const ratio = best[name] / best['static dialplan']
    say(
      `${name}: ${best[name]} a second answered within ${promptMs} ms (p95), static ${best['static dialplan']}`,
    )
    printFigure(`calls/s ${name}, to a static dialplan`, ratio, { atLeast: aims[name] })
  }
  if (ours.length > 0) {
    const what = `ms of CPU that server and MariaDB take of a decided call at ${judged.perSecond} a second`
    printFigure(what, median(ours), { atMost: judged.cpuMs }, 1)
  }
  if (failures > 0) throw new Error(`${failures} decided calls failed: ${errors.slice(0, 2_000)}`)
}

async function main(): Promise<void> {
  say(machine())
  const world = await World.start({
    freeswitch: { ...rtp, extensions: staticExtension(staticFile) },
  })
  try {
    await copyFile(world.audioFile, staticFile)
    const ways = await waysOf(world)
    await addedDelay(world, ways)
    await capacity(world, ways)
  } finally {
    await world.stop()
    await rm(staticFile, { force: true })
  }
}

await main()
