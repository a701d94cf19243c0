import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { succeed } from '../../../../server/dist/test/api/fixtures.js'
import { ConsoleBench } from '../support/console-bench.js'
import { query } from '../../../../server/dist/test/api/database.js'
import { looksGood } from '../support/looks.js'
import { saves } from '../support/notices.js'

const heading = 'kind,prefix,destination,price,connection_fee,minimum_seconds,increment_seconds,is_blocked'
const rates = [
  'outbound_call,44,United Kingdom,0.012,,1,1,',
  'outbound_call,447,United Kingdom mobile,0.031,0.01,60,6,',
  'outbound_call,8835,Other networks,,,,,true',
  'message,*,World,0.02,,,,',
]

describe('The operator’s rate decks', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  const csv = (...lines: string[]) => ({
    name: 'rates.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([heading, ...lines].join('\n')),
  })
  const importFile = async (page: Page, file: ReturnType<typeof csv>) => {
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Import' }).click()
    return dialog
  }

  it('should make a deck, import rates with what is wrong by line, search and export them', async () => {
    const { page, problems } = await bench.operator('/rate-decks')
    await page.getByText('No rate decks yet').waitFor()
    await looksGood(page, 'operator-rate-decks-empty')
    await page.getByRole('button', { name: 'New rate deck' }).first().click()
    const made = page.getByRole('dialog', { name: 'New rate deck' })
    await made.getByLabel('Title').fill('Retail')
    await made.getByRole('switch', { name: 'The default deck' }).press('Space')
    await made.getByRole('button', { name: 'New rate deck' }).click()
    await page.getByRole('heading', { name: 'Retail', level: 1 }).waitFor()
    await page.getByText('It has no rates yet').waitFor()

    await page.getByRole('button', { name: 'Import' }).click()
    const refused = await importFile(
      page,
      csv('outbound_call,45,DK,cheap,,1,1,', 'fax,4x,UK,1,,1,1,', ...rates),
    )
    await refused.getByText('Nothing was imported. 3 things are wrong with the file:').waitFor()
    await refused.getByText('Line 2, price: Enter an amount of USD from 0 to 1000.').waitFor()
    await refused.getByText('Line 3, kind: Choose one of the values').waitFor()
    await looksGood(page, 'operator-rate-deck-import')
    const whole = await importFile(page, { ...csv(), buffer: Buffer.from('prefix\n44') })
    await whole.getByText('file has no column price').waitFor()
    expect(await whole.getByText('Nothing was imported').count()).to.equal(0)
    await importFile(page, csv(...rates))
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    const table = page.getByRole('table', { name: 'Rates' })
    await table.getByRole('row').filter({ hasText: '8835' }).getByText('Blocked').waitFor()
    await looksGood(page, 'operator-rate-deck')
    await page.getByRole('searchbox').fill('+44 7911 123456')
    await table.getByText('8835').waitFor({ state: 'detached' })
    const fitting = await table.getByRole('row').allInnerTexts()
    expect(fitting.filter((row) => row.includes('44'))).to.have.length(2)
    await page.getByRole('searchbox').fill('447')
    await table.getByRole('cell', { name: '44', exact: true }).waitFor({ state: 'detached' })
    await table.getByText('United Kingdom mobile').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('combobox', { name: 'For' }).click()
    await page.getByRole('option', { name: 'Texts' }).click()
    await table.getByText('United Kingdom mobile').waitFor({ state: 'detached' })

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    expect(text).to.match(/^kind,prefix,destination,price/)
    expect(text).to.include('outbound_call,447,United Kingdom mobile,0.031,0.01,60,6,false,')
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should give a deck to a workspace, tell who has it, and which rate holds for a number', async () => {
    const { operator } = bench.appliance
    const { id } = await succeed(operator.post('/rate-decks', { title: 'Wholesale' }))
    const { page, problems } = await bench.operator('/workspaces/acme')
    await page.getByRole('combobox', { name: 'Rate deck' }).click()
    await page.getByRole('option', { name: 'Wholesale' }).click()
    await page.getByLabel('USD that may be spent in an hour').fill('20')
    await page.getByLabel('USD that may be spent in a day').fill('99.5')
    await page.getByRole('switch', { name: 'Its gateways may sign who calls' }).press('Space')
    const limits = page.getByRole('region', { name: 'Limits' })
    await saves(page, async () => limits.getByRole('button', { name: 'Save' }).click())
    expect((await operator.get('/workspaces/acme')).body).to.include({
      ...{ rate_deck_id: id, max_spend_per_hour: 20, max_spend_per_day: 99.5, call_signing: true },
    })
    await query(
      bench.appliance,
      `UPDATE credit_balances SET hour_began = UTC_TIMESTAMP(3), hour_spent = 17.25,
         day_began = UTC_TIMESTAMP(3), day_spent = 99.5 WHERE workspace_id = 'acme'`,
    )
    await page.reload()
    const spent = page.getByRole('region', { name: 'Spent' })
    await spent.getByText('US$17.25 of US$20.00').waitFor()
    await spent.getByText('All is spent').waitFor()
    await looksGood(page, 'operator-workspace-limits')

    await page.goto(`${bench.operatorUrl}/rate-decks/${id as string}`)
    await page.getByRole('link', { name: 'Workspace acme' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('is that of a workspace').waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename Wholesale' })
    await dialog.getByLabel('Title').fill('Carriers')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Carriers', level: 1 }).waitFor()

    await page.getByRole('main').getByRole('link', { name: 'Rate decks' }).click()
    const lookup = page.getByRole('region', { name: 'Which rate applies to a number?' })
    await lookup.getByRole('combobox', { name: 'Workspace' }).click()
    await page.getByRole('option', { name: 'Workspace acme' }).click()
    await lookup.getByLabel('Number').fill('+447')
    await lookup.getByRole('button', { name: 'Look up' }).click()
    await lookup.getByText('Enter a phone number with its country code').waitFor()
    await lookup.getByLabel('Number').fill('+447911123456')
    await lookup.getByRole('button', { name: 'Look up' }).click()
    await lookup.getByText('United Kingdom mobile').waitFor()
    await lookup.getByText('US$0.031 a minute').waitFor()
    await looksGood(page, 'operator-rate-decks')
    await lookup.getByLabel('Number').fill('+12025550123')
    await lookup.getByText('US$0.031 a minute').waitFor({ state: 'detached' })
    await lookup.getByRole('button', { name: 'Look up' }).click()
    await lookup.getByText('No deck has a rate for this number').waitFor()
    expect(problems.filter((problem) => !/ 40[09]/.test(problem))).to.eql([])
  })
})
