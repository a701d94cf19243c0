import { expect } from 'chai'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('The audit log in the console', () => {
  let bench: ConsoleBench
  let ada: ConsoleAgent
  before(async () => {
    bench = await ConsoleBench.start()
    const { api } = bench.workspace
    const key = await api.post('/api-keys', { title: 'billing', scope: 'full', role: 'owner' })
    const billing = api.with({ authorization: `ApiKey ${(key.body as { api_key: string }).api_key}` })
    ada = await bench.makeAgent('ada', { is_admin: true })
    await api.patch(`/agents/${ada.id}`, { display_name: 'Ada Byron', role: 'supervisor' })
    await billing.post('/teams', { name: 'Sales' })
    await api.post('/webhooks', { title: 'CRM', url: 'https://example.com/hook', events: ['call.ended'] })
    const gone = await bench.makeAgent('gone')
    await api.delete(`/agents/${gone.id}`)
  })
  after(async () => bench.stop())

  it('should list who changed what, and show one entry with what was before and after', async () => {
    const { page, problems } = await bench.admin('/audit-log')
    const table = page.getByRole('table', { name: 'Audit log' })
    const added = table.getByRole('row').filter({ hasText: 'Team added' })
    await added.getByText('billing').waitFor()
    await table.getByRole('row').filter({ hasText: 'Workspace added' }).getByText('The operator').waitFor()
    expect(
      await table.getByRole('row').filter({ hasText: 'Agent deleted' }).getByRole('link').count(),
    ).to.equal(0)
    await looksGood(page, 'audit-log')
    await table.getByRole('row').filter({ hasText: 'Agent changed' }).getByRole('button').click()
    const entry = page.getByRole('dialog', { name: 'Agent changed' })
    const changes = entry.getByRole('table', { name: 'What changed' })
    const name = changes.getByRole('row').filter({ hasText: 'display_name' })
    expect(await name.getByRole('cell').allTextContents()).to.eql(['ada', 'Ada Byron'])
    await looksGood(page, 'audit-log-entry')
    await entry.getByRole('link', { name: 'Ada Byron' }).click()
    await page.waitForURL(`**/agents/${ada.id}`)
    await page.getByRole('heading', { level: 1, name: 'Ada Byron' }).waitFor()
    await page.goBack()
    await table.getByRole('row').filter({ hasText: 'Webhook added' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor()
    await page.goBack()
    await table.getByRole('row').filter({ hasText: 'API key added' }).first().getByRole('link').click()
    await page.getByRole('table', { name: 'API keys' }).getByText('billing').waitFor()
    expect(await page.getByRole('table', { name: 'API keys' }).getByRole('row').count()).to.equal(2)
    expect(problems).to.eql([])
  })

  it('should be narrowed by who, what and when, in its address', async () => {
    const { page } = await bench.admin('/audit-log')
    const table = page.getByRole('table', { name: 'Audit log' })
    const rows = table.getByRole('row')
    await page.getByRole('combobox', { name: 'What', exact: true }).fill('Agent')
    await page.getByRole('option', { name: 'Agent', exact: true }).click()
    await table.getByText('Team added').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'What was done' }).click()
    await page.getByRole('option', { name: 'deleted' }).click()
    await page.waitForURL((url) => url.searchParams.get('action') === 'agent.delete')
    await table.getByText('Agent changed').waitFor({ state: 'detached' })
    expect(await rows.count()).to.equal(2)
    await looksGood(page, 'audit-log-filtered')
    await page.goto(`${bench.url}/audit-log`)
    await page.getByRole('combobox', { name: 'Who' }).fill('billing')
    await page.getByRole('option', { name: 'Key: billing' }).waitFor()
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: 'Key: billing' }).click()
    await table.getByText('Agent added').first().waitFor({ state: 'detached' })
    await table.getByText('Team added').waitFor()
    expect(await rows.count()).to.equal(2)
    await page.goto(`${bench.url}/audit-log?to=2020-01-01`)
    await page.getByRole('status').filter({ hasText: 'Nothing matches what you have chosen' }).waitFor()
  })

  it('should show all changes of one thing, and all by one actor', async () => {
    const { page } = await bench.admin('/audit-log')
    const table = page.getByRole('table', { name: 'Audit log' })
    await table.getByRole('row').filter({ hasText: 'Agent changed' }).getByRole('button').click()
    await page.getByRole('link', { name: 'All changes of this thing' }).click()
    await page.getByRole('button', { name: 'Show not only Ada Byron' }).waitFor()
    await table.getByText('Team added').waitFor({ state: 'detached' })
    expect(await table.getByRole('row').count()).to.equal(3)
    await page.getByRole('button', { name: 'Show not only Ada Byron' }).click()
    await table.getByRole('row').filter({ hasText: 'Workspace added' }).getByRole('button').click()
    await page.getByRole('link', { name: 'All that The operator changed' }).click()
    await table.getByText('Team added').waitFor({ state: 'detached' })
    await page.waitForURL(/actor=operator/)

    const own = await bench.agent(ada, '/audit-log?action=contact')
    await own.page.getByRole('status').getByText('Nothing matches what you have chosen').waitFor()
    await bench.workspace.api.post('/contacts', { name: 'Zoe', numbers: ['+12025550142'] })
    await own.page.getByRole('table').getByText('Contact added').waitFor()
  })

  it('should speak German', async () => {
    const { page, context } = await bench.admin('/audit-log')
    await context.addInitScript(() => localStorage.setItem('jackfield.language', 'de'))
    await page.reload()
    await page.getByRole('table').getByText('Team hinzugefügt').waitFor()
    await looksGood(page, 'audit-log-german')
    await page.getByRole('row').filter({ hasText: 'Webhook hinzugefügt' }).getByRole('button').click()
    await page.getByText('Geheim: wird nicht gezeigt').waitFor()
    await looksGood(page, 'audit-log-entry-german')
  })

  it('should say to lesser keys that it is not for them', async () => {
    const { page } = await bench.keyed('editor', '/audit-log')
    await page.getByRole('alert').waitFor()
    await looksGood(page, 'audit-log-refused')
  })
})
