import { expect } from 'chai'
import { gatewayInput, succeed } from '../../../../server/dist/test/api/fixtures.js'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('The gateways of all workspaces in the operator’s console', function () {
  this.timeout(180_000)
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
    const to = (title: string, uri: string, port = 5060) => ({
      ...gatewayInput(bench.workspace.api),
      title,
      outbound_uris: [{ uri, port, protocol: 'udp', priority: 1 }],
    })
    const other = await bench.appliance.workspace({ id: 'globex' })
    await succeed(bench.workspace.api.post('/sip-trunks/gateways', to('Interconnect', 'carrier.example', 22)))
    await succeed(bench.workspace.api.post('/sip-trunks/gateways', to('Public', '8.8.4.4')))
    await succeed(other.api.post('/sip-trunks/gateways', to('Odd port', '8.8.8.8', 53)))
  })
  after(async () => bench?.stop())

  it('should lead from the first steps to those that wait, and approve one after a look at its addresses', async () => {
    const { page, problems } = await bench.operator('/')
    await page.getByText(/Gateways wait for your approval: 2/).waitFor()
    await page.getByRole('link', { name: 'Set up: SIP trunk' }).click()
    await page.waitForURL(/\/platform\/gateways\?state=pending_approval$/)
    const table = page.getByRole('table', { name: 'Gateways' })
    const row = (title: string) => table.getByRole('row').filter({ hasText: title })
    await row('Interconnect').getByText('Waits for approval').waitFor()
    await row('Odd port').getByRole('link', { name: 'Workspace globex' }).waitFor()
    expect(await row('Public').count()).to.equal(0)
    await looksGood(page, 'operator-gateways')
    await page.getByRole('button', { name: 'Approve: Interconnect' }).click()
    const question = page.getByRole('dialog', { name: 'Approve Interconnect of Workspace acme?' })
    await question.getByText('carrier.example:22/udp').waitFor()
    await looksGood(page, 'operator-gateways-question')
    await question.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Interconnect is approved: calls go over it').waitFor()
    await row('Interconnect').waitFor({ state: 'detached' })
    const { data } = await succeed(bench.workspace.api.get('/sip-trunks/gateways?search=Interconnect'))
    expect(data[0]).to.include({ state: 'active', is_approved: true })

    await page.goto(`${bench.operatorUrl}/platform/gateways`)
    await row('Interconnect').getByText('Approved', { exact: true }).waitFor()
    await row('Public').getByText('Active, not approved').waitFor()
    await page.getByRole('button', { name: 'Take back: Interconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await row('Interconnect').getByText('Waits for approval').waitFor()
    await page.getByRole('combobox', { name: 'Workspace' }).click()
    await page.getByRole('option', { name: 'Workspace globex' }).click()
    await row('Interconnect').waitFor({ state: 'detached' })
    await row('Odd port').waitFor()
    await page.goto(`${bench.operatorUrl}/workspaces/acme`)
    await page.getByRole('link', { name: 'Its gateways' }).click()
    await row('Public').waitFor()
    expect(await row('Odd port').count()).to.equal(0)
    expect(problems).to.eql([])
  })

  it('should speak German, and tell the customer in words why a gateway waits', async () => {
    const german = await bench.operator(
      '/platform/gateways?state=pending_approval',
      await bench.context({ locale: 'de-DE' }),
    )
    await german.page.getByRole('button', { name: 'Zustimmen: Odd port' }).waitFor()
    await looksGood(german.page, 'operator-gateways-de')
    const { page, problems } = await bench.admin('/trunks?view=gateways')
    const row = page.getByRole('row').filter({ hasText: 'Interconnect' })
    await row.getByText('Waits for approval').waitFor()
    await row.getByText(/It takes no calls until the operator has approved/).waitFor()
    await looksGood(page, 'trunks-gateway-waits')
    expect(problems).to.eql([])
  })
})
