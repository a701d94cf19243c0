import { expect } from 'chai'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('API keys in the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should make a key, show it once, and revoke it', async () => {
    const { page, context, problems } = await bench.admin('/api-keys')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await looksGood(page, 'api-keys-new')
    await form.getByLabel('Title').fill('x'.repeat(65))
    await form.getByRole('button', { name: 'New key' }).click()
    await form.getByText('Enter at most 64 characters.').waitFor()
    expect(await form.getByLabel('Title').evaluate((field) => field === document.activeElement)).to.equal(
      true,
    )
    await form.getByLabel('Title').fill('billing')
    await form.getByRole('button', { name: 'New key' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    const key = (await shown.locator('code').textContent()) ?? ''
    const authorization = `ApiKey ${key}`
    const answer = await bench.get('/api/v1/profile', { authorization })
    expect(answer.status).to.equal(200)
    await page.keyboard.press('Escape')
    await page.getByRole('table').getByText('billing').waitFor()
    await looksGood(page, 'api-keys')
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('bill')
    await page.waitForURL(/search=bill/)
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('billing').waitFor()
    await page.getByRole('button', { name: 'Revoke billing' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    // Nothing behind a dialog has a role while it is open.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('billing').waitFor({ state: 'detached' })
    // The row goes at once; the request is on its way.
    await eventually(
      async () => bench.get('/api/v1/profile', { authorization }),
      ({ status }) => status === 401,
      { what: 'key that is refused' },
    )
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })
})
