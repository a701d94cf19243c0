/** Signing out ends the session at the server, too, whatever has become of its tokens meanwhile. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ConsoleBench } from './support/console-bench.js'
import { type KeptTokens, deviceOf, ended, keepTokens, keptTokens } from './support/kept-tokens.js'

describe('Signing out of the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  /** @param tokens that the browser has at this moment: a page that asked for something would renew them */
  const signOut = async (page: Page, tokens: KeptTokens) => {
    await page.getByRole('button', { name: 'Account' }).click()
    const item = page.getByRole('menuitem', { name: 'Sign out' })
    await item.waitFor()
    await keepTokens(page, tokens)
    await item.click()
    await page.getByRole('heading', { name: /^Sign in to (Workspace )?acme$/ }).waitFor({ timeout: 4_000 })
  }

  /** What the API says to the one who has a refresh token. */
  const refreshed = async (device_id: string, refresh_token: string) =>
    (await bench.workspace.api.post('/auth/refresh', { refresh_token, device_id })).status

  const cases = [
    { username: 'gesa', what: 'has ended', tokens: ended },
    { username: 'henk', what: 'is refused', tokens: { access_token: ended.access_token } },
  ]
  for (const { username, what, tokens } of cases) {
    it(`should leave no refresh token that holds when the access token ${what}`, async () => {
      const agent = await bench.makeAgent(username, { is_admin: true })
      const { page } = await bench.agent(agent, '/api-keys')
      await page.getByRole('table', { name: 'API keys' }).waitFor()
      const [before, device] = [await keptTokens(page), await deviceOf(page)]
      const renewed = page.waitForResponse('**/auth/refresh')
      const loggedOut = page.waitForResponse(
        (answer) => answer.url().endsWith('/me/logout') && answer.status() === 200,
      )
      await signOut(page, { ...before, ...tokens })
      const next = (await (await renewed).json()) as KeptTokens
      await loggedOut
      // That which was used would end the session by itself: it is stolen.
      expect(await refreshed(device, next.refresh_token), 'the last refresh token').to.equal(401)
      expect(await refreshed(device, before.refresh_token), 'the first one').to.equal(401)
      expect(await keptTokens(page), 'kept by the browser').to.deep.equal({})
    })
  }

  it('should be over at once in the browser, also when the server does not refresh', async () => {
    const agent = await bench.makeAgent('ivo', { is_admin: true })
    const { page, context } = await bench.agent(agent, '/api-keys')
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await context.route('**/api/v1/auth/refresh', () => undefined)
    await signOut(page, { ...(await keptTokens(page)), ...ended })
    expect(await keptTokens(page)).to.deep.equal({})
    await page.getByLabel('Username').waitFor()
  })
})
