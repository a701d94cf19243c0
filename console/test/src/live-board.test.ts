/** The live board in the console: what it shows, what it takes note of, and that a thousand calls do not hold it up. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { newId } from '../../../server/dist/src/infrastructure/database/ids.js'
import { newActiveNumber } from '../../../server/dist/test/api/fixtures.js'
import { insertInternalCall } from '../../../server/dist/test/api/call-center-fixtures.js'
import { query } from '../../../server/dist/test/api/database.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood, looksGoodOnWall } from './support/looks.js'

const many = 1_000

async function teamOf({ workspace }: ConsoleBench): Promise<string> {
  const { body } = await workspace.api.get('/teams')
  return (body as { data: { id: string }[] }).data[0]?.id ?? ''
}

describe('The live board in the console', () => {
  let bench: ConsoleBench
  let sue: ConsoleAgent
  let anna: ConsoleAgent

  before(async () => {
    bench = await ConsoleBench.start()
    await newActiveNumber(bench.appliance, bench.workspace)
    sue = await bench.makeAgent('sue', { role: 'supervisor', display_name: 'Sue Supervisor' })
    anna = await bench.makeAgent('anna', { display_name: 'Anna Agent' })
  })
  after(async () => bench?.stop())

  it('should tell a supervisor without a team what to do, and then show the team as it is', async () => {
    const { page, problems } = await bench.agent(sue, '/live')
    await page.getByText('You are in no team').waitFor()
    await looksGood(page, 'live-empty')
    const { api } = bench.workspace
    const team = (await api.post('/teams', { name: 'Sales' })).body.id as string
    for (const { id } of [sue, anna]) await api.put(`/teams/${team}/agents/${id}`)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('tab', { name: 'Agents (2)' }).click()
    const annas = page.getByRole('row', { name: /Anna Agent/ })
    await annas.getByText('Offline').waitFor()
    await looksGood(page, 'live-agents')
    await annas.getByRole('button', { name: 'State of Anna Agent' }).click()
    await page.getByRole('menuitem', { name: 'Busy' }).click()
    await page.getByText('Anna Agent is set to “Busy”').waitFor()
    const annasPage = await bench.agent(anna, '/')
    await annas.getByText('Busy').waitFor()
    await annasPage.page.getByRole('button', { name: 'Your state: Busy' }).click()
    await annasPage.page.getByRole('menuitemradio', { name: 'Lunch' }).click()
    await annasPage.page.getByRole('button', { name: 'Your state: Busy, Lunch' }).waitFor()
    await annas.getByText('Busy · Lunch').waitFor()
    await annasPage.context.close()
    await annas.getByText('Offline').waitFor()
    await annas.getByRole('button', { name: 'State of Anna Agent' }).click()
    await page.getByRole('menuitem', { name: 'Available' }).click()
    await page.getByText('Anna Agent is set to “Available”').waitFor()
    const ben = await bench.makeAgent('ben', { display_name: 'Ben Beginner' })
    await api.put(`/teams/${team}/agents/${ben.id}`)
    const bens = await bench.agent(ben, '/')
    await page.getByRole('row', { name: /Ben Beginner/ }).waitFor()
    await bens.context.close()
    await api.delete(`/agents/${ben.id}`)
    expect(problems).to.eql([])
  })

  it('should show a call as it begins and ends, without being asked', async () => {
    const { page } = await bench.agent(sue, '/live?show=calls')
    await page.getByText('No calls at the moment').waitFor()
    const { api } = bench.workspace
    const actions = [{ action: 'recording' }, { action: 'tts', params: { text: 'One moment. '.repeat(100) } }]
    const made = await api.post('/calls/make', { to: { number: anna.username }, actions })
    const call = page.getByRole('row', { name: /anna/ })
    await call.waitFor()
    await call.getByText('Anna Agent').waitFor()
    await call.getByRole('img', { name: 'Is being recorded' }).waitFor()
    await looksGood(page, 'live-calls')
    await page.getByRole('link', { name: /^Details/ }).click()
    await page.getByRole('heading', { name: 'Participants' }).waitFor()
    await page.goBack()
    await call.waitFor()
    const queued = await api.post('/calls/make', {
      to: { number: '+12025550100' },
      actions: [{ action: 'connect_team', params: { team_id: await teamOf(bench), queue: {} } }],
    })
    expect(queued.status, JSON.stringify(queued.body)).to.equal(201)
    await page.getByRole('tab', { name: 'Waiting (1)' }).click()
    const waiting = page.getByRole('table', { name: 'Waiting' })
    await waiting.getByText('Sales').waitFor()
    await looksGood(page, 'live-waiting')
    await looksGoodOnWall(page, 'live-waiting')
    await api.post(`/calls/${queued.body.data.call_id as string}/hangup`)
    await page.getByText('No callers are waiting').waitFor()
    await page.getByRole('tab', { name: 'Calls (1)' }).click()
    await api.post(`/calls/${made.body.data.call_id as string}/hangup`)
    await page.getByText('No calls at the moment').waitFor()
  })

  it('should show whom a call rings as ringing, and each agent of a call the other one', async () => {
    const { api } = bench.workspace
    const board = await bench.agent(sue, '/live?show=agents&state=ringing')
    const { page } = board
    await page.getByText('Nothing matches').waitFor()
    const annas = await bench.agent(anna, '/')
    await annas.page.getByRole('button', { name: 'Your state: Available' }).waitFor()
    const actions = [{ action: 'connect_agent', params: { agent_id: anna.id, timeout: 300 } }]
    const made = await api.post('/calls/make', { to: { number: '+12025550100', name: 'Zoe' }, actions })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const row = page.getByRole('row', { name: /Anna Agent/ })
    await row.getByText('Ringing').waitFor()
    await page.getByRole('group', { name: 'Ringing' }).getByText('1').waitFor()
    await page.goto(`${bench.url}/live?show=teams`)
    const sales = page.getByRole('row', { name: /Sales/ })
    await sales.waitFor()
    const names = await page.getByRole('columnheader').allInnerTexts()
    expect(await sales.getByRole('cell').nth(names.indexOf('Ringing')).innerText()).to.equal('1')
    for (const path of ['/own-teams', '/phone']) {
      await page.goto(`${bench.url}${path}`)
      await page.locator('tr, li').filter({ hasText: 'Anna Agent' }).getByText('Ringing').waitFor()
    }
    const admin = await bench.admin('/agents')
    const shown = admin.page.getByRole('row', { name: /Anna Agent/ })
    await shown.getByText('Ringing').waitFor()
    await admin.page.goto(`${bench.url}/live?show=agents`)
    await shown.getByText('Zoe').waitFor()
    await api.post(`/calls/${made.body.data.call_id as string}/hangup`)
    // As the events say it.
    await page.locator('li').filter({ hasText: 'Anna Agent' }).getByText('Available').waitFor()
    const parties = [
      { ...sue, display_name: 'Sue Supervisor' },
      { ...anna, display_name: 'Anna Agent' },
    ] as const
    const id = await insertInternalCall(bench.appliance, bench.workspace, parties)
    await page.goto(`${bench.url}/live?show=agents`)
    const withOf = async (name: string) => {
      const cells = page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell')
      await cells.getByText('In a call').waitFor()
      return cells.nth(3).innerText()
    }
    expect(await withOf('Anna Agent')).to.match(/^Sue Supervisor\s*sue$/)
    expect(await withOf('Sue Supervisor')).to.match(/^Anna Agent\s*anna$/)
    await query(bench.appliance, 'DELETE FROM calls WHERE id = ?', [id])
    for (const { context } of [board, annas, admin]) await context.close()
  })

  it('should draw a thousand calls, of which many change, without holding up a frame', async () => {
    const { appliance, workspace } = bench
    const now = new Date()
    const calls = Array.from({ length: many }, () => newId('call'))
    const insert = async (table: string, columns: string, rows: unknown[][]) =>
      query(
        appliance,
        `INSERT INTO ${table} (${columns}) VALUES ${rows.map((row) => `(${row.map(() => '?').join()})`).join()}`,
        rows.flat(),
      )
    await insert(
      'calls',
      'id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration, script, live, created_at, answered_at',
      calls.map((id, index) => [
        ...[id, workspace.id, 'inbound', 'active', `+1202555${String(index).padStart(4, '0')}`, ''],
        ...['+12025550100', 'Sales', 7200, '[]', 1, now, now],
      ]),
    )
    await insert(
      'call_legs',
      'id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, agent_id, created_at, answered_at',
      calls.map((id) => [
        ...[newId('leg'), id, workspace.id, randomUUID(), 'destination', 'anna', 'sip:anna@acme', 0, anna.id],
        ...[now, now],
      ]),
    )
    const { page, problems } = await bench.agent(sue, '/live?show=calls')
    await page.getByRole('tab', { name: 'Calls (1,000)' }).waitFor()
    const table = page.getByRole('table', { name: 'Calls' })
    expect(await table.getAttribute('aria-rowcount')).to.equal(String(many + 1))
    expect(await table.getByRole('row').count()).to.be.lessThan(60)
    await looksGood(page, 'live-thousand')
    await looksGoodOnWall(page, 'live-thousand')
    // In one step: rows that Playwright had found before it measures them may be gone from the page by then.
    await eventually(
      async () =>
        table.evaluate((element) => {
          const rows = [...element.querySelectorAll('[role="row"]:has([role="cell"])')]
          const tops = rows.map((row) => row.getBoundingClientRect().top)
          return [...new Set(tops.slice(1).map((top, index) => Math.round(top - (tops[index] ?? 0))))]
        }),
      (distances) => distances.join() === '48',
      { what: 'rows as far apart in a window that was narrow and wide before' },
    )
    await page.getByRole('searchbox', { name: 'Search calls and agents' }).fill('2025550999')
    await table.getByText('+12025550999').waitFor()
    expect(await table.getByRole('row').count()).to.equal(2)
    expect(problems).to.eql([])
    await query(appliance, 'DELETE FROM calls WHERE id IN (?)', [calls])
  })
})
