import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import { addUsage } from './support/usage-rows.js'

/** The last of them has 20 calls: 210 in all. */
const days = 20

/** Days of UTC, of one moment: a test that begins before midnight may end after it. */
const now = Date.now()
const dayAgo = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)

describe('Usage in the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  const total = (page: Page, name: string) =>
    page.getByRole('region', { name, exact: true }).locator('p').first()

  it('should say what to do while there is none', async () => {
    const { page } = await bench.admin('/usage')
    await page.getByText('Nothing was used').waitFor()
    await looksGood(page, 'usage-empty')
  })

  it('should draw calls and messages by day, and say the same in a table', async () => {
    await addUsage(bench.workspace, days, dayAgo(0))
    const { page, problems } = await bench.admin('/usage')
    for (const name of ['Calls', 'Minutes', 'Messages', 'Cost']) {
      await page
        .getByRole('img', { name: `${name}: chart` })
        .locator('svg')
        .waitFor()
    }
    await total(page, 'Calls').filter({ hasText: /^210$/ }).waitFor()
    expect(await total(page, 'Cost').textContent()).to.equal('US$4.73')
    const table = page.getByRole('table', { name: 'Usage' })
    const oldest = table.getByRole('row').filter({ hasText: 'Inbound' }).last()
    expect(await table.getByRole('row').count()).to.equal(26)
    await oldest.waitFor()
    await looksGood(page, 'usage')
    await page
      .getByRole('navigation', { name: 'Pages: Usage' })
      .getByRole('button', { name: 'Page 2' })
      .click()
    await page.waitForURL(/page=2/)
    expect(problems).to.eql([])
  })

  it('should have whole numbers at the charts of what there are no parts', async () => {
    const { page } = await bench.admin(`/usage?from=${dayAgo(1)}&to=${dayAgo(0)}`)
    const chart = page.getByRole('img', { name: 'Calls: chart' })
    await chart.locator('svg').waitFor()
    const ticks = chart.locator('[class*="yAxis"] .recharts-cartesian-axis-tick-value')
    await ticks.getByText('2', { exact: true }).waitFor()
    for (const tick of await ticks.allTextContents()) expect(tick).to.match(/^\d+$/)
  })

  it('should be exported by owners, and not offered to who would be refused', async () => {
    const owner = await bench.admin('/usage')
    await owner.page.getByRole('button', { name: 'Export' }).waitFor()
    for (const role of ['editor', 'viewer'] as const) {
      const { page } = await bench.keyed(role, '/usage')
      await total(page, 'Calls').waitFor()
      expect(await page.getByRole('button', { name: 'Export' }).count(), role).to.equal(0)
    }
  })

  it('should keep the days in its address, and say at their field what is wrong with them', async () => {
    const { page } = await bench.admin('/usage')
    await page.getByLabel('From day').fill(dayAgo(2))
    await page.waitForURL((url) => url.searchParams.get('from') === dayAgo(2))
    await total(page, 'Calls').filter({ hasText: /^6$/ }).waitFor()
    await page.goto(`${bench.url}/usage?from=2020-01-01`)
    await page.getByText('Choose at most 366 days.').waitFor()
    expect(await page.getByLabel('To day').getAttribute('aria-invalid')).to.equal('true')
    await looksGood(page, 'usage-refused')
  })

  it('should add up months, of a year unless days are chosen, in German as well', async () => {
    const { page, context } = await bench.admin('/usage')
    await context.addInitScript(() => localStorage.setItem('jackfield.language', 'de'))
    await page.reload()
    await page.getByRole('radiogroup', { name: 'Zusammenzählen' }).getByText('Nach Monaten').click()
    await page.waitForURL(/by=month/)
    await page.getByRole('columnheader', { name: 'Monat' }).waitFor()
    await page.getByRole('img', { name: 'Anrufe: Diagramm' }).locator('svg').waitFor()
    expect(await total(page, 'Anrufe').textContent()).to.equal('210')
    await looksGood(page, 'usage-months-german')
  })
})
