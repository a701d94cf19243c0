import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { smppCarrier } from '../../../server/dist/test/api/carrier-fixtures.js'
import { succeed } from '../../../server/dist/test/api/fixtures.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { desk, looksGood } from './support/looks.js'
import { saves } from './support/notices.js'

describe('The operator’s console', function () {
  // Each page is looked at in both themes and on the smallest phone.
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
    const removed = await bench.appliance.operator.delete(`/workspaces/${bench.workspace.id}`)
    expect(removed.status).to.equal(200)
  })
  after(async () => bench?.stop())

  it('should lead from the first steps to a workspace with credit and a carrier', async () => {
    const { page, problems } = await bench.operator('/')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    const step = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await step('Workspace').getByText('To do').waitFor()
    expect(await statesOf(page), 'what is done is folded').not.to.include('Done')
    await looksGood(page, 'operator-first-steps')

    await page.getByRole('link', { name: 'Set up: Workspace' }).click()
    await page.getByText('No workspaces yet').waitFor()
    await looksGood(page, 'operator-workspaces-empty')
    await page.getByRole('button', { name: 'New workspace' }).first().click()
    const form = page.getByRole('dialog', { name: 'New workspace' })
    await form.getByLabel('Title').fill('Globex')
    await form.getByLabel('Id').fill('Globex!')
    await form.getByRole('combobox', { name: 'Country' }).fill('United States')
    await page.getByRole('option', { name: 'United States', exact: true }).click()
    await form.getByRole('button', { name: 'New workspace' }).click()
    await form.getByText('lowercase letters, digits').waitFor()
    await looksGood(page, 'operator-workspaces-new')
    await form.getByLabel('Id').fill('globex')
    await form.getByRole('button', { name: 'New workspace' }).click()

    await page.getByRole('heading', { name: 'Globex', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add credit' }).click()
    const credit = page.getByRole('dialog', { name: 'Add credit' })
    await credit.getByLabel('Amount in USD').fill('25')
    await credit.getByLabel('Note').fill('Invoice 1')
    await credit.getByRole('button', { name: 'Add credit' }).click()
    await page.getByRole('table', { name: 'What changed the credit' }).getByText('Invoice 1').waitFor()
    await page.getByRole('button', { name: 'Add credit' }).click()
    await credit.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'Correction' }).click()
    await credit.getByLabel('Amount in USD').fill('-5')
    await credit.getByLabel('Note').fill('Too much')
    await credit.getByRole('button', { name: 'Add credit' }).click()
    await page.getByRole('table', { name: 'What changed the credit' }).getByText('Too much').waitFor()
    const made = await bench.appliance.operator.get('/workspaces/globex')
    expect(made.body).to.include({ title: 'Globex', country_code: 'US', credit_balance: 20 })
    await page.getByLabel('Calls at once').fill('7')
    const countries = page.getByRole('combobox', { name: 'Countries that may be called' })
    for (const name of ['United States', 'Germany']) {
      await countries.fill(name)
      await page.getByRole('option', { name, exact: true }).click()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Premium-rate numbers may be called and texted' }).press('Space')
    const limits = page.getByRole('region', { name: 'Limits' })
    await saves(page, async () => limits.getByRole('button', { name: 'Save' }).click())
    const limited = await bench.appliance.operator.get('/workspaces/globex')
    expect(limited.body).to.deep.include({
      ...{ max_concurrent_calls: 7, allowed_countries: ['US', 'DE'] },
      allow_premium_rate: true,
    })
    await looksGood(page, 'operator-workspace')

    await page.getByRole('link', { name: 'SMS carriers' }).click()
    await page.getByText('No SMS carriers yet').waitFor()
    await looksGood(page, 'operator-carriers-empty')
    await page.getByRole('button', { name: 'New carrier' }).first().click()
    const carrier = page.getByRole('dialog', { name: 'New carrier' })
    const { host, port, system_id, password } = bench.appliance.sandboxSmpp
    await carrier.getByLabel('Title').fill('Blue SMSC')
    await looksGood(page, 'operator-carriers-new')
    await carrier.getByRole('button', { name: 'New carrier' }).click()
    await carrier.locator('[aria-invalid="true"]').first().waitFor()
    await carrier.getByLabel('Host').fill(host)
    await carrier.getByLabel('Port').fill(String(port))
    await carrier.getByLabel('System id').fill(system_id)
    await carrier.getByRole('textbox', { name: 'Password' }).fill(password)
    await carrier.getByRole('button', { name: 'New carrier' }).click()
    await page.getByRole('heading', { name: 'Blue SMSC', level: 1 }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'SMS carriers' }).click()
    await page.getByRole('row').filter({ hasText: 'Blue SMSC' }).getByText('Up', { exact: true }).waitFor()
    await looksGood(page, 'operator-carriers')

    await page.getByRole('link', { name: 'First steps' }).click()
    await page.getByRole('button', { name: 'Show what is done' }).click()
    for (const name of ['Workspace', 'Credit', 'SMS carrier']) {
      await step(name).getByText('Done').waitFor()
    }
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('Every part of the platform is up.').waitFor()
    await page.getByText('Sandbox: its lines are simulated').waitFor()
    expect(await page.getByRole('heading', { name: 'Redis' }).count(), 'a card of what is not used').to.equal(
      0,
    )
    await page.getByText(/^Not used: .*Redis/).waitFor()
    await looksGood(page, 'operator-health')
    await tellsOfACarrierThatIsDown(page, bench)
    const german = await bench.operator('/', await bench.context({ locale: 'de-DE' }))
    await german.page.getByRole('button', { name: 'Erledigtes zeigen' }).click()
    await german.page.getByText('Arbeitsbereiche: 1.', { exact: true }).waitFor()
    await looksGood(german.page, 'operator-first-steps-de')
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should lead from the sign-in to an answered call in the browser, by a few clicks', async () => {
    const context = await bench.context()
    const clicks = await clicksIn(context)
    const { page } = await bench.open(`${bench.operatorUrl}/sign-in`, context)
    const token = bench.appliance.operator.authorization?.split(' ')[1] ?? ''
    await page.locator('input[name="operator"]').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Workspaces' }).click()
    await page.getByRole('button', { name: 'New workspace' }).first().click()
    const form = page.getByRole('dialog', { name: 'New workspace' })
    await form.getByLabel('Title').fill('Globex North')
    await form.getByLabel('Id').fill('north')
    await form.getByRole('combobox', { name: 'Country' }).fill('United States')
    await page.getByRole('option', { name: 'United States', exact: true }).click()
    await form.getByLabel('Name', { exact: true }).fill('Hank Scorpio')
    await form.getByLabel('Username').fill('hank')
    await form.getByRole('button', { name: 'New workspace' }).click()
    await page.getByRole('link', { name: 'Open the link' }).waitFor()
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open the link' }).click()
    const hanks = await opening
    const link = hanks.url()
    await hanks.getByRole('heading', { name: 'Welcome to Globex North' }).waitFor()
    await looksGood(hanks, 'welcome')
    await hanks.getByRole('textbox', { name: 'New password' }).fill('correct horse battery')
    await hanks.getByRole('button', { name: 'Set the password and sign in' }).click()
    await hanks.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await looksGood(hanks, 'home')
    const missed = await hanks
      .getByRole('main')
      .getByRole('link', { name: /^Missed/ })
      .getAttribute('href')
    const { pathname, searchParams: filter } = new URL(missed ?? '', hanks.url())
    expect([pathname, filter.get('outcome'), filter.get('direction')]).to.eql([
      '/calls',
      'unanswered',
      'inbound',
    ])
    expect(filter.get('from')).to.match(/^\d{4}-\d\d-\d\d$/)
    const templates = hanks.getByRole('link', { name: 'Choose a template' })
    expect(await templates.getAttribute('href')).to.equal('/flows/new')
    await hanks.getByRole('button', { name: 'Make one with a greeting' }).click()
    await hanks.getByRole('button', { name: 'Call the flow' }).click()
    await hanks.getByText('You hear the flow').waitFor()
    expect(clicks.count, 'clicks from the sign-in to the call').to.be.within(5, 14)
    await hanks.getByText(/^Ended after/).waitFor()
    const test = hanks.getByRole('listitem').filter({ hasText: 'Call it from the browser' })
    await test.getByText('Done').waitFor()
    await hanks.close()
    const again = await bench.open(link)
    await again.page.getByText('This link was used').waitFor()
    await page.keyboard.press('Escape')
    await entersAndLeaves(page)
  })

  it('should activate a customer’s number, give it a carrier, and suspend its workspace', async () => {
    const workspace = await bench.appliance.workspace({ id: 'initech' })
    const { api } = workspace
    const { id: acl } = (
      await api.post('/sip-trunks/acls', { title: 'Carrier', mode: 'ip', allowed_ips: ['192.0.2.1'] })
    ).body as { id: string }
    const number = await api.post('/phone-numbers/connect', {
      ...{ title: 'Main', number: '2025550133', country_code: 'US' },
      ...{ inbound_acl_id: acl, enable_outbound: false },
    })
    expect(number.status, JSON.stringify(number.body)).to.equal(201)
    const { page, problems } = await bench.operator('/workspaces')
    await page.getByRole('table').getByRole('link', { name: 'Workspace initech' }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    const card = page.getByRole('list', { name: 'Phone numbers' }).getByRole('listitem')
    const activate = await card.getByRole('button', { name: 'Activate: +12025550133' }).boundingBox()
    expect((activate?.x ?? Infinity) + (activate?.width ?? 0), 'its right side').to.be.at.most(390)
    await page.setViewportSize(desk)
    await page.getByRole('button', { name: 'Activate: +12025550133' }).click()
    await page.getByText('12025550133 is active').waitFor()
    await page.getByRole('button', { name: 'SMS carriers of +12025550133' }).click()
    const dialog = page.getByRole('dialog', { name: 'SMS carriers of +12025550133' })
    await dialog.getByRole('combobox', { name: 'SMS carriers' }).click()
    await page.getByRole('option', { name: 'Blue SMSC' }).click()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const shown = await api.get(`/phone-numbers/${(number.body as { id: string }).id}`)
    expect(shown.body).to.deep.include({ status: 'active', capabilities: ['voice', 'sms'] })

    await page.getByRole('button', { name: 'Settings of +12025550133' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings of +12025550133' })
    await settings.getByLabel('Per segment of a text').fill('0.00004')
    await settings.getByLabel('Per minute of a call').fill('2000')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.getByText(/^Enter (an amount of USD from 0 to )?\d/).waitFor()
    await looksGood(page, 'operator-number-settings')
    await settings.getByLabel('Per minute of a call').fill('0.02')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    const priced = await api.get(`/phone-numbers/${(number.body as { id: string }).id}`)
    expect(priced.body).to.deep.include({
      ...{ fee_per_segment: 0.00004, fee_per_mins_call: 0.02, status: 'active' },
      capabilities: ['voice', 'sms'],
    })

    await page.getByRole('button', { name: 'Suspend' }).click()
    const asked = page.getByRole('dialog', { name: 'Suspend Workspace initech?' })
    await asked.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'End the suspension' }).waitFor()
    expect((await api.get('/profile')).status).to.equal(403)
    await looksGood(page, 'operator-workspace-suspended')
    await page.getByRole('button', { name: 'End the suspension' }).click()
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
    expect((await api.get('/profile')).status).to.equal(200)

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Delete Workspace initech?' })
    const confirm = question.getByRole('button', { name: 'Delete' })
    await question.getByLabel('Type its id').fill('initec')
    await question.getByLabel('Type its id').press('Enter')
    expect(await confirm.getAttribute('aria-disabled')).to.equal('true')
    expect((await api.get('/profile')).status, 'by another id').to.equal(200)
    await question.getByLabel('Type its id').fill('initech')
    await looksGood(page, 'operator-workspace-delete')
    await confirm.click()
    await page.waitForURL(`${bench.operatorUrl}/workspaces`)
    await page.getByRole('link', { name: 'Workspace initech' }).waitFor({ state: 'detached' })
    expect((await bench.appliance.operator.get('/workspaces/initech')).status).to.equal(404)
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })
})

