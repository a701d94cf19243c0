import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { type Received, WebhookReceiver } from '../../../server/dist/test/support/webhook-receiver.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

describe('Webhooks in the console', function () {
  // A journey looks at a dozen pages, each in both themes and on the smallest phone.
  this.timeout(180_000)

  let bench: ConsoleBench
  const receiver = new WebhookReceiver()
  before(async () => {
    await receiver.start()
    bench = await ConsoleBench.start({
      settings: {
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
        JACKFIELD_WEBHOOKS_FIRST_RETRY: '1',
        JACKFIELD_WEBHOOKS_RETRY_FOR: '2',
      },
    })
  })
  after(async () => {
    await bench?.stop()
    await receiver.stop()
  })

  const received = async (count: number): Promise<Received[]> =>
    eventually(
      async () => receiver.received,
      (all) => all.length >= count,
      { withinMs: 20_000, what: `${count} deliveries` },
    )

  const isSigned = ({ headers, text }: Received, secret: string) => {
    const [, seconds, digest] = /^t=(\d+),v1=(.+)$/.exec(String(headers['jackfield-signature'])) ?? []
    return createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex') === digest
  }

  /** The secret that a dialog shows; closes it. */
  async function secretIn(page: Page, title: string): Promise<string> {
    const dialog = page.getByRole('dialog', { name: title })
    const secret = (await dialog.locator('code').textContent()) ?? ''
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    return secret
  }

  it('should make one, try it, see it fail, and send again what failed', async () => {
    const { page, problems } = await bench.admin('/webhooks')
    await page.getByText('No webhooks yet').waitFor()
    await looksGood(page, 'webhooks-empty')

    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Address').fill('http://10.0.0.1/hook')
    await form.getByLabel('Title').fill('Shop')
    const events = form.getByRole('combobox', { name: 'Events' })
    await events.click()
    await events.fill('call.end')
    await page.getByRole('option', { name: 'call.ended' }).click()
    await events.fill('')
    await page.getByRole('option', { name: 'message.received' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'New webhook' }).click()
    await form.getByText('This must lead to a public address.').waitFor()
    await looksGood(page, 'webhook-new')
    await form.getByLabel('Address').fill(receiver.url())
    await form.getByRole('button', { name: 'Add a header' }).click()
    const header = form.getByRole('group', { name: 'Header 1' })
    await header.getByRole('textbox', { name: 'Header' }).fill('Host')
    await header.getByRole('textbox', { name: 'Value' }).fill('k_12')
    await form.getByRole('button', { name: 'New webhook' }).click()
    await header.getByText('The platform sets this header itself.').waitFor()
    await header.getByRole('textbox', { name: 'Header' }).fill('X-Api-Key')
    await form.getByRole('button', { name: 'Add a header' }).click()
    const second = form.getByRole('group', { name: 'Header 2' })
    await second.getByRole('textbox', { name: 'Header' }).fill('x-api-key')
    await form.getByRole('button', { name: 'New webhook' }).click()
    await second.getByText('This header stands above already.').waitFor()
    await form.getByRole('button', { name: 'Remove Header 2' }).click()
    await form.getByRole('button', { name: 'New webhook' }).click()
    const secret = await secretIn(page, 'Secret of the new webhook')
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByText('Nothing sent yet').waitFor()
    await looksGood(page, 'webhook-empty')

    await page.getByRole('button', { name: 'Send a test' }).first().click()
    const [first] = await received(1)
    expect(first?.body.event).to.equal('webhook.test')
    expect(first && isSigned(first, secret)).to.equal(true)
    expect(first?.headers['x-api-key']).to.equal('k_12')
    await page.getByRole('table').getByText('Delivered').waitFor()

    receiver.answering = () => 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('table').getByText('Failed').waitFor()
    await page.getByText('The last attempts have failed').waitFor()
    await looksGood(page, 'webhook')

    await page.getByRole('row').filter({ hasText: 'Failed' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'webhook.test' }).waitFor()
    await page.getByText('answer 500').waitFor()
    expect(await page.getByRole('table', { name: 'Attempts' }).getByRole('row').count()).to.be.within(3, 5)
    await looksGood(page, 'webhook-delivery')
    receiver.answering = () => 204
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('HTTP 204').waitFor()
    await page.getByText('Delivered').waitFor()
    const last = receiver.received.at(-1)
    expect(await page.getByText(String(last?.headers['jackfield-signature'])).count()).to.equal(1)
    expect(last?.headers['jackfield-delivery']).to.equal(
      receiver.received.at(-2)?.headers['jackfield-delivery'],
    )
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should send all failed again, change the secret, and switch off', async () => {
    receiver.answering = () => 500
    const { page, problems } = await bench.admin('/webhooks')
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByRole('table').getByText('Failed').waitFor()
    receiver.answering = () => 204
    await page
      .getByRole('button', { name: /^Send webhook\.test of .+ again$/ })
      .first()
      .waitFor()

    await page.getByRole('button', { name: 'New secret' }).click()
    await looksGood(page, 'webhook-rotate')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog', { name: 'The new secret' }).waitFor()
    await looksGood(page, 'webhook-secret')
    const secret = await secretIn(page, 'The new secret')
    const before = receiver.received.length
    await page.getByRole('button', { name: 'Send all failed again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('1 delivery is sent again').waitFor()
    const all = await received(before + 1)
    expect(isSigned(all[before] as Received, secret)).to.equal(true)

    await page.getByRole('switch', { name: 'Send events to it' }).press('Space')
    await page.getByRole('button', { name: 'Send a test', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit webhook' })
    const { api } = bench.workspace
    const { body } = await api.get('/webhooks')
    const path = `/webhooks/${body.data[0].id as string}`
    await api.patch(path, { is_active: true })
    await form.getByRole('switch', { name: 'All events' }).press('Space')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('All events').first().waitFor()
    expect((await api.get(path)).body).to.deep.include({ is_active: true, events: ['*'] })
    await api.patch(path, { is_active: false })
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('table').getByText('Off', { exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Shop is on' }).press('Space')
    await page.getByRole('table').getByText('On', { exact: true }).last().waitFor()
    await looksGood(page, 'webhooks')
    await page.getByRole('button', { name: 'Delete Shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    expect(problems).to.eql([])
  })
})
