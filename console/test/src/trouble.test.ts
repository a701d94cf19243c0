/** What pages say while the server counts too many requests, fails or is slow: never a white page. */
import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { ConsoleBench } from './support/console-bench.js'

const answerOf = (status: number, retryAfter?: number) => ({
  status,
  contentType: 'application/json',
  headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  body: JSON.stringify({
    statusCode: status,
    message: 'No',
    ...(retryAfter !== undefined && { retryAfter }),
  }),
})

describe('Trouble in the console', function () {
  this.timeout(180_000)
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  /** The page of an admin whose requests to the API are answered by a test, until it lets them through. */
  const opened = async (path: string, answer: (route: Route) => Promise<void>) => {
    const context = await bench.context()
    let isOver = false
    await context.route('**/api/v1/**', async (route) => {
      const isAsked = route.request().resourceType() === 'fetch' && !route.request().url().includes('/auth/')
      await (isAsked && !isOver ? answer(route) : route.continue())
    })
    const { page } = await bench.admin(path, context)
    return { page, end: () => (isOver = true) }
  }
  const frame = (page: Page) => page.getByRole('navigation').first()

  /** Whether something other than the page's own menu is drawn where the menu is. */
  const isCovered = async (page: Page) => {
    const picture = process.env['TROUBLE_PICTURE']
    if (picture !== undefined) await page.screenshot({ path: picture })
    const box = await frame(page).boundingBox()
    return !box || box.width < 100 || box.height < 100
  }

  it('should count down to the next try when there were too many requests, and then show the page', async () => {
    const { page, end } = await opened('/api-keys', async (route) => route.fulfill(answerOf(429, 6)))
    await frame(page).waitFor()
    await page.getByText(/Too many requests from here.*tries again in [3-7] seconds/).waitFor()
    expect(await isCovered(page), 'the frame beside it').to.equal(false)
    end()
    await page.getByText('Your new key').or(page.getByRole('table')).first().waitFor()
    await page.getByText('Too many requests').waitFor({ state: 'detached' })
  })

  it('should say that the server fails, and try again', async () => {
    let times = 0
    const { page } = await opened('/api-keys', async (route) =>
      ++times <= 2 ? route.fulfill(answerOf(500)) : route.continue(),
    )
    await frame(page).waitFor()
    await page.getByRole('table').waitFor()
    expect(times).to.be.above(2)
  })

  it('should draw its frame while the server is slow, and say that it waits', async () => {
    let answer: (() => void) | undefined
    const late = new Promise<void>((resolve) => (answer = resolve))
    const { page } = await opened('/api-keys', async (route) => {
      await late
      await route.continue()
    })
    await frame(page).waitFor({ timeout: 5_000 })
    await page.getByText('The server takes long to answer').waitFor()
    expect(await isCovered(page), 'the frame beside it').to.equal(false)
    answer?.()
    await page.getByRole('table').waitFor()
    await page.getByText('The server takes long to answer').waitFor({ state: 'detached' })
  })

  it('should draw the frame for an agent whose account is not answered yet', async () => {
    const agent = await bench.makeAgent('slowjoe', { is_admin: true })
    const context = await bench.context()
    let answer: (() => void) | undefined
    const late = new Promise<void>((resolve) => (answer = resolve))
    const { page } = await bench.agent(agent, '/', context)
    await context.route('**/api/v1/me', async (route) => {
      await late
      await route.continue()
    })
    await page.goto(`${bench.url}/api-keys`)
    await frame(page).waitFor({ timeout: 8_000 })
    answer?.()
    await page.getByRole('table').waitFor()
  })
})
