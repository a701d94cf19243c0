import { newId } from '../../../server/dist/src/infrastructure/database/ids.js'
import { query } from '../../../server/dist/test/api/database.js'
import { expect } from 'chai'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('Alerts in the console', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
    await bench.appliance.workspace({ id: 'globex' })
    const at = new Date()
    for (const [workspace, kind, country, details] of [
      ['acme', 'calls_new_country', 'CU', {}],
      ['acme', 'calls_burst', 'CU', { calls: 1310, usual: 4 }],
      // Before alerts had figures.
      ['globex', 'spend_per_day_80', '', null],
    ] as const) {
      await query(
        bench.appliance,
        `INSERT INTO alerts (id, workspace_id, kind, period_began, country_code, message, details, created_at)
         VALUES (?, ?, ?, ?, ?, 'Four fifths are spent', ?, ?)`,
        [newId('al'), workspace, kind, at, country, details && JSON.stringify(details), at],
      )
    }
  })
  after(async () => bench?.stop())

  it('should show a workspace its own, and the operator those of all', async () => {
    const { page, problems } = await bench.admin('/alerts')
    const table = page.getByRole('table', { name: 'Alerts' })
    await table.getByText('1,310 calls to Cuba').waitFor()
    expect(await table.getByRole('row').count()).to.equal(3)
    await looksGood(page, 'alerts')
    const kind = page.getByRole('combobox', { name: 'Alert', exact: true })
    await kind.click()
    await page.getByRole('option', { name: 'First call to a country' }).click()
    await table.getByText('1,310 calls to Cuba').waitFor({ state: 'detached' })

    const operator = await bench.operator('/platform/alerts')
    const all = operator.page.getByRole('table', { name: 'Alerts' })
    await all.getByText('Four fifths are spent').waitFor()
    await looksGood(operator.page, 'operator-alerts')
    await operator.page.getByRole('combobox', { name: 'Workspace' }).click()
    await operator.page.getByRole('option', { name: 'Workspace globex' }).click()
    await all.getByText('1,310 calls to Cuba').waitFor({ state: 'detached' })
    expect([...problems, ...operator.problems]).to.eql([])
  })

  it('should be told in German where the console is', async () => {
    const { page, context } = await bench.admin('/alerts')
    await context.addInitScript(() => localStorage.setItem('jackfield.language', 'de'))
    await page.reload()
    const table = page.getByRole('table', { name: 'Warnungen' })
    await table.getByText('1.310 Anrufe nach Kuba in einer Stunde; üblich waren 4').waitFor()
    await table.getByText('Der erste Anruf nach Kuba').waitFor()
    await looksGood(page, 'alerts-german')
  })
})
