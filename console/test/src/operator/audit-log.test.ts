import { expect } from 'chai'
import { succeed } from '../../../../server/dist/test/api/fixtures.js'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('The operator’s audit log', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  let sid: string
  before(async () => {
    bench = await ConsoleBench.start()
    const { operator } = bench.appliance
    await operator.post('/workspaces', { id: 'globex', title: 'Globex', country_code: 'US' })
    await operator.patch('/workspaces/globex', { max_concurrent_calls: 7, allowed_countries: ['US', 'DE'] })
    const { api } = bench.workspace
    const key = await succeed(api.post('/api-keys', { title: 'Robot', scope: 'full', role: 'owner' }))
    sid = key.sid as string
    const robot = api.with({ authorization: `ApiKey ${key.api_key as string}` })
    await robot.post('/audios', { title: 'Greeting', text: 'Hello' })
  })
  after(async () => bench.stop())

  it('should tell who changed what, filtered, with its details', async () => {
    const { page, problems } = await bench.operator('/platform/audit-log')
    const table = page.getByRole('table', { name: 'Audit log' })
    await table.getByText('Workspace changed').waitFor()
    await table.getByRole('row').filter({ hasText: 'Audio added' }).getByText('Robot · API key').waitFor()
    await looksGood(page, 'operator-audit-log')
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    await choose('What', 'Agent')
    await page.getByRole('status').getByText('Nothing matches what you have chosen').waitFor()
    await choose('What', 'Workspace')
    await choose('What was done', 'changed')
    await table.getByText('Workspace added').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Details of Workspace changed, Globex' }).click()
    const details = page.getByRole('dialog')
    await details.getByText('max_concurrent_calls').waitFor()
    await looksGood(page, 'operator-audit-log-details')
    await details.getByRole('button', { name: 'All changes of this thing' }).click()
    await page.waitForURL(/target=globex/)
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('target'))
    await page.goBack()
    await page.waitForURL((url) => url.searchParams.get('action') === 'workspace')
    expect(await page.getByRole('combobox', { name: 'What was done' }).inputValue()).to.equal('')
    await table.getByText('Workspace added').first().waitFor()

    await page.goto(`${bench.operatorUrl}/platform/audit-log?target=globex`)
    await table.getByText('Workspace added').waitFor()
    expect(await table.getByRole('row').count()).to.equal(3)
    await page.getByRole('button', { name: 'Show not only Globex' }).click()
    await choose('Actor', 'API key')
    await table.getByText('Workspace added').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Details of Audio added, Greeting' }).click()
    await details.getByRole('button', { name: 'All that Robot changed' }).click()
    await page.waitForURL((url) => url.searchParams.get('actor') === sid)
    await page.getByRole('button', { name: 'Show not only Robot' }).click()
    await table.getByText('Workspace added').first().waitFor()
    expect(problems).to.eql([])

    const german = await bench.operator('/platform/audit-log', await bench.context({ locale: 'de-DE' }))
    await german.page.getByRole('table').getByText('Arbeitsbereich geändert').waitFor()
    await looksGood(german.page, 'operator-audit-log-de')
  })
})