/** What the steps say of themselves, from top to bottom. */
async function statesOf(page: Page): Promise<string[]> {
  const states = await page.getByRole('main').getByRole('listitem').locator('.jf-state').allInnerTexts()
  const order = ['Fails', 'To do', 'Not known', 'Optional', 'Done']
  const sorted = states.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
  expect(states, 'the most urgent first').to.eql(sorted)
  return states
}

/** On the page of health, in one banner that leads on, and first on the page of first steps. */
async function tellsOfACarrierThatIsDown(
  page: Page,
  { appliance: { operator } }: ConsoleBench,
): Promise<void> {
  const { id: carrier } = await succeed(operator.post('/carriers', { ...smppCarrier, title: 'Red SMSC' }))
  await eventually(
    async () => (await operator.get(`/carriers/${carrier as string}/status`)).body.state as string,
    (state) => state === 'down',
    { withinMs: 10_000, what: 'a carrier that is down' },
  )
  await page.reload()
  const banner = page.getByRole('status').filter({ hasText: 'The link to 1 SMS carrier is down.' })
  await banner.waitFor()
  expect(await page.getByText('Every part of the platform is up.').count()).to.equal(0)
  await banner.getByRole('link', { name: 'SMS carriers' }).click()
  await page.getByRole('heading', { name: 'SMS carriers', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'First steps' }).click()
  await page.getByRole('listitem').filter({ hasText: 'is down' }).waitFor()
  expect((await statesOf(page))[0]).to.equal('Fails')
  const { items } = (await operator.get('/operator/checklist')).body as { items: { state: string }[] }
  const numberOf = (...states: string[]) => items.filter(({ state }) => states.includes(state)).length
  await page.getByText(`${numberOf('done')} of ${numberOf('done', 'todo', 'failing')} done`).waitFor()
  expect((await operator.delete(`/carriers/${carrier as string}`)).status).to.equal(200)
}

/** Counts the clicks of a person in all pages of a context. */
async function clicksIn(context: BrowserContext): Promise<{ count: number }> {
  const clicks = { count: 0 }
  await context.exposeBinding('countClick', () => {
    clicks.count++
  })
  await context.addInitScript(() => {
    const { countClick } = window as unknown as { countClick: () => void }
    document.addEventListener('click', ({ isTrusted }) => isTrusted && countClick(), { capture: true })
  })
  return clicks
}

/** The operator manages the workspace without a credential of it, and the banner says so. */
async function entersAndLeaves(page: Page): Promise<void> {
  await page.getByText('Hank Scorpio (hank)').waitFor()
  await page.getByRole('button', { name: 'Enter as operator' }).click()
  await page.getByText('You are here as operator.').waitFor()
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('entered by the operator').first().waitFor()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Globex North', level: 1 }).waitFor()
}
