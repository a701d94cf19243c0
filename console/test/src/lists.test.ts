import { expect } from 'chai'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'

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
    const notice = page.getByRole('status').filter({ hasText: 'What you see may be old: Not today' })
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
})
