/**
 * How smoothly the console draws with 10,000 numbers, 100,000 calls and 1,000 live ones that come and go: lists are
 * paged, searched, sorted and scrolled, and the board is watched, in Chromium on this machine. Beside each figure stands
 * that of an empty page in the same browser, in the same seconds, with the same calls going on.
 * Settings: BENCH_NUMBERS, BENCH_CALLS, BENCH_LIVE, BENCH_CHURN (calls that end, and begin, a second).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Page, chromium } from 'playwright-core'
import type { TestWorkspace } from '../../../server/dist/test/support/appliance.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { browserArguments, findChromium } from '../../../server/dist/test/support/browser.js'
import { CallBench } from '../../../server/dist/test/support/call-bench.js'
import { stopSharedMariadb } from '../../../server/dist/test/support/mariadb.js'
import { connectTo, fillWorkspace, insertRows } from '../api/fill.js'
import { growthTables } from '../api/growth-tables.js'
import { machine, percentile, printTable, say } from '../figures.js'
import { framesDuring, stutterMs, watchFrames } from './frames.js'
import { LiveTraffic } from './live-traffic.js'

const numbers = Number(process.env['BENCH_NUMBERS'] ?? 10_000)
const calls = Number(process.env['BENCH_CALLS'] ?? 100_000)
const live = Number(process.env['BENCH_LIVE'] ?? 1_000)
const churn = Number(process.env['BENCH_CHURN'] ?? 5)

const rowsAtOnce = 20_000
const password = 'correct horse battery'

async function fill(workspace: TestWorkspace): Promise<void> {
  const connection = await connectTo(workspace.appliance)
  try {
    await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
    await fillWorkspace(connection, workspace, 0, numbers)
    const table = growthTables.find(({ name }) => name === 'calls')
    if (!table) throw new Error('nobody knows how rows of calls are made')
    for (let from = 0; from < calls; from += rowsAtOnce) {
      const range = [from, Math.min(from + rowsAtOnce, calls) - 1] as const
      await insertRows(connection, table, `'${workspace.id}'`, range)
    }
    await connection.query('ANALYZE TABLE calls, phone_numbers')
  } finally {
    await connection.end()
  }
}

/** An admin who supervises, and is told of every call. */
async function signedIn(page: Page, workspace: TestWorkspace): Promise<void> {
  const agent = { username: 'amara', display_name: 'Amara', email: 'amara@example.com', password }
  const made = await workspace.api.post('/agents', { ...agent, role: 'supervisor', is_admin: true })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  await page.goto(`http://${workspace.id}.localhost:${workspace.appliance.port}/sign-in?next=/api-keys`)
  await page.getByLabel('Username').fill(agent.username)
  await page.locator('input[name="password"]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
}

async function wheel(page: Page, turns: number): Promise<void> {
  await page.mouse.move(700, 600)
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, turn < turns / 2 ? 400 : -400)
    await sleep(50)
  }
}

/** Opens a list by the menu, and does with it what people do. */
async function useList(page: Page, link: string, word: string): Promise<void> {
  const rows = page.locator('main tbody tr')
  await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: link, level: 1 }).waitFor()
  await rows.first().waitFor()
  await page.getByRole('textbox', { name: 'Rows per page' }).click()
  await page.getByRole('option', { name: '100' }).click()
  await rows.nth(99).waitFor()
  for (let count = 0; count < 5; count++) {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.locator(`main nav [aria-current="page"]`, { hasText: String(count + 2) }).waitFor()
    await wheel(page, 10)
  }
  await page.locator('main input[type="search"]').first().pressSequentially(word, { delay: 60 })
  await page.waitForURL(/search=/)
  await sleep(1_000)
  await page.locator('main input[type="search"]').first().fill('')
  await page.waitForURL((url) => !url.searchParams.has('search'))
  await page.locator('main th button').first().click()
  await rows.nth(20).waitFor()
  await sleep(1_000)
}

async function watchBoard(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Live board', exact: true }).click()
  await page.getByRole('heading', { name: 'Live board', level: 1 }).waitFor()
  await sleep(2_000)
  await wheel(page, 100)
  await sleep(5_000)
}

/** In another window of the same browser, an empty page of the same server. */
async function bare(page: Page, work: () => Promise<void>): Promise<{ own: number[]; empty: number[] }> {
  const other = await page.context().browser()?.newPage()
  if (!other) throw new Error('the browser has gone')
  await watchFrames(other)
  await other.goto(new URL('/health/live', page.url()).href)
  let own: number[] = []
  const empty = await framesDuring(other, async () => {
    own = await framesDuring(page, work)
  })
  await other.close()
  return { own, empty }
}

function rowOf(name: string, { own, empty }: { own: number[]; empty: number[] }): string[] {
  const longest = Math.max(...own)
  const limit = Math.max(...empty)
  return [
    ...[name, String(own.length), percentile(own, 0.5).toFixed(1), percentile(own, 0.99).toFixed(1)],
    ...[longest.toFixed(0), String(own.filter((gap) => gap > stutterMs).length)],
    ...[limit.toFixed(0), (longest / limit).toFixed(1)],
  ]
}

async function measure(): Promise<void> {
  say(`bench/console: ${machine()}`)
  const bench = await CallBench.start('sandbox', {
    credit: 1_000_000,
    settings: { JACKFIELD_LIMITS_PHONE_NUMBERS: '1000000' },
  })
  const { workspace } = bench
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...browserArguments],
  })
  try {
    await fill(workspace)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    await watchFrames(page)
    await signedIn(page, workspace)
    const traffic = await LiveTraffic.start(workspace, live)
    await eventually(
      async () => (await workspace.api.get('/live')).body as { calls: unknown[] },
      (board) => board.calls.length >= live,
      { withinMs: 60_000, everyMs: 1_000, what: `${live} live calls` },
    )
    say(`${numbers} numbers, ${calls} calls, ${live} live ones, ${churn} of which end and begin each second`)
    traffic.churn(churn)
    const rows = [
      rowOf('numbers', await bare(page, async () => useList(page, 'Numbers', '12020009'))),
      rowOf('calls', await bare(page, async () => useList(page, 'Calls', '12020009'))),
      rowOf('live board', await bare(page, async () => watchBoard(page))),
    ]
    await traffic.stop()
    printTable(
      [
        'page',
        'frames',
        'p50, ms',
        'p99, ms',
        'longest, ms',
        `over ${stutterMs} ms`,
        'empty page, ms',
        'ratio',
      ],
      rows,
    )
  } finally {
    await browser.close()
    await bench.stop()
    await stopSharedMariadb()
  }
}

await measure()
