/**
 * Agents who are rung and answer: calls from outside come at a steady rate, each rings one of many agents on their app,
 * which takes it (without media of its own), talks and hangs up.
 * Settings: BENCH_AGENTS (300), BENCH_RATE of calls a second (5), BENCH_CALLS (300), BENCH_TALK_MS (5000).
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../../../server/dist/test/support/api-client.js'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { password } from '../../../server/dist/test/support/phone-bench.js'
import { TeamBench } from '../../../server/dist/test/support/team-bench.js'
import type { Telephone } from '../../../server/dist/test/support/telephone.js'
import { connectTo } from '../api/fill.js'
import { cpuPerCall, partNames } from '../calls/parts.js'
import { extraSettings, partsOf } from '../calls/world.js'
import { machine, percentile, printTable, say, printFigure } from '../figures.js'
import { AgentApp, type Taken } from './agent-app.js'

const setting = (name: string, value: number) => Number(process.env[name] ?? value)
const agents = setting('BENCH_AGENTS', 300)
const perSecond = setting('BENCH_RATE', 5)
const calls = setting('BENCH_CALLS', 300)
const talkMs = setting('BENCH_TALK_MS', 5_000)

/** Each has a socket of its own, and its calls in turn. */
const telephones = 25

/** What became of a call, as its caller saw it; milliseconds since 1970. */
interface Seen {
  invitedAt: number
  status: number
  answeredAt: number
}

async function login(api: ApiClient, username: string): Promise<ApiClient> {
  const answer = await api
    .with({ authorization: undefined })
    .post('/auth/login', { username, password, device_id: `device-${username}` })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const { tokens } = answer.body as { tokens: { access_token: string } }
  return api.with({ authorization: `Bearer ${tokens.access_token}` })
}

async function staff(bench: TeamBench, earPort: number): Promise<AgentApp[]> {
  const names = Array.from({ length: agents }, (_, index) => `agent${lettersOf(index)}`)
  const accounts = []
  for (const name of names) accounts.push(await bench.phones.agent(name))
  const team = await bench.phones.team('All', accounts)
  await bench.leadsTo('connect_team', { team_id: team, strategy: 'round-robin', timeout: 20 })
  const apps: AgentApp[] = []
  for (const name of names)
    apps.push(await AgentApp.open(await login(bench.phones.api, name), talkMs, earPort))
  return apps
}

/** Names of people have no digits. */
function lettersOf(index: number): string {
  return [...String(index).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

async function callOnce(phone: Telephone, number: string): Promise<Seen> {
  const invitedAt = Date.now()
  const dialog = phone.call(number)
  let answeredAt = 0
  dialog.on('status', (status) => {
    if (status >= 200) answeredAt ||= Date.now()
  })
  const status = await dialog.answered().catch(() => 0)
  await dialog.over().catch(() => 'never')
  return { invitedAt, status, answeredAt }
}

async function run(bench: TeamBench, apps: readonly AgentApp[]): Promise<{ seen: Seen[]; taken: Taken[] }> {
  const phones = []
  for (let index = 0; index < telephones; index++) phones.push(await bench.inbound.caller())
  const running: Promise<Seen>[] = []
  const began = Date.now()
  for (let index = 0; index < calls; index++) {
    await sleep(Math.max(0, began + (index * 1_000) / perSecond - Date.now()))
    const phone = phones[index % phones.length]
    if (phone) running.push(callOnce(phone, bench.inbound.number))
  }
  const seen = await Promise.all(running)
  await sleep(1_000)
  return { seen, taken: apps.flatMap((app) => app.taken) }
}

function row(name: string, samples: readonly number[]): string[] {
  return [
    name,
    String(samples.length),
    ...[0.5, 0.9, 0.99, 1].map((share) => percentile(samples, share).toFixed(0)),
  ]
}

/** Samples of what both moments of a thing are known of. */
function between(pairs: readonly (readonly [number | undefined, number | undefined])[]): number[] {
  return pairs.flatMap(([from, to]) => (from && to ? [to - from] : []))
}

function report(seen: readonly Seen[], taken: readonly Taken[]): boolean {
  const answered = seen.filter(({ status }) => status === 200)
  const invited = [...seen].map(({ invitedAt }) => invitedAt).sort((a, b) => a - b)
  // Calls ring in the order in which they come, but for neighbours that overtake one another.
  const rung = [...new Map(taken.map((one) => [one.callId, one.rungAt])).values()].sort((a, b) => a - b)
  say(`${agents} agents, ${perSecond} calls a second, ${talkMs / 1_000} s of talk each; milliseconds`)
  printTable(
    ['', 'samples', 'p50', 'p90', 'p99', 'most'],
    [
      row(
        'INVITE to call.ring',
        rung.map((at, index) => at - (invited[index] ?? at)),
      ),
      row('call.ring to call.offer', between(taken.map(({ rungAt, offeredAt }) => [rungAt, offeredAt]))),
      row(
        'call.answer to call.answered',
        between(taken.map(({ pickedUpAt, answeredAt }) => [pickedUpAt, answeredAt])),
      ),
      row('INVITE to 200', between(answered.map(({ invitedAt, answeredAt }) => [invitedAt, answeredAt]))),
    ],
  )
  const ends = new Map<string, number>()
  for (const { end = 'none' } of taken) ends.set(end, (ends.get(end) ?? 0) + 1)
  const failed = seen.length - answered.length
  say(`${answered.length} of ${seen.length} calls answered; ends that apps saw: ${JSON.stringify([...ends])}`)
  printFigure(`unanswered calls to ${agents} agents, of ${seen.length}`, failed, { atMost: 0 }, 0)
  return failed === 0 && taken.every(({ end }) => end === 'hangup')
}

async function main(): Promise<boolean> {
  say(machine())
  const mariadb = await startMariadb({ durable: true })
  const bench = await TeamBench.start({
    mariadb,
    credit: 10_000,
    settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', ...extraSettings() },
  })
  // Takes what the switch sends to all apps: it would hang up if the port were closed.
  const ear = createSocket('udp4').bind(0, '127.0.0.1').unref()
  await once(ear, 'listening')
  let apps: AgentApp[] = []
  try {
    apps = await staff(bench, ear.address().port)
    const database = await connectTo(bench.inbound.bench.appliance)
    const parts = await partsOf(bench.inbound.bench, database)
    await database.end()
    const { result, cpu } = await cpuPerCall(
      parts,
      async () => run(bench, apps),
      ({ seen }) => seen.length,
    )
    const isWhole = report(result.seen, result.taken)
    say(`CPU ms a call: ${partNames.map((part) => `${part} ${cpu[part].toFixed(0)}`).join(', ')}`)
    return isWhole
  } finally {
    for (const app of apps) app.close()
    await bench.stop()
    await mariadb.stop()
    ear.close()
  }
}

process.exitCode = (await main()) ? 0 : 1
process.exit()
