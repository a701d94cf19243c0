/**
 * An event to 1,000 streams, beside the same from bare node:http, in turns; and what a stream of a client takes.
 * Settings: BENCH_STREAMS, BENCH_ROUNDS (of each server), BENCH_EVENTS (a round).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Person,
  clientToken,
  newPerson,
  startUnlimited,
} from '../../../server/dist/test/api/fixtures.js'
import type { Appliance } from '../../../server/dist/test/support/appliance.js'
import { freePort } from '../../../server/dist/test/support/free-ports.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { cpuMs, residentKb } from '../cpu.js'
import { machine, percentile, printTable, say, printFigure } from '../figures.js'
import type { OpenOrder, Reached, ReaderMessage } from './reader.js'

const streams = Number(process.env['BENCH_STREAMS'] ?? 1_000)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const eventsARound = Number(process.env['BENCH_EVENTS'] ?? 20)

const perPerson = 5
const pauseMs = 200
const settleMs = 3_000
const deadlineMs = 60_000

/** A server whose streams are open. */
interface Target {
  name: string
  pid: number
  reader: ChildProcess
  /** Has it send an event. */
  trigger: (count: number) => Promise<void>
  /** Whether an event is that one. */
  isIt: (count: number, data: Record<string, unknown>) => boolean
  delays: number[]
  /** From before the request that caused the event to its arrival at the last reader. */
  all: number[]
  cpuMs: number
  /** Events. */
  sent: number
}

const nothing = () => ({ delays: [], all: [], cpuMs: 0, sent: 0 })

const children: ChildProcess[] = []

function start(script: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [], { env: { ...process.env, ...env } })
  children.push(child)
  return child
}

/** The next message of a reader that is of a kind. */
async function next<T extends ReaderMessage>(
  reader: ChildProcess,
  isIt: (message: ReaderMessage) => message is T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the readers have not got it')), deadlineMs)
    const listen = (message: ReaderMessage) => {
      if (!isIt(message)) return
      clearTimeout(timer)
      reader.off('message', listen)
      resolve(message)
    }
    reader.on('message', listen)
  })
}

const isOpened = (message: ReaderMessage): message is { opened: number } => 'opened' in message

async function read(order: OpenOrder): Promise<ChildProcess> {
  const reader = start('./reader.js')
  const opened = next(reader, isOpened)
  reader.send(order)
  const count = (await opened).opened
  if (count !== order.tokens.length) throw new Error(`${count} of ${order.tokens.length} streams opened`)
  return reader
}

async function ours(appliance: Appliance): Promise<Target> {
  const workspace = await appliance.workspace()
  const people: Person[] = []
  while (people.length < streams / perPerson) people.push(await newPerson(workspace))
  const tokens = people.flatMap(({ api }) => Array<string>(perPerson).fill(tokenOf(api)))
  const host = `${workspace.id}.localhost`
  const reader = await read({ port: appliance.port, path: '/api/v1/stream', host, tokens })
  // Each arrival is an event for all streams.
  await sleep(settleMs)
  const [person] = people
  if (!person) throw new Error('there are no streams')
  const sixth = await person.api.get('/stream')
  say(`a person's sixth stream: ${sixth.status} ${JSON.stringify(sixth.body)}`)
  const stateOf = (count: number) => (count % 2 ? 'available' : 'busy')
  const trigger = async (count: number) => {
    const { status } = await person.api.put('/me/state', { state: stateOf(count) })
    if (status !== 200) throw new Error(`no state: ${status}`)
  }
  const isIt: Target['isIt'] = (count, data) =>
    data['agent_id'] === person.id && data['state'] === stateOf(count)
  return { name: 'Jackfield', pid: appliance.serverPid, reader, trigger, isIt, ...nothing() }
}

