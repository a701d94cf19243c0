/** Messages through a carrier that drops its line at random, while the server is killed and the database is away. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Mariadb, startMariadb } from './mariadb.js'
import { Smsc } from './smsc.js'
import { TextBench } from './text-bench.js'

export interface ChaosOptions {
  messages: number
  window: number
  /** Submissions after which a line drops, on average. */
  dropAfter: number
  /** Where the server is killed, and where the database goes away: shares of the messages that the carrier has. */
  kills: readonly number[]
  outages: readonly number[]
  outageMs: number
  /** For all messages to come to their end. */
  withinMs: number
  /** Told what happens. */
  say?: (line: string) => void
}

export interface ChaosResult {
  seconds: number
  drops: number
  /** Messages that the carrier has. */
  messages: number
  /** Submissions that it took. */
  submissions: number
  /** Of those, what was lost with its line before it was answered. */
  unanswered: number
  /** Submissions of messages of which one had been answered before: after a kill, what was not kept yet. */
  repeated: number
  /** Messages none of whose submissions was answered. */
  neverAnswered: number
  /** How many messages have which status, and were to have which. */
  statuses: Record<string, number>
  wrongStatuses: number
  /** Rows that should be gone. */
  left: number
}

/** Clients whose handsets cannot be reached. */
const unreachable = '7$'

export async function messageChaos(options: ChaosOptions): Promise<ChaosResult> {
  const mariadb = await startMariadb()
  const smsc = await Smsc.start()
  const bench = await TextBench.start({ mariadb })
  try {
    return await chaos(options, { mariadb, smsc, bench })
  } finally {
    await bench.stop()
    await smsc.stop()
    await mariadb.stop()
  }
}

interface Parts {
  mariadb: Mariadb
  smsc: Smsc
  bench: TextBench
}

async function chaos(options: ChaosOptions, parts: Parts): Promise<ChaosResult> {
  const { smsc, bench } = parts
  const { messages, window, dropAfter, withinMs, say = () => undefined } = options
  const late: [number, number] = [0, 1_500]
  await smsc.behave({
    drop: { after: dropAfter, unanswered: window / 2, random: true, times: 1_000_000 },
    rules: [{ to: unreachable, receipts: [{ after_ms: late, stat: 'UNDELIV', err: '021' }] }],
    receipts: [{ after_ms: late }],
  })
  const carrier = await bench.carrier(smsc.port, { window })
  const began = Date.now()
  const ids = await bench.accept(messages, carrier)
  say(`${messages} messages accepted`)
  await strike(options, parts)
  const open = `SELECT COUNT(*) AS n FROM messages WHERE status NOT IN ('delivered', 'undelivered', 'failed')`
  await bench.eventually(
    async () => bench.query(open),
    ([{ n }]) => Number(n) === 0,
    'end of all messages',
    Math.max(1_000, withinMs - (Date.now() - began)),
  )
  const seconds = (Date.now() - began) / 1000
  return { seconds, drops: smsc.closed.length, ...(await figures(ids, parts)) }
}

/** Does what is to be done, each when the carrier has so many messages. */
async function strike(
  { messages, kills, outages, outageMs, withinMs, say = () => undefined }: ChaosOptions,
  { mariadb, smsc, bench }: Parts,
): Promise<void> {
  const strikes = [
    ...kills.map((share) => ({ share, isKill: true })),
    ...outages.map((share) => ({ share, isKill: false })),
  ].sort((one, other) => one.share - other.share)
  for (const { share, isKill } of strikes) {
    await smsc.until(`${share * 100} %`, () => smsc.submits.length >= share * messages, withinMs)
    say(`${smsc.submits.length} submissions: ${isKill ? 'the server is killed' : 'the database is away'}`)
    if (isKill) {
      await bench.appliance.killServer()
      await bench.appliance.startServer()
    } else {
      await mariadb.pause()
      await sleep(outageMs)
      await mariadb.resume()
    }
  }
}

async function figures(
  ids: readonly string[],
  { smsc, bench }: Parts,
): Promise<Omit<ChaosResult, 'seconds' | 'drops'>> {
  const seen = new Map<string, { answered: number; repeated: number }>()
  for (const { to, answered } of smsc.taken) {
    const one = seen.get(to) ?? { answered: 0, repeated: 0 }
    if (one.answered > 0) one.repeated += 1
    if (answered) one.answered += 1
    seen.set(to, one)
  }
  const rows = await bench.rows(ids)
  const statuses: Record<string, number> = {}
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1
  const wrong = rows.filter(
    ({ status, client_number }) => status !== (client_number.endsWith('7') ? 'undelivered' : 'delivered'),
  )
  const [queued, segments] = await Promise.all(
    ['message_queue', 'message_segments'].map(async (table) =>
      bench.query(`SELECT COUNT(*) AS n FROM ${table}`),
    ),
  )
  return {
    messages: seen.size,
    submissions: smsc.taken.length,
    unanswered: smsc.taken.filter(({ answered }) => !answered).length,
    repeated: [...seen.values()].reduce((sum, { repeated }) => sum + repeated, 0),
    neverAnswered: [...seen.values()].filter(({ answered }) => answered === 0).length,
    statuses,
    wrongStatuses: wrong.length + ids.length - rows.length,
    left: Number(queued?.[0].n) + Number(segments?.[0].n),
  }
}
