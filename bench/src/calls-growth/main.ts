/**
 * What a call and a page cost as calls, legs, events and messages grow, beside the same in tables that are as good as empty:
 * two appliances, each with a MariaDB of its own, in turns. The sweep of old rows is at work meanwhile.
 * Settings: BENCH_ROWS (200000), BENCH_TURNS (3), BENCH_CALLS (60), BENCH_CALLS_PER_SECOND (10), BENCH_REQUESTS (15),
 * BENCH_OLD (rows that the sweep finds in a turn, 60000), BENCH_BUFFER_POOL_MB (64).
 */
import { machine, median, printFigure, printTable, say } from '../figures.js'
import { rowsOfUnit } from './fill.js'
import { type Turn, turnOf } from './turn.js'
import { World } from './world.js'

const setting = (name: string, preset: number) => Number(process.env[`BENCH_${name}`] ?? preset)

const rows = setting('ROWS', 200_000)
const turns = setting('TURNS', 3)
const bufferPoolMb = setting('BUFFER_POOL_MB', 64)
const amounts = {
  calls: setting('CALLS', 60),
  perSecond: setting('CALLS_PER_SECOND', 10),
  requests: setting('REQUESTS', 15),
  old: Math.ceil(setting('OLD', 60_000) / rowsOfUnit),
}

const flat = { atMost: 1.2 }

interface Pair {
  grown: Turn
  empty: Turn
}

/** A step's turns: which of the two goes first changes with each. */
async function step(grown: World, empty: World): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let turn = 0; turn < turns; turn++) {
    const first = await turnOf(turn % 2 === 0 ? grown : empty, amounts)
    const second = await turnOf(turn % 2 === 0 ? empty : grown, amounts)
    pairs.push(turn % 2 === 0 ? { grown: first, empty: second } : { grown: second, empty: first })
  }
  return pairs
}

/** A value of both, and the median of the turns' ratios. */
function compared(pairs: readonly Pair[], of: (turn: Turn) => number) {
  return {
    grown: median(pairs.map((pair) => of(pair.grown))),
    empty: median(pairs.map((pair) => of(pair.empty))),
    ratio: median(pairs.map((pair) => of(pair.grown) / of(pair.empty))),
  }
}

const measures: Readonly<Record<string, (turn: Turn) => number>> = {
  'server CPU of a call, ms': ({ quiet }) => quiet.server,
  'MariaDB CPU of a call, ms': ({ quiet }) => quiet.mariadb,
  'CPU of both, ms': ({ quiet }) => quiet.server + quiet.mariadb,
  'call accepted, ms': ({ quiet }) => quiet.accepted,
  'from there to its end, ms': ({ quiet }) => quiet.rest,
  'call accepted beside the sweep, ms': ({ beside }) => beside.accepted,
  'from there to its end beside the sweep, ms': ({ beside }) => beside.rest,
  'accepted and done beside the sweep, ms': ({ beside }) => beside.accepted + beside.rest,
  'rows that the sweep deletes in a second': ({ swept }) => swept,
}

function show(pairs: readonly Pair[]): void {
  const row = (what: string, of: (turn: Turn) => number) => {
    const { grown, empty, ratio } = compared(pairs, of)
    return [what, ...[grown, empty].map((value) => value.toFixed(1)), ratio.toFixed(2)]
  }
  const pages = [...(pairs[0]?.grown.pages.keys() ?? [])]
  printTable(
    ['', 'among them', 'empty', 'ratio'],
    [
      ...Object.entries(measures).map(([what, of]) => row(what, of)),
      ...pages.map((page) => row(`${page}, ms`, ({ pages: times }) => times.get(page) ?? NaN)),
    ],
  )
  const early = pairs.flatMap(({ grown, empty }) => [grown, empty]).filter((turn) => !turn.isSweptThroughout)
  if (early.length > 0) say(`${early.length} turns outlasted the sweep: give it more with BENCH_OLD`)
}

/** The worst of some pages: its ratio to the empty tables. */
function worst(pairs: readonly Pair[], wanted: (page: string) => boolean): number {
  const pages = [...(pairs[0]?.grown.pages.keys() ?? [])].filter(wanted)
  return Math.max(...pages.map((page) => compared(pairs, (turn) => turn.pages.get(page) ?? NaN).ratio))
}

function figures(pairs: readonly Pair[]): void {
  const among = `among ${rows} rows`
  const ratio = (what: keyof typeof measures) => compared(pairs, measures[what] ?? (() => NaN)).ratio
  printFigure(`CPU of a call ${among}, to empty tables`, ratio('CPU of both, ms'), flat)
  printFigure(
    `time of a call ${among} beside the sweep, to empty tables`,
    ratio('accepted and done beside the sweep, ms'),
    flat,
  )
  const isSearch = (page: string) => page.includes('search')
  const counts = (page: string) => page.includes('counts all')
  const pagesOf = (size: string) =>
    worst(pairs, (page) => page.startsWith(size) && !isSearch(page) && !counts(page))
  printFigure(`time of a page ${among} of others, to empty tables: the worst`, pagesOf('small'), flat)
  printFigure(`time of a page of a workspace with half of ${rows} rows: the worst`, pagesOf('big'), flat)
  printFigure(
    `time of a search ${among} of others, to empty tables: the worst`,
    worst(pairs, (page) => page.startsWith('small') && isSearch(page)),
    flat,
  )
  const searches = [...(pairs[0]?.grown.pages.keys() ?? [])].filter(
    (page) => page.startsWith('big') && isSearch(page),
  )
  const toFirst = searches.map((page) => {
    const [, list = ''] = page.split(' ')
    return median(
      pairs.map(
        ({ grown: { pages } }) =>
          (pages.get(page) ?? NaN) / (pages.get(`big ${list} first page that counts all`) ?? NaN),
      ),
    )
  })
  printFigure(
    `time of a search in half of ${rows} rows, to a first page that counts them: the worst`,
    Math.max(...toFirst),
    { atMost: 3 },
  )
  printFigure(
    `rows that the sweep deletes in a second ${among}, to empty tables`,
    ratio('rows that the sweep deletes in a second'),
    { atLeast: 0.83 },
  )
}

async function measure(): Promise<void> {
  say(`bench/calls-growth: ${machine()}`)
  const units = Math.ceil(rows / rowsOfUnit)
  const worlds: World[] = []
  try {
    for (let count = 0; count < 2; count++) worlds.push(await World.start(units, bufferPoolMb))
    const [grown, empty] = worlds
    if (!grown || !empty) return
    // The first turn of a server compiles and connects: it counts for neither.
    for (const world of worlds) await turnOf(world, amounts)
    say(
      `${turns} turns of ${amounts.calls} calls, ${amounts.perSecond} a second, buffer pools of ${bufferPoolMb} MB`,
    )
    let filled = 0
    for (const until of [0, Math.ceil(units / 10), units]) {
      const began = performance.now()
      await grown.fill(filled, until)
      const seconds = ((performance.now() - began) / 1_000).toFixed(0)
      filled = until
      say()
      say(`${until * rowsOfUnit} rows of calls, legs, events and messages (filled in ${seconds} s)`)
      const pairs = await step(grown, empty)
      show(pairs)
      if (until === units) figures(pairs)
    }
  } finally {
    for (const world of worlds) await world.stop()
  }
}

await measure()
process.exit(0)
