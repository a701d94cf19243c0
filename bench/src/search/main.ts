/**
 * What searches and last pages of a workspace with many messages, contacts and calls cost beside a first page of the same
 * list. One request at a time, all kinds in turns; medians, and what MariaDB and the server use of a processor.
 * Settings: BENCH_MESSAGES, BENCH_CONTACTS, BENCH_CALLS (rows of the workspace), BENCH_REQUESTS (of each kind), BENCH_BUFFER_POOL_MB.
 */
import { Appliance, type TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { startMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo } from '../api/fill.js'
import { machine, median, printFigure, printTable, say } from '../figures.js'
import { fill } from './fill.js'

const setting = (name: string, value: number) => Number(process.env[name] ?? value)
const rows = {
  messages: setting('BENCH_MESSAGES', 1_000_000),
  contacts: setting('BENCH_CONTACTS', 100_000),
  calls: setting('BENCH_CALLS', 250_000),
}
const requests = setting('BENCH_REQUESTS', 15)
/** Of an installation whose texts fit: `database.buffer_pool_mb`. */
const bufferPoolMb = setting('BENCH_BUFFER_POOL_MB', 1_024)

type List = keyof typeof rows

/** First pages that count all rows, which those of messages and calls by themselves no longer do. */
const counting: Readonly<Record<List, string>> = {
  messages: 'from=2000-01-01T00:00:00Z',
  contacts: '',
  calls: 'from=2000-01-01T00:00:00Z',
}

/** What is searched for: words that few rows have, that many have and that none has, digits, and less than a word. */
const searches: Readonly<Record<List, Readonly<Record<string, string>>>> = {
  messages: {
    'a rare word': 'zucchini',
    'a common word': 'appointment',
    'two words': 'order is ready',
    'no match': 'zebra',
    'a number': '2025500077',
    'two letters': 'ap',
    'one letter': 'z',
  },
  contacts: {
    'a rare name': 'Contact 7777',
    'a common name': 'contact',
    'no match': 'zebra',
    'a number': '2020007777',
    'two letters': 'co',
  },
  calls: {
    'a rare number': '2020077777',
    'a common name': 'client',
    'no match': 'zebra',
    'two digits': '49',
  },
}

const countingPage = 'first page that counts all rows'

async function timed({ api }: TestWorkspace, path: string): Promise<number> {
  const began = performance.now()
  const answer = await api.get(path)
  const took = performance.now() - began
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return took
}

function pathsOf(list: List): Map<string, string> {
  const last = Math.ceil(rows[list] / 20)
  const pages = {
    'first page': '',
    [countingPage]: counting[list],
    'page in the middle': `page=${last >> 1}`,
    'last page': `page=${last}`,
  }
  const sought = Object.entries(searches[list]).map(([kind, text]) => [
    `search, ${kind}`,
    `search=${encodeURIComponent(text)}`,
  ])
  const all = [...Object.entries(pages), ...sought] as [string, string][]
  return new Map(all.map(([kind, query]) => [kind, `/${list}?limit=20&${query}`]))
}

/** Medians of each kind of request, measured in turns. */
async function measureList(workspace: TestWorkspace, list: List): Promise<[string, number][]> {
  const paths = pathsOf(list)
  const times = new Map([...paths.keys()].map((kind) => [kind, [] as number[]]))
  for (let round = 0; round <= requests; round++) {
    for (const [kind, path] of paths) {
      const took = await timed(workspace, path)
      // The first round reads from the disk.
      if (round > 0) times.get(kind)?.push(took)
    }
  }
  return [...times].map(([kind, samples]) => [kind, median(samples)])
}

async function measure(): Promise<void> {
  say(`bench/search: ${machine()}`)
  const mariadb = await startMariadb({ bufferPoolMb })
  const appliance = await Appliance.start({ mariadb, settings: { JACKFIELD_RATE_LIMITS_DEFAULT: '1000000' } })
  try {
    const workspace = await appliance.workspace()
    const connection = await connectTo(appliance)
    const began = Date.now()
    for (const list of Object.keys(rows) as List[]) await fill(connection, workspace.id, list, rows[list])
    await connection.end()
    say(`${Object.values(rows).join(', ')} rows written in ${((Date.now() - began) / 1000).toFixed(0)} s`)
    say(`one workspace; medians of ${requests} requests of each kind`)
    const worst: [List, number][] = []
    for (const list of Object.keys(rows) as List[]) {
      const figures = await measureList(workspace, list)
      const of = (wanted: string) => figures.find(([kind]) => kind === wanted)?.[1] ?? NaN
      const [first, counted] = [of('first page'), of(countingPage)]
      printTable(
        [`${rows[list]} ${list}`, 'ms', 'to a first page', 'to one that counts'],
        figures.map(([kind, ms]) => [
          kind,
          ms.toFixed(1),
          (ms / first).toFixed(2),
          (ms / counted).toFixed(2),
        ]),
      )
      say()
      worst.push([list, Math.max(...figures.map(([, ms]) => ms / counted))])
    }
    for (const [list, ratio] of worst) {
      const what = `time of a search or page of ${rows[list]} ${list}, to a first page that counts all: the worst`
      printFigure(what, ratio, { atMost: 3 })
    }
  } finally {
    await appliance.stop()
    await mariadb.stop()
  }
}

await measure()
process.exit(0)
