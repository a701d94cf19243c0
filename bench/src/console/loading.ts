/// <reference lib="dom" />
/**
 * What the console's first load takes, and how soon each page of its menu is there when it is loaded again: in one browser,
 * which has the files by then, and asks the server for the rows.
 */
import type { Browser, Page } from 'playwright-core'
import { watchWire } from '../../../server/dist/test/support/wire.js'
import { median, printFigure, printTable, say } from '../figures.js'
import { patienceMs } from './opening.js'

/** Bytes and requests go on a little after a page is shown. */
const settledMs = 1_500

/** The first load with an empty cache: the sign-in page. */
export async function measureFirstLoad(browser: Browser, base: string): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(patienceMs)
    const wire = await watchWire(page)
    await page.goto(base)
    await page.locator('input[name="password"]').waitFor()
    await page.waitForTimeout(settledMs)
    const { bytes, requests } = wire()
    printFigure('kB of the console’s first load', bytes / 1_000, { atMost: 200 }, 0)
    printFigure('requests of the console’s first load', requests, { atMost: 30 }, 0)
  } finally {
    await context.close()
  }
}

/** @param page where somebody is signed in: its cache is what the pages are loaded from */
export async function measureRepeats(page: Page, base: string, rounds: number): Promise<void> {
  await page.goto(`${base}/api-keys`)
  await page.locator('main tbody tr').first().waitFor()
  const links = page.getByRole('navigation').locator('a[href^="/"]')
  const paths = await links.evaluateAll((all) => [
    ...new Set(all.map((one) => one.getAttribute('href') ?? '')),
  ])
  const rows: { path: string; times: number[]; requests: number }[] = []
  const wire = await watchWire(page)
  for (const path of paths) {
    await loadedAt(page, base + path)
    await page.waitForTimeout(settledMs)
    wire()
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await loadedAt(page, base + path))
    rows.push({ path, times, requests: wire().requests / rounds })
  }
  say()
  printTable(
    ['page', 'loaded again, ms', 'worst', 'requests'],
    rows.map(({ path, times, requests }) => [
      ...[path, median(times).toFixed(0), Math.max(...times).toFixed(0), requests.toFixed(0)],
    ]),
  )
  const empty: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.goto(`${base}/health/live`)
    empty.push(await page.evaluate(() => performance.now()))
  }
  printFigure('ms of a load of an empty page, median', median(empty), undefined, 0)
  const slowest = Math.max(...rows.map(({ times }) => median(times)))
  printFigure('ms of a repeat load of a page, the slowest one’s median', slowest, { atMost: 400 }, 0)
}

/** Milliseconds from the navigation until its main content is there, and nothing in it is still awaited. */
async function loadedAt(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(
    () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('main :is(.mantine-Skeleton-root, .mantine-Loader-root)') === null,
    undefined,
    { polling: 'raf' },
  )
  return page.evaluate(() => performance.now())
}
