import { expect } from 'chai'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('The operator’s audit log', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
    const { operator } = bench.appliance
    await operator.post('/workspaces', { id: 'globex', title: 'Globex', country_code: 'US' })
    await operator.patch('/workspaces/globex', { max_concurrent_calls: 7, allowed_countries: ['US', 'DE'] })
    await bench.workspace.api.post('/audios', { title: 'Greeting', text: 'Hello' })
  })
  after(async () => bench.stop())

  it('should tell who changed what, filtered, with its details', async () => {
    const { page, problems } = await bench.operator('/platform/audit-log')
    const table = page.getByRole('table', { name: 'Audit log' })
    await table.getByText('workspace.update').waitFor()
    await looksGood(page, 'operator-audit-log')
    await page.getByRole('textbox', { name: 'What' }).fill('agent')
    await page.getByRole('status').getByText('Nothing here yet').waitFor()
    await page.getByRole('textbox', { name: 'What' }).fill('workspace.update')
    await table.getByText('workspace.create').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Details of workspace.update, Globex' }).click()
    const details = page.getByRole('dialog')
    await details.getByText('max_concurrent_calls').waitFor()
    await looksGood(page, 'operator-audit-log-details')
    await details.getByRole('button', { name: 'Everything that was done to it' }).click()
    await page.getByRole('textbox', { name: 'What' }).fill('')
    await table.getByText('workspace.create').waitFor()
    expect(await table.getByRole('row').count()).to.equal(3)
    expect(new URL(page.url()).searchParams.get('target')).to.equal('globex')
    await page.getByRole('button', { name: 'Only globex' }).click()
    await page.getByRole('combobox', { name: 'By whom' }).click()
    await page.getByRole('option', { name: 'API key' }).click()
    await table.getByText('workspace.create').first().waitFor({ state: 'detached' })
    expect(problems).to.eql([])

    const german = await bench.operator('/platform/audit-log', await bench.context({ locale: 'de-DE' }))
    await german.page.getByRole('table').getByText('workspace.update').waitFor()
    await looksGood(german.page, 'operator-audit-log-de')
  })
})
