/** A refresh that goes wrong signs nobody out who may stay. */
import { expect } from 'chai'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench, type OpenPage } from './support/console-bench.js'
import { type KeptTokens, deviceOf, ended, keepTokens, keptTokens } from './support/kept-tokens.js'

const refreshPath = '**/api/v1/auth/refresh'

/** Of an answer to a refresh that a page sends. */
const statusOf = async (sent: { headers: Record<string, string>; body: string }) =>
  (await fetch('/api/v1/auth/refresh', { method: 'POST', ...sent })).status

describe('A session whose tokens are refreshed', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  /** An admin whose access token has ended, on a page that asks for nothing. */
  const withOldTokens = async (username: string): Promise<OpenPage> => {
    const opened = await bench.agent(await bench.makeAgent(username, { is_admin: true }), '/api-keys')
    await opened.page.goto(`${bench.url}/icon.svg`)
    await keepTokens(opened.page, { ...(await keptTokens(opened.page)), ...ended })
    return opened
  }

  it('should wait as long as it is told to when too many are refreshed', async () => {
    const { page } = await withOldTokens('jana')
    let refused = 0
    const tooMany = { statusCode: 429, message: 'Too many requests' }
    await page.route(refreshPath, async (route) => {
      if (refused > 0) return route.continue()
      refused += 1
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: tooMany })
    })
    await page.goto(`${bench.url}/api-keys`)
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    expect(refused).to.equal(1)
    expect((await keptTokens(page)).access_token).not.to.equal(ended.access_token)
  })

  it('should ask again for the answer that takes too long, and get the same session', async () => {
    const { page, context } = await withOldTokens('kurt')
    const other = await bench.open(`${bench.url}/icon.svg`, context)
    const keys: (string | undefined)[] = []
    await page.route(refreshPath, async (route) => {
      const sent = { headers: route.request().headers(), body: route.request().postData() ?? '' }
      keys.push(sent.headers['idempotency-key'])
      if (keys.length > 1) return route.continue()
      // The server refreshes it, but the answer does not come.
      expect(await other.page.evaluate(statusOf, sent)).to.equal(200)
    })
    await page.goto(`${bench.url}/api-keys`)
    await page.getByRole('table', { name: 'API keys' }).waitFor({ timeout: 60_000 })
    expect(keys).to.have.length(2)
    expect(keys[0]).to.equal(keys[1])
    expect(await page.getByText('No connection to the server').count()).to.equal(0)
  })

  const others = [
    { username: 'lena', what: 'fresh tokens', asked: [401], changed: (id: string) => ({ id: `${id}x` }) },
    {
      username: 'milo',
      what: 'tokens that are old, too,',
      asked: [401, 200],
      changed: (id: string) => ({ id, ...ended }),
    },
  ]
  for (const { username, what, asked, changed } of others) {
    it(`should not forget ${what} with which another tab has signed in meanwhile`, async () => {
      const { page, context } = await withOldTokens(username)
      const device_id = await deviceOf(page)
      const { id } = await keptTokens(page)
      const other = await bench.open(`${bench.url}/icon.svg`, context)
      const answers: number[] = []
      page.on('response', (answer) => {
        if (answer.url().endsWith('/auth/refresh')) answers.push(answer.status())
      })
      await page.route(
        refreshPath,
        async (route) => {
          const login = { username, password: 'correct horse battery', device_id }
          const { body } = await bench.workspace.api.post('/auth/login', login)
          const { tokens } = body as { tokens: KeptTokens }
          await keepTokens(other.page, { ...tokens, ...changed(id) })
          // The session of the old tokens is over: another one has its device.
          await route.continue()
        },
        { times: 1 },
      )
      await page.goto(`${bench.url}/api-keys`)
      await eventually(
        async () => answers,
        ({ length }) => length === asked.length,
        { withinMs: 20_000, what: 'refreshes' },
      )
      expect(answers).to.deep.equal(asked)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByRole('table', { name: 'API keys' }).waitFor()
      const kept = await keptTokens(page)
      expect(kept.access_token).to.be.a('string').that.does.not.equal(ended.access_token)
    })
  }
})
