import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { newActiveNumber, personOf } from '../../../server/dist/test/api/fixtures.js'
import { insertCall, insertOffer } from '../../../server/dist/test/api/call-center-fixtures.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('Calls in the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start({ switch: 'sandbox' })
    await newActiveNumber(bench.appliance, bench.workspace)
  })
  after(async () => bench?.stop())

  it('should find calls, show one as a ladder of its legs, play what was recorded, and end one', async () => {
    const { appliance, workspace } = bench
    const { page, problems } = await bench.admin('/calls')
    await page.getByText('No calls yet').waitFor()
    await looksGood(page, 'calls-empty')

    const missed = await insertCall(appliance, workspace, [
      { agent_id: (await personOf(workspace, 'member')).id, answered: false },
    ])
    const actions = [{ action: 'recording' }, { action: 'tts', params: { text: 'Good morning.' } }]
    const made = await workspace.api.post('/calls/make', { to: { number: '+12025550100' }, actions })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const id = made.body.data.call_id as string
    await eventually(
      async () => (await workspace.api.get(`/calls/${id}/recordings`)).body.data as { status: string }[],
      ([recording]) => recording?.status === 'ready',
      { withinMs: 30_000, what: 'recording that is ready' },
    )

    await page.reload()
    const table = page.getByRole('table', { name: 'Calls' })
    await table.getByText('+12025550142').waitFor()
    await looksGood(page, 'calls')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).to.include(id).and.to.include(missed)

    await page.getByRole('combobox', { name: 'Direction' }).click()
    await page.getByRole('option', { name: 'Outbound' }).click()
    await table.getByText('+12025550142').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('direction')).to.equal('outbound')
    await page.reload()
    await table.getByRole('link').first().click()

    await page.getByRole('heading', { level: 1, name: '+12025550100' }).waitFor()
    await page.getByRole('img', { name: 'Ladder of the call: 1 party' }).getByText('answers').waitFor()
    await page.getByRole('region', { name: 'Timeline' }).getByText('The platform ended the call').waitFor()
    await page.getByRole('button', { name: 'Play' }).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 0.5)
    await page.evaluate(() => window.scrollTo(0, 0))
    await looksGood(page, 'call')
    await page.getByRole('button', { name: 'Delete the recording' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing was recorded of this call.').waitFor()

    const live = await workspace.api.post('/calls/make', { to: { number: '+12025550102' }, actions: [] })
    await page.goto(`${bench.url}/calls/${live.body.data.call_id as string}`)
    await page.getByRole('button', { name: 'End' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await page.getByText('Canceled').waitFor()
    expect(await page.getByRole('button', { name: 'End' }).count()).to.equal(0)

    const rung = await bench.makeAgent('rita', { display_name: 'Rita Rung' })
    await insertOffer(appliance, workspace, { call_id: missed, agent_id: rung.id })
    await page.goto(`${bench.url}/calls/${missed}`)
    const ladder = page.getByRole('img', { name: 'Ladder of the call: 2 parties' })
    await ladder.getByText('rings Rita Rung').waitFor()
    await ladder.getByText('ends: the ringing was stopped').waitFor()

    await page.goto(`${bench.url}/calls/call_none`)
    await page.getByRole('heading', { name: 'There is no such call' }).waitFor()
    await looksGood(page, 'call-none')
    expect(problems.filter((problem) => !problem.includes('404'))).to.eql([])
  })

  it('should delete the calls that are chosen', async () => {
    const { appliance, workspace } = bench
    const ids = await Promise.all([1, 2].map(async () => insertCall(appliance, workspace, [])))
    const { page } = await bench.admin('/calls')
    const boxes = page.getByRole('checkbox', { name: /^Choose .*\+12025550142/ })
    for (const place of [0, 1]) await boxes.nth(place).click()
    const bar = page.getByRole('region', { name: '2 chosen' })
    await looksGood(page, 'calls-chosen')
    await bar.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 entries?' })
    await dialog.getByText('Their cost stays in the ledger.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Done for 2 entries').waitFor()
    for (const id of ids) expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(404)
  })

  it('should list calls to an admin who is an agent as they begin', async () => {
    const { api } = bench.workspace
    const admin = await bench.makeAgent('ada', { is_admin: true })
    const { page } = await bench.agent(admin, '/calls?status=live')
    await page.getByRole('status').filter({ hasText: 'Nothing matches what you have chosen' }).waitFor()
    // It rings, and nobody answers.
    const made = await api.post('/calls/make', { to: { number: '+12025550102' }, actions: [] })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    await page.getByRole('row', { name: /\+12025550102/ }).waitFor()
    await api.post(`/calls/${made.body.data.call_id as string}/hangup`)
    await page.context().close()
  })
})
