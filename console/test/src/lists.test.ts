import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

/** What all lists have in common, seen at that of teams. */
describe('Lists in the console', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
    for (let number = 100; number < 112; number++) {
      const made = await bench.workspace.api.post('/teams', { name: `Desk ${number}` })
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
    }
  })
  after(async () => bench?.stop())

  it('should take a deleted row away before the API has answered', async () => {
    const { page } = await bench.admin('/teams?limit=25')
    const row = page.getByRole('row', { name: /Desk 105/ })
    let answer = (): void => undefined
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/api/v1/teams/*', async (route) => {
        if (route.request().method() !== 'DELETE') return route.fallback()
        const isToGoOn = new Promise<void>((goOn) => {
          answer = goOn
        })
        resolve()
        await isToGoOn
        return route.continue()
      })
    })
    await page.getByRole('button', { name: 'Delete Desk 105' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await isAsked
    await row.waitFor({ state: 'detached' })
    expect(await page.getByText('is deleted').count()).to.equal(0)
    answer()
    await page.getByText('Desk 105 is deleted').waitFor()
    expect(await row.count()).to.equal(0)
  })

  it('should put it back when it could not be deleted, and say why', async () => {
    const { page } = await bench.admin('/teams?limit=25')
    await page.route('**/api/v1/teams/*', async (route) =>
      route.request().method() === 'DELETE' ? route.abort('connectionfailed') : route.fallback(),
    )
    await page.getByRole('button', { name: 'Delete Desk 104' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.getByRole('row', { name: /Desk 104/ }).waitFor()
  })

  it('should lead to the page before when the last one has no row any more', async () => {
    const { page } = await bench.admin('/teams?limit=10&page=2')
    await page.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL((url) => !url.searchParams.has('page'))
    await page.getByRole('row').nth(10).waitFor()
  })

  it('should say when it could not be asked for anew, and what of a filter is gone', async () => {
    const { api } = bench.workspace
    const { body: book } = await api.post('/address-books', { title: 'Old customers' })
    const id = book.id as string
    expect((await api.delete(`/address-books/${id}`)).status).to.equal(200)
    const { page } = await bench.admin(`/contacts?book=${id}`)
    const filter = page.getByRole('combobox', { name: 'Address book' })
    await eventually(
      async () => filter.inputValue(),
      (value) => value === `${id} (deleted)`,
      { what: 'the name of the deleted book' },
    )
    await filter.click()
    await filter.fill('zzz')
    await page.getByText('Nothing matches “zzz”').waitFor()

    await page.goto(`${bench.url}/teams`)
    await page.getByRole('row', { name: /Desk 106/ }).waitFor()
    const refusal = { status: 403, json: { message: 'Not today' } }
    await page.route('**/api/v1/teams?*', async (route) => route.fulfill(refusal))
    await page.getByRole('button', { name: 'Refresh' }).click()
    const words = 'What you see may be old: You are not allowed to do this. Details: Not today'
    const notice = page.getByRole('status').filter({ hasText: words })
    await notice.waitFor()
    await page.getByRole('row', { name: /Desk 106/ }).waitFor()
    await page.unroute('**/api/v1/teams?*')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await notice.waitFor({ state: 'detached' })
  })

  it('should show what is searched for when one goes back', async () => {
    const { page } = await bench.admin('/teams')
    const field = page.getByRole('searchbox', { name: 'Search teams' })
    await field.fill('106')
    await page.waitForURL(/search=/)
    await page.getByRole('row', { name: /Desk 104/ }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('row', { name: /Desk 104/ }).waitFor()
    expect(await field.inputValue()).to.equal('')
  })

  it('should delete all that are chosen, with Shift too, and say which could not be, and why', async () => {
    const { page, problems } = await bench.admin('/teams?limit=25&sort=name')
    const boxOf = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}` })
    await boxOf('Desk 107').click()
    await boxOf('Desk 110').click({ modifiers: ['Shift'] })
    const bar = page.getByRole('region', { name: '4 chosen' })
    await bar.waitFor()
    const { body: teams } = await bench.workspace.api.get('/teams?search=Desk+107')
    await page.route(`**/api/v1/teams/${teams.data[0].id}`, async (route) => {
      const { status, json } = { status: 409, json: { message: 'Desk is in use' } }
      return route.request().method() === 'DELETE' ? route.fulfill({ status, json }) : route.fallback()
    })
    await looksGood(page, 'list-chosen')
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 4 entries?' })
    await dialog.getByText('Desk 107, Desk 108, Desk 109, Desk 110').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/^Desk 107: .*Desk is in use/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText('Done for 3 entries').waitFor()
    await page.getByRole('region', { name: '1 chosen' }).waitFor()
    await page.getByRole('row', { name: /Desk 108/ }).waitFor({ state: 'detached' })
    expect(await boxOf('Desk 107').isChecked()).to.equal(true)
    await page.getByRole('button', { name: 'Choose none' }).click()
    await page.getByRole('checkbox', { name: 'Choose all of this page' }).click()
    await page.getByRole('region', { name: /^\d+ chosen$/ }).waitFor()
    expect(problems.filter((problem) => !problem.includes('409'))).to.eql([])
  })

  it('should write its rows to a CSV file, and show what one would bring before it is imported', async () => {
    const { page } = await bench.admin('/contacts')
    await page.getByRole('button', { name: 'Import CSV' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Import CSV' })
    const lines = ['Name;Phone;Town', 'Ada Byron;+442079460101;London', '=Bob;+442079460102;', 'Nobody;none;']
    await dialog.getByLabel('Or paste the lines here').fill(lines.join('\n'))
    await dialog.getByText('2 new, 0 changed, 0 left as they are, 1 faulty').waitFor()
    await dialog.getByText(/^Line 4: Numbers: .*phone number/).waitFor()
    const send = dialog.getByRole('button', { name: /^Import \d/ })
    expect(await send.isDisabled(), 'with a faulty line').to.equal(true)
    await looksGood(page, 'import-preview')
    await dialog.getByLabel('Leave faulty lines out').check()
    await dialog.getByRole('button', { name: 'Import 2 entries' }).click()
    await page.getByText('2 made, 0 changed').waitFor()
    await page.getByRole('row', { name: /Ada Byron/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n').slice(0, 3)).to.eql([
      'name,numbers,email,notes,custom_fields,address_book_id',
      'Ada Byron,+442079460101,,,,',
      "'=Bob,+442079460102,,,,",
    ])
  })

  it('should narrow extensions by what they lead to, export those, and lead all of them to a team', async () => {
    const { api } = bench.workspace
    const { id: agent_id } = await bench.makeAgent('mira')
    const [team] = (await api.get('/teams?search=Desk%20111')).body.data as { id: string; name: string }[]
    const extensions = [
      { extension_number: '811', title: 'Mira', destination: 'agent', agent_id },
      { extension_number: '812', title: 'Mira at home', destination: 'agent', agent_id },
      { extension_number: '813', title: 'Desk', destination: 'team', team_id: team?.id },
    ]
    for (const extension of extensions)
      expect((await api.post('/extensions', extension)).status).to.equal(201)
    const { page } = await bench.admin('/extensions')
    await page.getByRole('combobox', { name: 'Leads to' }).click()
    await page.getByRole('option', { name: 'Agent', exact: true }).click()
    await page.getByRole('combobox', { name: 'Agent', exact: true }).click()
    await page.getByRole('option', { name: /mira/ }).click()
    await page.getByRole('row', { name: /813/ }).waitFor({ state: 'detached' })
    expect(Object.fromEntries(new URL(page.url()).searchParams)).to.eql({
      destination: 'agent',
      target: agent_id,
    })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(lines.map((line) => line.split(',')[0])).to.eql(['extension_number', '811', '812', ''])

    await page.getByRole('checkbox', { name: 'Choose all of this page' }).click()
    await page.getByRole('button', { name: 'Lead to a team' }).click()
    const dialog = page.getByRole('dialog', { name: 'Lead 2 extensions to a team?' })
    await dialog.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Desk 111' }).click()
    await dialog.getByRole('button', { name: 'Lead to a team' }).click()
    await page.getByText('Nothing matches what you have chosen').waitFor()
    const { data } = (await api.get(`/extensions?team_id=${team?.id}`)).body
    expect(data).to.have.length(3)
  })
})
