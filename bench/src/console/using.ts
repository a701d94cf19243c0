/** What people do with lists and the board, and how smoothly it is drawn meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { percentile } from '../figures.js'
import { framesDuring, stutterMs, watchFrames } from './frames.js'

async function wheel(page: Page, turns: number): Promise<void> {
  await page.mouse.move(700, 600)
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, turn < turns / 2 ? 400 : -400)
    await sleep(50)
  }
}

async function openByMenu(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { name: link, level: 1 }).waitFor()
}

/** Opens a list by the menu, and does with it what people do. */
export async function useList(page: Page, link: string, word: string): Promise<void> {
  const rows = page.locator('main tbody tr')
  await openByMenu(page, link)
  await rows.first().waitFor()
  await page.getByRole('combobox', { name: 'Rows per page' }).click()
  await page.getByRole('option', { name: '100' }).click()
  await rows.nth(99).waitFor()
  for (let count = 0; count < 5; count++) {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.locator('main [aria-current="page"]', { hasText: String(count + 2) }).waitFor()
    await wheel(page, 10)
  }
  const search = page.locator('main input[type="search"]').first()
  await search.pressSequentially(word, { delay: 60 })
  await page.waitForURL(/search=/)
  await sleep(1_000)
  await search.fill('')
  await page.waitForURL((url) => !url.searchParams.has('search'))
  await page.locator('main th button').first().click()
  await rows.nth(20).waitFor()
  await sleep(1_000)
}

/** Looks at all calls, scrolls through them, finds some, and looks on. */
export async function watchBoard(page: Page): Promise<void> {
  await openByMenu(page, 'Live board')
  await page.getByRole('tab', { name: /^Calls/ }).click()
  await page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(5).waitFor()
  await sleep(2_000)
  await wheel(page, 100)
  const search = page.locator('main input[type="search"]')
  await search.pressSequentially('0100', { delay: 60 })
  await sleep(1_000)
  await search.fill('')
  await sleep(5_000)
}

interface Gaps {
  own: number[]
  empty: number[]
}

/** In another window of the same browser, in the same seconds, an empty page of the same server. */
export async function besideEmpty(page: Page, work: () => Promise<void>): Promise<Gaps> {
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

export const gapHeadings = [
  ...['page', 'frames', 'p50, ms', 'p99, ms', 'longest, ms', `over ${stutterMs} ms`],
  ...['empty page: longest, ms', `over ${stutterMs} ms`, 'ratio of the longest'],
]

const stutters = (gaps: readonly number[]) => String(gaps.filter((gap) => gap > stutterMs).length)

export function gapRow(name: string, { own, empty }: Gaps): string[] {
  const longest = Math.max(...own)
  const limit = Math.max(...empty)
  return [
    ...[name, String(own.length), percentile(own, 0.5).toFixed(1), percentile(own, 0.99).toFixed(1)],
    ...[longest.toFixed(0), stutters(own), limit.toFixed(0), stutters(empty), (longest / limit).toFixed(1)],
  ]
}
