/**
 * Callers at once, always so many, in a flow with a menu, an IVR and callbacks to a customer's server, for a while; in the
 * middle the server is killed with -9 and started again. No call may fail, and afterwards nothing may be left: no channel,
 * no live row, no job. Prints what grows. Fails with exit code 1 when something is wrong.
 * Settings: BENCH_AT_ONCE (67), BENCH_MINUTES (60), BENCH_KILL (1: kill the server in the middle).
 */
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, residentMb } from '../cpu.js'
import { machine, printTable, say, printFigure } from '../figures.js'
import { World } from '../calls/world.js'
import { Customer } from './customer.js'
import { MenuCallers } from './menu-callers.js'

const atOnce = Number(process.env['BENCH_AT_ONCE'] ?? 67)
const minutes = Number(process.env['BENCH_MINUTES'] ?? 60)
const kills = process.env['BENCH_KILL'] !== '0'

/** A call takes some 15 s, and up to a minute when the server is killed in it. */
const lastCallsMs = 120_000

const nodes = (url: string) => [
  { id: 'start', type: 'start', next: { default: 'who' } },
  { id: 'who', type: 'contact_lookup', params: { url }, next: { default: 'choose' } },
  {
    ...{ id: 'choose', type: 'menu', params: { text: 'Press one to go on.', timeout: 5 } },
    next: { '1': 'ask', default: 'bye' },
  },
  { id: 'ask', type: 'json_call_action', params: { url }, next: { default: 'bye' } },
  { id: 'bye', type: 'hangup' },
]

interface Sample {
  minute: number
  serverMb: number
  switchMb: number
  live: number
  channels: number
  calls: number
  jobs: number
  files: number
  descriptors: number
}

async function sample(world: World, minute: number): Promise<Sample> {
  const { serverPid, mediaDirectory } = world.bench.appliance
  return {
    minute,
    serverMb: await residentMb(serverPid),
    switchMb: await residentMb(world.freeswitch.pid),
    live: await world.count('SELECT COUNT(*) FROM calls WHERE live = 1'),
    channels: await world.events.channels(),
    calls: await world.count('SELECT COUNT(*) FROM calls'),
    jobs: await world.count('SELECT COUNT(*) FROM outbox'),
    files: (await readdir(mediaDirectory, { recursive: true })).length,
    descriptors: (await readdir(`/proc/${serverPid}/fd`)).length,
  }
}

async function prepare(world: World, customer: Customer): Promise<void> {
  const { api, numberId } = world.bench
  const flow = await api.post('/call-flows', {
    title: 'Soak',
    trigger_type: 'inbound',
    nodes: nodes(customer.url),
  })
  const { id } = flow.body as { id: string }
  const number = await api.patch(`/phone-numbers/${numberId}`, { call_flow_id: id })
  if (number.status !== 200) throw new Error(JSON.stringify([flow.body, number.body]))
}

function print(samples: readonly Sample[]): void {
  printTable(
    ['minute', 'server MB', 'switch MB', 'live', 'channels', 'calls', 'jobs', 'files', 'descriptors'],
    samples.map((one) => Object.values(one).map(String)),
  )
}

async function main(): Promise<void> {
  say(machine())
  const world = await World.start({
    freeswitch: { rtpStart: 10_000, rtpPorts: 4_600 },
    settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  const customer = await Customer.start()
  const { options } = world.bench.appliance.kamailio ?? {}
  if (!options) throw new Error('this needs an edge')
  try {
    await prepare(world, customer)
    const callers = await MenuCallers.start({
      user: '+12025550199',
      server: `${options.sipHost}:${options.sipPort}`,
      atOnce,
    })
    const samples: Sample[] = []
    const cpu = [await cpuMs([world.bench.appliance.serverPid]), await cpuMs([world.freeswitch.pid])]
    say(`${atOnce} callers at once for ${minutes} minutes`)
    for (let minute = 1; minute <= minutes; minute++) {
      await sleep(30_000)
      if (kills && minute === Math.ceil(minutes / 2)) {
        await world.bench.appliance.killServer()
        await world.bench.appliance.startServer()
        say(`server killed and started again in minute ${minute}`)
      }
      await sleep(30_000)
      samples.push(await sample(world, minute))
      print(samples.slice(-1))
    }
    const result = await callers.finish(lastCallsMs)
    await sleep(10_000)
    samples.push(await sample(world, minutes + 1))
    say()
    print(samples)
    say(
      `CPU ms: server ${(await cpuMs([world.bench.appliance.serverPid])) - (cpu[0] ?? 0)}, switch ${(await cpuMs([world.freeswitch.pid])) - (cpu[1] ?? 0)}`,
    )
    say(
      `asked of the customer: ${[...customer.asked].map(([event, times]) => `${event} ${times}`).join(', ')}`,
    )
    printFigure(
      `calls that failed, of ${result.made} into flows with a server killed -9`,
      result.failed,
      { atMost: 0 },
      0,
    )
    if (result.failed > 0) await explain(world)
    check(samples.at(-1), result)
  } finally {
    await customer.stop()
    await world.stop()
  }
}

/** What the server knows of calls that did not go well. */
async function explain(world: World): Promise<void> {
  const [rows] = await world.database.query(
    `SELECT status, hangup_cause, sip_code, program, COUNT(*) AS calls, MIN(created_at) AS first, MAX(created_at) AS last
     FROM calls WHERE status <> 'completed' GROUP BY 1, 2, 3, 4`,
  )
  say(JSON.stringify(rows, null, 1))
  say(world.bench.appliance.log.slice(-6_000))
}

function check(last: Sample | undefined, { made, failed }: { made: number; failed: number }): void {
  const wrong = [
    failed > 0 && `${failed} calls failed`,
    last?.live !== 0 && `${last?.live} calls are live`,
    last?.channels !== 0 && `${last?.channels} channels are left`,
    last?.jobs !== 0 && `${last?.jobs} jobs are left`,
    last?.calls !== made && `${last?.calls} calls in the table, ${made} made`,
  ].filter(Boolean)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}

await main()
