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
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const { y, height } = (await page.locator('.jf-trouble').boundingBox())!
      expect(y, 'below the header').to.be.at.least(56)
      expect(y + height, 'above what pages and the phone have at the bottom').to.be.below(422)
    }
    await page.setViewportSize({ width: 1_280, height: 720 })
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

  it('should count down also where the first try of all is refused, as that of signing in', async () => {
    const agent = await bench.makeAgent('latejoe')
    const context = await bench.context()
    let times = 0
    await context.route('**/api/v1/auth/login', async (route) =>
      ++times === 1 ? route.fulfill(answerOf(429, 4)) : route.continue(),
    )
    const { page } = await bench.open(`${bench.url}/sign-in`, context)
    await page.getByLabel('Username').fill(agent.username)
    await page.locator('input[name="password"]').fill(agent.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/Too many requests from here.*tries again in [1-4] second/).waitFor()
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
  })

  /** What the page of an agent asks the API for until it is there, and which text each failure brings. */
  const firstRequests = [
    ...['/me', '/me/state', '/me/teams', '/call-center/conversations', '/call-center/phone-numbers'],
    '/call-center/calls',
  ]
  const failures = [
    ['limited', async (route: Route) => route.fulfill(answerOf(429, 2)), /Too many requests from here/],
    ['failing', async (route: Route) => route.fulfill(answerOf(500)), /The server failed/],
  ] as const
  for (const [name, answer, text] of failures)
    it(`should draw its frame, say why it waits and go on when any first request of an agent is ${name}`, async () => {
      const agent = await bench.makeAgent(`first${name}`)
      const { page, context } = await bench.agent(agent, '/phone')
      for (const path of firstRequests) {
        let refused = 0
        let letThrough!: () => void
        const isLetThrough = new Promise<void>((done) => (letThrough = done))
        const isAsked = ({ pathname }: URL) => pathname === `/api/v1${path}`
        const refuse = async (route: Route) => {
          if (++refused <= 2) return answer(route)
          letThrough()
          return route.continue()
        }
        await context.route(isAsked, refuse)
        await page.reload()
        await page.getByText(text).waitFor()
        expect(await isCovered(page), `the frame, ${path}`).to.equal(false)
        await page.getByRole('heading', { level: 1 }).waitFor()
        // The text is gone between two tries, too.
        await isLetThrough
        await page.getByText(text).waitFor({ state: 'detached' })
        expect(refused, path).to.be.above(2)
        await context.unroute(isAsked, refuse)
      }
    })

  it('should draw its frame and say that it waits when every first request takes twenty seconds', async () => {
    const agent = await bench.makeAgent('firstslow')
    const { page, context } = await bench.agent(agent, '/phone')
    const slow = async (route: Route) => {
      await new Promise((resolve) => setTimeout(resolve, 20_000))
      await route.continue().catch(() => undefined)
    }
    const isFirst = ({ pathname }: URL) => firstRequests.some((path) => pathname === `/api/v1${path}`)
    await context.route(isFirst, slow)
    await page.reload()
    await frame(page).waitFor({ timeout: 4_000 })
    await page.getByText('The server takes long to answer').waitFor()
    expect(await isCovered(page), 'the frame beside it').to.equal(false)
    await page.getByText('The server takes long to answer').waitFor({ state: 'detached', timeout: 40_000 })
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  describe('before its program runs', () => {
    /** Checks that the page shows some text at this moment. */
    const isNotBlank = async (page: Page) => {
      const text = await page.evaluate(() => document.body.innerText.trim())
      expect(text).not.to.equal('')
    }

    for (const [name, status, text] of [
      [
        'limits it',
        429,
        /Too many requests from here within a minute. The console tries again in \d seconds?/,
      ],
      ['fails', 500, /The server failed. The console tries again in \d seconds?/],
    ] as const)
      it(`should say that the server ${name}, and load itself again`, async () => {
        const context = await bench.context()
        const isRefused = { now: true }
        await context.route('**/assets/*.js', async (route) =>
          isRefused.now ? route.fulfill(answerOf(status, 2)) : route.continue(),
        )
        const page = await context.newPage()
        await page.goto(`${bench.url}/sign-in`)
        await isNotBlank(page)
        await page.getByText(text).waitFor()
        isRefused.now = false
        await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor()
        expect(await page.locator('#boot').count()).to.equal(0)
      })

    it('should say in German, too, that the server is slow, and go on', async () => {
      const context = await bench.context({ locale: 'de-DE' })
      let answer = (): void => undefined
      const late = new Promise<void>((resolve) => (answer = resolve))
      await context.route('**/assets/*.js', async (route) => {
        await late
        await route.continue()
      })
      const page = await context.newPage()
      await page.goto(`${bench.url}/sign-in`, { waitUntil: 'commit' })
      await page.getByText('Jackfield', { exact: true }).waitFor()
      await page.getByText('Der Server braucht lange für seine Antwort').waitFor()
      answer()
      await page.getByRole('heading', { name: 'Bei acme anmelden' }).waitFor()
      expect(await page.locator('#boot').count()).to.equal(0)
    })

    it('should wait for the code of a page that is refused, and not take it for an old one', async () => {
      const { page, context } = await bench.admin('/api-keys')
      let isRefused = true
      await context.route('**/assets/webhooks-page*.js', async (route) =>
        isRefused ? route.fulfill(answerOf(429, 2)) : route.continue(),
      )
      await page.goto(`${bench.url}/webhooks`)
      await page.getByText(/Too many requests from here/).waitFor()
      await isNotBlank(page)
      isRefused = false
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      await page.getByText(/Too many requests from here/).waitFor({ state: 'detached' })
    })
  })
})
