import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { query } from '../../../server/dist/test/api/database.js'
import { insertCall } from '../../../server/dist/test/api/call-center-fixtures.js'
import { newTextingNumber, sendText } from '../../../server/dist/test/api/message-fixtures.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const client = '+12025550142'

const colourOf = async (element: Locator, property: 'color' | 'backgroundColor') =>
  element.evaluate((node, name) => getComputedStyle(node)[name], property)

describe('Deleting in the console', function () {
  this.timeout(120_000)
  let bench: ConsoleBench
  let from: string
  before(async () => {
    bench = await ConsoleBench.start()
    from = (await newTextingNumber(bench.appliance, bench.workspace)).number
  })
  after(async () => bench?.stop())

  async function deliveredText(): Promise<string> {
    const { body } = await sendText(bench.workspace.api, from, { to: client })
    await query(bench.appliance, 'DELETE FROM message_queue')
    await query(bench.appliance, "UPDATE messages SET status = 'delivered', cost = price")
    return body.id as string
  }

  it('should ask before a call and a message go, and leave their pages', async () => {
    const call = await insertCall(bench.appliance, bench.workspace, [])
    const { page, problems } = await bench.admin(`/calls/${call}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('recordings are deleted with it').waitFor()
    await looksGood(page, 'call-delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/calls')
    expect((await bench.workspace.api.get(`/calls/${call}`)).status).to.equal(404)

    const text = await deliveredText()
    await page.goto(`${bench.url}/messages/${text}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(({ pathname }) => pathname === '/messages')
    expect((await bench.workspace.api.get(`/messages/${text}`)).status).to.equal(404)
    expect(problems).to.eql([])
  })

  it('should let an admin delete a conversation', async () => {
    await deliveredText()
    const agent = await bench.makeAgent('adele', { role: 'supervisor', is_admin: true })
    const { page } = await bench.agent(agent, '/inbox')
    await page.getByText('Hello').first().click()
    await page.getByRole('button', { name: 'Delete the conversation' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('is deleted').waitFor()
    const [{ n }] = await query(bench.appliance, 'SELECT COUNT(*) AS n FROM conversations')
    expect(Number(n)).to.equal(0)
  })

  it('should delete everything of a number, and of a contact, and say what that was', async () => {
    await insertCall(bench.appliance, bench.workspace, [])
    const { page, problems } = await bench.admin('/erasures')
    await page.getByText('No erasures yet').waitFor()
    await page.getByRole('button', { name: 'Erase a person' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Number or app user').fill(client)
    await form.getByLabel('I know that this cannot be undone').check()
    await looksGood(page, 'erasure-form')
    const confirm = form.getByRole('button', { name: 'Delete everything' })
    expect(await colourOf(confirm, 'backgroundColor'), 'red').to.equal('rgb(224, 49, 49)')
    await confirm.click()
    const row = page.getByRole('row').filter({ hasText: '+12•••••••42' })
    await row.getByText('Calls: 1').waitFor()
    await row.getByText('Done').waitFor()
    await looksGood(page, 'erasures')

    await page.getByRole('button', { name: 'Erase a person' }).first().click()
    await form.getByLabel('Number or app user').fill('client:anna')
    await form.getByLabel('I know that this cannot be undone').check()
    await form.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('row').filter({ hasText: 'client:a•••' }).getByText('Done').waitFor()

    const name = 'Zoe'
    await bench.workspace.api.post('/contacts', { name, numbers: ['+12025550177'] })
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    const bin = page.getByRole('button', { name: 'Delete Zoe' })
    expect(await colourOf(bin, 'color'), 'red in dark, too').to.equal('rgb(255, 135, 135)')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Delete everything of Zoe' }).click()
    await form.getByLabel('Contact').waitFor()
    await form.getByLabel('I know that this cannot be undone').check()
    await form.getByRole('button', { name: 'Delete everything' }).click()
    await page.getByRole('row').filter({ hasText: '+12•••••••77' }).getByText('Contacts: 1').waitFor()
    expect((await bench.workspace.api.get('/contacts')).body.data).to.eql([])
    expect(problems).to.eql([])
  })
})
