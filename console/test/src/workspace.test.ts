import { expect } from 'chai'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import { addUsage } from './support/usage-rows.js'
import { saves } from './support/notices.js'

describe('The workspace in the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start({
      settings: { JACKFIELD_LIMITS_TEAMS: '1', JACKFIELD_LIMITS_API_KEYS: '10' },
    })
    const { workspace, appliance } = bench
    await workspace.api.post('/teams', { name: 'Sales' })
    await appliance.operator.patch(`/workspaces/${workspace.id}`, { allowed_countries: ['DE', 'US'] })
    await appliance.operator.post(`/workspaces/${workspace.id}/credit`, { amount: 25.5, note: 'Invoice 7' })
    await addUsage(workspace, 2)
  })
  after(async () => bench?.stop())

  it('should show limits with what is used, the rules of calls, and the credit with what changed it', async () => {
    const { page, problems } = await bench.admin('/workspace')
    const limits = page.getByRole('region', { name: 'Limits' })
    const teams = limits.getByRole('listitem').filter({ hasText: 'Teams' })
    await teams.getByText('1 of 1').waitFor()
    await teams.getByText('None are left').waitFor()
    expect(await limits.getByRole('progressbar', { name: 'Phone numbers' }).count()).to.equal(1)
    await page.getByText('Germany and United States').waitFor()
    await page.getByText('May not be called or texted').waitFor()
    await page.getByRole('heading', { name: 'Credit: US$125.50' }).waitFor()
    await page.getByRole('table').getByText('Invoice 7').waitFor()
    await looksGood(page, 'workspace')
    await page.getByRole('link', { name: 'API keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    const { appliance, workspace } = bench
    await appliance.operator.post(`/workspaces/${workspace.id}/credit`, { amount: 4.5, note: 'Invoice 8' })
    await page.getByRole('link', { name: 'Workspace', exact: true }).click()
    await page.getByRole('table').getByText('Invoice 8').waitFor()
    await page.getByRole('heading', { name: 'Credit: US$130.00' }).waitFor()
    expect(problems).to.eql([])
  })

  it('should change its settings', async () => {
    const { page } = await bench.admin('/workspace')
    const form = page.getByRole('region', { name: 'Settings' })
    await form.getByText('None is chosen: such calls take the gateway').waitFor()
    await form.getByLabel('Name *').fill('Acme Inc.')
    await form.getByRole('combobox', { name: 'Country' }).fill('Canada')
    await page.getByRole('option', { name: 'Canada' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    const profile = async () => (await bench.workspace.api.get('/profile')).body as { title: string }
    const body = await eventually(profile, ({ title }) => title === 'Acme Inc.', { what: 'the new title' })
    expect(body).to.include({ country_code: 'CA' })
  })

  it('should say for how long data is kept, within the bounds of the operator', async () => {
    const { page } = await bench.admin('/workspace')
    const form = page.getByRole('region', { name: 'Days for which data is kept' })
    const recordings = form.getByLabel('Recordings and voicemail')
    await form.getByText('Empty: for ever. At least 90.').waitFor()
    await recordings.fill('99999')
    await form.getByLabel('Audit log').fill('3')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText(/^Enter \d+ or less\.$/).waitFor()
    await recordings.fill('30')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter 90 or more.').waitFor()
    await form.getByLabel('Audit log').fill('')
    const save = async () => form.getByRole('button', { name: 'Save' }).click()
    await saves(page, save)
    const { body } = await bench.workspace.api.get('/profile')
    expect(body).to.include({ recording_retention_days: 30, audit_log_retention_days: null })
    await recordings.fill('')
    await saves(page, save)
    await page.reload()
    expect(await recordings.inputValue()).to.equal('')
  })

  it('should make a new secret for callbacks, and show it once', async () => {
    const { page } = await bench.admin('/workspace')
    await page.getByText('There is none yet').waitFor()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const question = page.getByRole('dialog', { name: 'Make a new secret?' })
    await looksGood(page, 'workspace-secret-question')
    await question.getByRole('button', { name: 'Make a new secret' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new secret' })
    expect(await shown.locator('code').textContent()).to.match(/^cbsec_/)
    await looksGood(page, 'workspace-secret')
    await page.keyboard.press('Escape')
    await page.getByText('The present secret is of').waitFor()
  })

  it('should send only what was changed, keep what is typed meanwhile, and take over what others changed', async () => {
    const { api } = bench.workspace
    const { page } = await bench.admin('/workspace')
    const form = page.getByRole('region', { name: 'Settings' })
    const [name, days] = [form.getByLabel('Name *'), page.getByLabel('Recordings and voicemail')]
    const save = form.getByRole('button', { name: 'Save' })
    await name.fill('Acme Ltd')
    await api.patch('/profile', { recording_retention_days: 45 })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/profile', async (route) => {
      if (route.request().method() === 'PATCH') await held
      await route.continue()
    })
    const sent = page.waitForRequest((one) => one.method() === 'PATCH')
    await saves(page, async () => {
      await name.press('Enter')
      await sent
      await name.fill('Acme Limited')
      release()
    })
    expect((await sent).postDataJSON()).to.eql({ title: 'Acme Ltd' })
    await eventually(
      async () => days.inputValue(),
      (value) => value === '45',
      { what: 'the days that another set' },
    )
    expect(await name.inputValue()).to.equal('Acme Limited')
    await saves(page, async () => save.click())
    await form.getByRole('button', { name: 'Save', disabled: true }).waitFor()
    expect(await save.evaluate((button) => button === document.activeElement)).to.equal(true)
    const { body } = await api.get('/profile')
    expect(body).to.include({ title: 'Acme Limited', recording_retention_days: 45 })
  })

  it('should say to lesser keys why they neither save nor see the credit', async () => {
    const { page } = await bench.keyed('editor', '/workspace')
    const form = page.getByRole('region', { name: 'Settings' })
    await form.getByLabel('Name *').fill('Nobody’s')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    await page.getByRole('region', { name: 'Credit' }).getByRole('alert').waitFor()
    await looksGood(page, 'workspace-refused')
  })

  it('should speak German', async () => {
    const { page, context } = await bench.admin('/workspace')
    await context.addInitScript(() => localStorage.setItem('jackfield.language', 'de'))
    await page.reload()
    await page.getByText('Deutschland und Vereinigte Staaten').waitFor()
    await looksGood(page, 'workspace-german')
  })
})
