/// <reference lib="dom" />
/** How soon pages are there, opened by their address and by the menu, each time by a browser that knows none of them. */
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** On a busy machine figures are poor, but still reported. */
export const patienceMs = 120_000

export interface ListPage {
  /** Its link in the menu, and its heading. */
  name: string
  path: string
  /** What is there when it can be used. */
  ready: string
}

export const listPages: readonly ListPage[] = [
  { name: 'Numbers', path: '/numbers', ready: 'main tbody tr' },
  { name: 'Calls', path: '/calls', ready: 'main tbody tr' },
  { name: 'Agents', path: '/agents', ready: 'main tbody tr' },
  { name: 'Contacts', path: '/contacts', ready: 'main tbody tr' },
  { name: 'SIP accounts', path: '/sip-accounts', ready: 'main tbody tr' },
  { name: 'Live board', path: '/live', ready: 'main [role="tab"]' },
]

export interface Opening {
  /** Milliseconds until it is shown and has nothing more to do in that frame. */
  ms: number
  /** Of the API, until it is shown and a second longer. */
  requests: number
  /** What has moved by itself, as browsers reckon it: 0.1 and less passes for good. */
  shift: number
}

declare global {
  interface Window {
    opening_: { clickedAt: number; shift: number }
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Where one is signed in already; nothing is cached. */
export class Visitor {
  constructor(
    private readonly browser: Browser,
    private readonly state: State,
    private readonly base: string,
  ) {}

  async byAddress({ path, ready }: Pick<ListPage, 'path' | 'ready'>): Promise<Opening> {
    return this.visit(async (page) => {
      await page.goto(this.base + path, { waitUntil: 'commit' })
      return shownAt(page, ready)
    })
  }

  async byMenu({ name, ready }: ListPage): Promise<Opening> {
    return this.visit(async (page, forget) => {
      await page.goto(`${this.base}/api-keys`)
      await page.locator('main tbody tr').first().waitFor()
      await page.waitForLoadState('networkidle')
      await forget()
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      const at = await shownAt(page, ready, name)
      return at - (await page.evaluate(() => window.opening_.clickedAt))
    })
  }

  private async visit(open: (page: Page, forget: () => Promise<void>) => Promise<number>): Promise<Opening> {
    const context = await this.browser.newContext({
      storageState: this.state,
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
    })
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(patienceMs)
      await watchShifts(page)
      let requests = 0
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/') && pathname !== '/api/v1/stream') requests += 1
      })
      const forget = async () => {
        requests = 0
        await page.evaluate(() => (window.opening_.shift = 0))
      }
      const ms = await open(page, forget)
      await page.waitForTimeout(1_000)
      return { ms, requests, shift: await page.evaluate(() => window.opening_.shift) }
    } finally {
      await context.close()
    }
  }
}

/** When something is shown, by the page's own clock. */
async function shownAt(page: Page, ready: string, heading?: string): Promise<number> {
  await page.waitForFunction(
    ([selector, title]) =>
      document.querySelector(selector) !== null &&
      (title === undefined || document.querySelector('main h1')?.textContent === title),
    [ready, heading] as const,
    { polling: 'raf' },
  )
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    return performance.now()
  })
}

/** Has a page report its layout shifts. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.opening_ = { clickedAt: 0, shift: 0 }
    addEventListener('click', () => (window.opening_.clickedAt = performance.now()), true)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
      })[]) {
        if (!entry.hadRecentInput) window.opening_.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
