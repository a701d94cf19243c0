/**
 * How soon the console's pages load, and how smoothly they are drawn, with 10,000 numbers, 100,000 calls and 1,000
 * live ones that come and go, on the sandbox: lists are paged, searched, sorted and scrolled, and the board is
 * watched, in Chromium on this machine. Beside each figure is that of an empty page in the same browser; for frames,
 * in the same seconds. Users have a machine of their own: the browser has priority on this one.
 * Settings: BENCH_NUMBERS, BENCH_CALLS, BENCH_OTHERS (agents, contacts and SIP accounts, each), BENCH_LIVE, BENCH_CHURN
 * (calls that end, and begin, a second), BENCH_ROUNDS (how often each page is opened).
 */
import type { Browser, Page } from 'playwright-core'
import type { TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo, fillWorkspace, insertRows } from '../api/fill.js'
import { growthTables } from '../api/growth-tables.js'
import { machine, median, printTable, say, printFigure } from '../figures.js'
import { watchFrames } from './frames.js'
import { LiveTraffic } from './live-traffic.js'
import { measureFirstLoad, measureRepeats } from './loading.js'
import { type Opening, Visitor, listPages, patienceMs, watchShifts } from './opening.js'
import { besideEmpty, gapHeadings, gapRow, useList, watchBoard } from './using.js'
import { startViewer } from './viewer.js'

const settingOf = (name: string, fallback: number) => Number(process.env[`BENCH_${name}`] ?? fallback)

const numbers = settingOf('NUMBERS', 10_000)
const calls = settingOf('CALLS', 100_000)
const others = settingOf('OTHERS', 1_000)
const live = settingOf('LIVE', 1_000)
const churn = settingOf('CHURN', 5)
const rounds = settingOf('ROUNDS', 5)

const rowsAtOnce = 20_000
const password = 'correct horse battery'

async function fill(workspace: TestWorkspace): Promise<void> {
  const connection = await connectTo(workspace.appliance)
  try {
    await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
    await fillWorkspace(connection, workspace, 0, numbers)
    for (const table of growthTables) {
      const rows = table.name === 'calls' ? calls : others
      for (let from = 0; from < rows; from += rowsAtOnce) {
        const range = [from, Math.min(from + rowsAtOnce, rows) - 1] as const
        await insertRows(connection, table, `'${workspace.id}'`, range)
      }
    }
    await connection.query('ANALYZE TABLE calls, phone_numbers')
  } finally {
    await connection.end()
  }
}

/** An admin who supervises, and gets the events of every call. */
async function signedIn(page: Page, workspace: TestWorkspace): Promise<void> {
  const agent = { username: 'amara', display_name: 'Amara', email: 'amara@example.com', password }
  const made = await workspace.api.post('/agents', { ...agent, role: 'supervisor', is_admin: true })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  await page.goto(`${baseOf(workspace)}/sign-in?next=/api-keys`)
  await page.getByLabel('Username').fill(agent.username)
  await page.locator('input[name="password"]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
}

const baseOf = ({ id, appliance }: TestWorkspace) => `http://${id}.localhost:${appliance.port}`

async function measureOpening(browser: Browser, page: Page, base: string): Promise<void> {
  const visitor = new Visitor(browser, await page.context().storageState(), base)
  const empty: Opening[] = []
  const rows: string[][] = []
  for (const list of listPages) {
    const [byAddress, byMenu]: [Opening[], Opening[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      empty.push(await visitor.byAddress({ path: '/health/live', ready: 'body' }))
      byAddress.push(await visitor.byAddress(list))
      byMenu.push(await visitor.byMenu(list))
    }
    rows.push([list.name, ...summaryOf(byAddress), ...summaryOf(byMenu)])
  }
  rows.push(['empty page', ...summaryOf(empty), '', '', '', ''])
  const headings = ['requests', 'shift']
  printTable(['page', 'by address, ms', 'worst', ...headings, 'by the menu, ms', 'worst', ...headings], rows)
}

/** Median and worst time, most requests, and most of what moved. */
function summaryOf(openings: readonly Opening[]): string[] {
  const times = openings.map(({ ms }) => ms)
  const most = (of: (opening: Opening) => number) => Math.max(...openings.map(of))
  return [
    ...[median(times).toFixed(0), Math.max(...times).toFixed(0)],
    ...[String(most(({ requests }) => requests)), most(({ shift }) => shift).toFixed(3)],
  ]
}

async function measureFrames(page: Page): Promise<void> {
  const rows = [
    gapRow('numbers', await besideEmpty(page, async () => useList(page, 'Numbers', '12020009'))),
    gapRow('calls', await besideEmpty(page, async () => useList(page, 'Calls', '12020009'))),
    gapRow('live board', await besideEmpty(page, async () => watchBoard(page))),
  ]
  printTable(gapHeadings, rows)
  const [longest, dropped] = [4, 5].map((column) => rows.map((row) => Number(row[column])))
  printFigure('ms between two frames of the console, the longest', Math.max(...(longest ?? [])), undefined, 0)
  printFigure(
    'frames of the console that took over 100 ms',
    (dropped ?? []).reduce((sum, count) => sum + count, 0),
    { atMost: 0 },
    0,
  )
}

async function measure(): Promise<void> {
  say(`bench/console: ${machine()}`)
  const bench = await CallBench.start('sandbox', {
    credit: 1_000_000,
    settings: { JACKFIELD_LIMITS_PHONE_NUMBERS: '1000000' },
  })
  const { workspace } = bench
  const { browser, stop } = await startViewer()
  let traffic: LiveTraffic | undefined
  try {
    await fill(workspace)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    page.setDefaultTimeout(patienceMs)
    await watchFrames(page)
    await watchShifts(page)
    await signedIn(page, workspace)
    traffic = await LiveTraffic.start(workspace, live)
    await eventually(
      async () => (await workspace.api.get('/live')).body as { calls: unknown[] },
      (board) => board.calls.length >= live,
      { withinMs: 60_000, everyMs: 1_000, what: `${live} live calls` },
    )
    say(`${numbers} numbers, ${calls} calls, ${live} live ones, ${churn} of which end and begin each second`)
    traffic.churn(churn)
    await measureFrames(page)
    const shift = await page.evaluate(() => window.opening_.shift)
    say(`moved by itself meanwhile: ${shift.toFixed(3)}`)
    say()
    await page.goto('about:blank')
    await measureOpening(browser, page, baseOf(workspace))
    say()
    await measureFirstLoad(browser, baseOf(workspace))
    await measureRepeats(page, baseOf(workspace), rounds)
  } finally {
    await traffic?.stop()
    await stop()
    await bench.stop()
    await stopSharedMariadb()
  }
}

await measure()