async function bare(sample: Record<string, unknown>): Promise<Target> {
  const port = await freePort()
  const server = start('./bare-server.js', { BENCH_PORT: String(port) })
  await once(server, 'message', { signal: AbortSignal.timeout(deadlineMs) })
  const tokens = Array<string>(streams).fill('none')
  const reader = await read({ port, path: '/', host: 'bare', tokens })
  const trigger = async (count: number) => {
    const body = JSON.stringify({ ...sample, count })
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
  }
  const isIt: Target['isIt'] = (count, data) => data['count'] === count
  return { name: 'node:http', pid: server.pid ?? 0, reader, trigger, isIt, ...nothing() }
}

function tokenOf({ authorization }: { authorization: string | undefined }): string {
  return authorization?.slice('Bearer '.length) ?? ''
}

async function send(target: Target): Promise<Reached & { all: number }> {
  const count = target.sent++
  const isIt = (message: ReaderMessage): message is Reached =>
    'delays' in message && target.isIt(count, message.data)
  const reached = next(target.reader, isIt)
  const before = Date.now()
  await target.trigger(count)
  const one = await reached
  const all = Date.now() - before
  await sleep(pauseMs)
  return { ...one, all }
}

async function round(target: Target): Promise<void> {
  const before = await cpuMs([target.pid])
  for (let event = 0; event < eventsARound; event++) {
    const { delays, all } = await send(target)
    target.delays.push(...delays)
    target.all.push(all)
  }
  target.cpuMs += (await cpuMs([target.pid])) - before
}

/** A workspace whose clients have all the streams they may have, and one more. */
async function clients(appliance: Appliance): Promise<void> {
  const workspace = await appliance.workspace()
  const before = await residentKb(appliance.serverPid)
  const subs = Array.from({ length: streams }, (_, index) => `user-${Math.floor(index / perPerson)}`)
  const tokens = subs.map((sub) => clientToken(workspace, { sub }))
  const host = `${workspace.id}.localhost`
  await read({ port: appliance.port, path: '/api/v1/stream', host, tokens })
  await sleep(settleMs)
  const after = await residentKb(appliance.serverPid)
  const more = workspace.api.with({ authorization: `Bearer ${clientToken(workspace, { sub: 'one-more' })}` })
  const refused = await more.get('/stream')
  say(`stream ${streams + 1} of a workspace's clients: ${refused.status} ${JSON.stringify(refused.body)}`)
  say(`memory of ${streams} clients: ${((after - before) / streams).toFixed(1)} KB each`)
}

async function main(): Promise<void> {
  say(machine())
  const appliance = await startUnlimited({
    JACKFIELD_STREAM_MAX_PER_PERSON: String(perPerson),
    JACKFIELD_STREAM_MAX_CLIENTS: String(streams),
  })
  try {
    await clients(appliance)
    const jackfield = await ours(appliance)
    const { data: sample } = await send(jackfield)
    const targets = [jackfield, await bare(sample)]
    for (const target of targets) for (let event = 0; event < 10; event++) await send(target)
    for (let turn = 0; turn < rounds; turn++) for (const target of targets) await round(target)
    const row = ({ name, delays, all, cpuMs: used }: Target) => [
      name,
      ...[0.5, 0.99, 1].map((share) => percentile(delays, share).toFixed(0)),
      percentile(all, 0.5).toFixed(0),
      (used / all.length).toFixed(1),
    ]
    say(`\n${rounds * eventsARound} events to ${streams} streams each`)
    printTable(
      ['', 'p50 ms', 'p99 ms', 'max ms', 'request to last, p50 ms', 'CPU ms/event'],
      targets.map(row),
    )
    const [own, other] = targets.map(({ delays }) => percentile(delays, 0.99))
    printFigure(`ms to ${streams} streams, p99`, own ?? 0, { atMost: 100 }, 0)
    printFigure(`p99 to ${streams} streams, to node:http`, (own ?? 0) / (other || 1))
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await appliance.stop()
    await stopSharedMariadb()
  }
}

await main()
