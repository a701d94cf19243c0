import { expect } from 'chai'
import { eventually } from '../../../../server/dist/test/support/api-client.js'
import { goTo, pick } from '../support/clicks.js'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'
import { saves } from '../support/notices.js'

describe('Setting a workspace up in the console', function () {
  // A journey looks at a dozen pages, each in both themes and on the smallest phone.
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start({
      settings: {
        JACKFIELD_EDGE_PUBLIC_HOST: '192.0.2.10',
        JACKFIELD_EDGE_PUBLIC_PORT: '5060',
        JACKFIELD_EDGE_PUBLIC_TLS_PORT: '5061',
        JACKFIELD_EDGE_PUBLIC_WSS_PORT: '5067',
      },
    })
  })
  after(async () => bench.stop())

  it('should lead an admin from nothing to a number, an extension and an agent', async () => {
    const { page, problems } = await bench.admin('/numbers')
    await page.getByText('No numbers yet').waitFor()
    await looksGood(page, 'numbers-empty')

    // A number, and its trunk from within the same form.
    await page.getByRole('button', { name: 'Connect a number' }).first().click()
    const connect = page.getByRole('dialog', { name: 'Connect a number' })
    await connect.getByLabel('Title').fill('Main line')
    const country = connect.getByRole('combobox', { name: 'Country' })
    for (const [text, shown] of [
      ['+49 221 1234567', 'Germany'],
      ['+1 (202) 555-0123', 'United States'],
    ] as const) {
      await connect.getByLabel('Number without its country code').fill(text)
      await eventually(
        async () => country.inputValue(),
        (value) => value.startsWith(shown),
        { what: `the country of ${text}` },
      )
    }
    await connect.getByRole('button', { name: 'New access list' }).click()
    const acl = page.getByRole('dialog', { name: 'New access list' })
    await acl.getByLabel('Title').fill('Carrier')
    await acl.getByLabel('Address or block 1').fill('not an address')
    await acl.getByRole('button', { name: 'Save' }).click()
    await acl.locator('[aria-invalid="true"]').first().waitFor()
    await acl.getByLabel('Address or block 1').fill('192.0.2.0/24')
    await acl.getByRole('button', { name: 'One more address' }).click()
    await acl.getByLabel('Address or block 2').fill('2001:db8::1')
    await acl.getByRole('button', { name: 'Save' }).click()
    await acl.waitFor({ state: 'detached' })
    await connect.getByRole('button', { name: 'New gateway' }).click()
    const gateway = page.getByRole('dialog', { name: 'New gateway' })
    await gateway.getByLabel('Title').fill('Carrier')
    await gateway.getByLabel('Caller ID').fill('(202) 555-0123')
    await gateway.getByLabel('Host or IP address').fill('sip.carrier.example')
    await gateway.getByRole('combobox', { name: 'Transport' }).click()
    await page.getByRole('option', { name: 'TLS' }).click()
    await gateway.getByLabel(/^Port/).fill('5061')
    await gateway.getByRole('button', { name: 'One more address' }).click()
    await gateway.getByLabel('Host or IP address').nth(1).fill('carrier.example')
    await gateway.getByLabel(/^Port/).nth(1).fill('')
    await gateway.getByRole('combobox', { name: 'Codecs' }).click()
    for (const codec of ['PCMA', 'PCMU']) await page.getByRole('option', { name: codec }).click()
    await gateway.getByRole('combobox', { name: 'Codecs' }).press('Escape')
    await gateway.getByRole('switch', { name: 'Sign in at the carrier' }).click()
    await gateway.getByLabel(/^Username/).fill('acme')
    await gateway.getByLabel(/^Password/).fill('of the carrier')
    await looksGood(page, 'gateway-new')
    await gateway.getByRole('button', { name: 'Save' }).click()
    await gateway.waitFor({ state: 'detached' })
    await looksGood(page, 'number-connect')
    await connect.getByRole('button', { name: 'Connect a number' }).click()
    await connect.waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('+12025550123').waitFor()
    await looksGood(page, 'numbers')

    await goTo(page, 'Teams')
    await page.getByRole('button', { name: 'New team' }).first().click()
    const team = page.getByRole('dialog', { name: 'New team' })
    await team.getByLabel('Name').fill('Support')
    await team.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor()
    await looksGood(page, 'team-empty')

    await goTo(page, 'Agents')
    await page.getByRole('button', { name: 'New agent' }).first().click()
    const agent = page.getByRole('dialog', { name: 'New agent' })
    await agent.getByLabel(/^Name/).fill('Amara Okafor')
    await agent.getByLabel('Username').fill('Amara')
    await looksGood(page, 'agent-new')
    await agent.getByRole('button', { name: 'New agent' }).click()
    await agent.getByText('lowercase letters and digits').last().waitFor()
    await agent.getByLabel('Username').fill('amara')
    await agent.getByRole('button', { name: 'New agent' }).click()
    const signIn = page.getByRole('dialog', { name: 'How Amara Okafor signs in' })
    await looksGood(page, 'agent-sign-in')
    const password = (await signIn.locator('code').last().textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Amara Okafor' }).click()
    await page.getByRole('heading', { level: 1, name: 'Amara Okafor' }).waitFor()
    await pick(page.getByRole('main'), 'Team', 'Supp', 'Support')
    await page.getByRole('button', { name: 'Put into the team' }).click()
    await page.getByRole('link', { name: 'Support' }).waitFor()
    await looksGood(page, 'agent')

    await goTo(page, 'Extensions')
    await page.getByRole('button', { name: 'New extension' }).first().click()
    const extension = page.getByRole('dialog', { name: 'New extension' })
    await extension.getByLabel('Title').fill('Amara')
    await extension.getByLabel(/^Extension/).fill('12')
    await extension.getByRole('button', { name: 'Save' }).click()
    await extension.getByText('3 to 6 digits').last().waitFor()
    await extension.getByLabel(/^Extension/).fill('120')
    await pick(extension, 'Agent', 'amara', 'Amara Okafor (amara)')
    await looksGood(page, 'extension-new')
    await extension.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('120').waitFor()
    await looksGood(page, 'extensions')

    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
    const { api } = bench.workspace
    const [number] = (await api.get('/phone-numbers')).body.data as Record<string, unknown>[]
    expect(number).to.include({ number: '12025550123', enable_outbound: true, status: 'pending' })
    const [trunk] = (await api.get('/sip-trunks/gateways')).body.data as Record<string, unknown>[]
    expect(trunk).to.include({ outbound_caller_id: '+12025550123' })
    expect(trunk).to.deep.include({ credential: { username: 'acme' }, codecs: ['PCMA', 'PCMU'] })
    expect(trunk?.['outbound_uris']).to.eql([
      { uri: 'sip.carrier.example', port: 5061, protocol: 'tls', priority: 1 },
      { uri: 'carrier.example', port: 5060, protocol: 'udp', priority: 2, lookup: 'srv' },
    ])

    // Whom the admin made can sign in with what was shown.
    await bench.agent({ id: '', username: 'amara', password }, '/')
  })

  it('should change a number and delete it, once nothing needs it', async () => {
    const { api } = bench.workspace
    const { body } = await api.post('/sip-trunks/acls', {
      title: 'Other carrier',
      mode: 'ip',
      allowed_ips: ['192.0.2.9'],
    })
    const made = await api.post('/phone-numbers/connect', {
      ...{ title: 'Fax', number: '2025550177', country_code: 'US', enable_outbound: false },
      inbound_acl_id: body.id as string,
    })
    const { operator } = bench.appliance
    const priced = await operator.patch(`/workspaces/acme/phone-numbers/${made.body.id as string}`, {
      fee_per_segment: 0.00004,
    })
    expect(priced.status).to.equal(200)
    const nodes = [{ id: 'start', type: 'start' }]
    const flow = await api.post('/call-flows', { title: 'Fax flow', trigger_type: 'inbound', nodes })
    await api.patch(`/phone-numbers/${made.body.id as string}`, { call_flow_id: flow.body.id as string })
    const { page } = await bench.admin(`/numbers/${made.body.id as string}`)
    const answers = page.getByRole('link', { name: 'Open the call flow' })
    expect(await answers.getAttribute('href')).to.equal(`/flows/${flow.body.id as string}`)
    const heading = page.getByRole('heading', { level: 1, name: '+12025550177' })
    // There is room between the parts of a number in headings, too.
    await heading.getByText('0177', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).fill('(202) 555-0177')
    const option = page.getByRole('option', { name: /^\+12025550177/ })
    await option.getByText('0177', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'detached' })
    await page.getByText('US$0.00004').waitFor()
    const path = `/phone-numbers/${made.body.id as string}`
    expect((await api.patch(path, { record_outbound: true })).status).to.equal(200)
    await page.getByLabel('Title').fill('Old fax')
    await saves(page, async () => page.getByRole('button', { name: 'Save' }).click())
    const shown = (await api.get(path)).body
    expect(shown, 'what another set meanwhile').to.include({ title: 'Old fax', record_outbound: true })
    await looksGood(page, 'number')

    await goTo(page, 'SIP trunks')
    await page.getByRole('button', { name: 'Delete Other carrier' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This did not work').waitFor()
    await looksGood(page, 'trunks')
    await page.getByRole('tab', { name: 'Outbound: gateways' }).click()
    await page.getByRole('table', { name: 'Gateways' }).waitFor()
    await looksGood(page, 'trunks-gateways')

    await goTo(page, 'Numbers')
    await page.getByRole('searchbox').fill('old fax')
    await page.getByText('+12025550123').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete +12025550177' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing matches “old fax”').waitFor()
  })

  it('should give a telephone its settings once, as a sheet with a QR code', async () => {
    const { page, problems } = await bench.admin('/sip-accounts')
    await page.getByRole('button', { name: 'New SIP account' }).first().click()
    const form = page.getByRole('dialog', { name: 'New SIP account' })
    await form.getByLabel('Title').fill('Front desk')
    await form.getByLabel('Username').fill('frontdesk')
    await form.getByRole('button', { name: 'Make one up' }).click()
    const password = await form.getByLabel('Password').inputValue()
    expect(password).to.match(/^[a-zA-Z0-9]{16}$/)
    await form.getByLabel('Title').focus() // away from the button, whose hint covers the form
    await page.mouse.move(0, 0)
    await looksGood(page, 'sip-account-new')
    await form.getByRole('button', { name: 'New SIP account' }).click()
    const sheet = page.getByRole('dialog', { name: 'Settings of Front desk' })
    await sheet.getByText(password).waitFor()
    await sheet.getByText('acme.sip.localhost').waitFor()
    for (const text of ['192.0.2.10', '5060', '5061', 'wss://192.0.2.10:5067']) {
      await sheet.getByText(text, { exact: true }).waitFor()
    }
    await sheet.getByRole('img', { name: 'QR code' }).waitFor()
    await looksGood(page, 'sip-account-sheet')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).to.equal(false)
    expect(await sheet.getByText(password).isVisible()).to.equal(true)
    expect(await sheet.getByRole('button', { name: 'Print' }).isVisible()).to.equal(false)
    await page.emulateMedia({ media: null })
    await page.keyboard.press('Escape')
    await page.getByRole('table').getByText('frontdesk').waitFor()
    await looksGood(page, 'sip-accounts')
    await page.getByRole('button', { name: 'New password: Front desk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await sheet.waitFor()
    expect(await sheet.getByText(password).count()).to.equal(0)
    expect(problems).to.eql([])
  })

  it('should keep teams, and take agents in and out', async () => {
    await bench.makeAgent('bela')
    await bench.workspace.api.post('/teams', { name: 'Sales' })
    const { page } = await bench.admin('/teams')
    await page.getByRole('link', { name: 'Sales' }).click()
    await page.getByText('This team has no members yet.').waitFor()
    await pick(page.getByRole('main'), 'Agent', 'bela', 'bela (bela)')
    await page.getByRole('button', { name: 'Add to the team' }).click()
    await page.getByRole('table').getByRole('link', { name: 'bela' }).waitFor()
    await looksGood(page, 'team')
    await page.getByRole('button', { name: 'Take bela out of the team' }).click()
    await page.getByText('This team has no members yet.').waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Sales North')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sales North' }).waitFor()
    await goTo(page, 'Teams')
    await looksGood(page, 'teams')
    await page.getByRole('button', { name: 'Delete Sales North' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('table').getByText('Sales North').waitFor({ state: 'detached' })
  })

  it('should set an agent’s rights, give them another password, and delete them', async () => {
    // Longer than a change of the name may make it: what is not changed is not sent.
    const display_name = 'Chen Wu of the long night shift in Boston'
    const { id } = await bench.makeAgent('chen', { display_name })
    const { page } = await bench.admin('/agents')
    await looksGood(page, 'agents')
    await page.getByRole('link', { name: 'chen' }).click()
    await page.getByRole('switch', { name: 'Admin' }).click()
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Supervisor' }).click()
    await saves(page, async () => page.getByRole('button', { name: 'Save' }).click())
    const { body } = await bench.workspace.api.get(`/agents/${id}`)
    expect(body).to.include({ is_admin: true, role: 'supervisor' })
    await page.getByRole('button', { name: 'New password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: `How ${display_name} signs in` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
    await page.getByRole('table').getByText('chen', { exact: true }).first().waitFor({ state: 'detached' })
  })
})
