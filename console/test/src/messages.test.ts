/** Messages and opt-outs as an admin sees them, with a carrier's SMSC at the other end. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { carriersPath, httpCarrier, newCarrier } from '../../../server/dist/test/api/carrier-fixtures.js'
import { newActiveNumber, succeed } from '../../../server/dist/test/api/fixtures.js'
import { HttpCarrierServer } from '../../../server/dist/test/support/http-carrier.js'
import { jpeg } from '../../../server/dist/test/support/pictures.js'
import { Smsc } from '../../../server/dist/test/support/smsc.js'
import { TextBench } from '../../../server/dist/test/support/text-bench.js'
import { spaced } from './support/clicks.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const client = '13035550123'
const unreachable = '13035550124'

describe('Messages in the console', function () {
  this.timeout(180_000)
  let texts: TextBench
  let bench: ConsoleBench
  let smsc: Smsc
  let page: Page
  let problems: string[]
  const carrier = new HttpCarrierServer()

  before(async () => {
    texts = await TextBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' } })
    const refused = { to: unreachable, receipts: [{ after_ms: 50, stat: 'UNDELIV' as const }] }
    smsc = await Smsc.start({ receipts: [{ after_ms: 50 }], rules: [refused] })
    await carrier.start()
    await texts.up(await texts.carrier(smsc.port))
    bench = await ConsoleBench.on(texts.workspace)
    const opened = await bench.admin('/messages')
    page = opened.page
    problems = opened.problems
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
    await carrier?.stop()
  })

  const form = () => page.getByRole('dialog', { name: 'New message' })
  const choose = async (label: RegExp, option: string) => {
    await form().getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option }).click()
  }
  const write = async (number: string, to: string, body: string) => {
    await page.getByRole('main').getByRole('button', { name: 'New message' }).first().click()
    await choose(/^From/, spaced(number))
    await form().getByLabel(/^To/).fill(to)
    await form().getByLabel('Text').fill(body)
  }
  const timeline = () => page.getByRole('region', { name: 'Timeline' })

  it('should send one, and tell what becomes of it', async () => {
    await page.getByText('No messages yet').waitFor()
    await looksGood(page, 'messages-empty')
    await write(texts.number, '12', 'Grüße and good luck 🍀')
    await form().getByText('21 of 1600 characters, 1 SMS (UCS-2)').waitFor()
    await form().getByRole('button', { name: 'Send' }).click()
    await form().getByText('Enter a phone number').first().waitFor()
    await looksGood(page, 'message-new')
    await form().getByLabel(/^To/).fill('+1 (303) 555-0123')
    await form().getByLabel('Text').fill('Your order is ready')
    await form().getByText('GSM-7').waitFor()
    await form().getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: `+${texts.number} → +${client}` }).waitFor()
    await timeline().getByText('Delivered').waitFor()
    await timeline().getByText('Sent').waitFor()
    expect(smsc.taken.map(({ to, text }) => [to, text])).to.deep.equal([[client, 'Your order is ready']])
    await page.getByText('1 SMS (GSM-7)').waitFor()
    await looksGood(page, 'message')
  })

  it('should say in words why one did not arrive', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Messages' }).click()
    await write(texts.number, `+${unreachable}`, 'Are you there?')
    await form().getByRole('button', { name: 'Send' }).click()
    await timeline().getByText('Not delivered').waitFor()
    await looksGood(page, 'message-undelivered')
    await page.getByRole('main').getByRole('link', { name: 'Messages' }).click()
    const table = page.getByRole('table')
    await table.getByText('Are you there?').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Delivered', exact: true }).click()
    await table.getByText('Are you there?').waitFor({ state: 'detached' })
    await table.getByText('Your order is ready').waitFor()
    expect(page.url()).to.include('status=delivered')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Not delivered' }).click()
    await table.getByText('Are you there?').waitFor()
    await page.goto(`${bench.url}/messages`)
    await table.getByText('Your order is ready').waitFor()
    await looksGood(page, 'messages')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).to.include('Your order is ready').and.to.include('Are you there?')
    const lost = table.getByRole('row').filter({ hasText: 'Are you there?' })
    await lost.getByRole('checkbox').click()
    await page.getByRole('region', { name: '1 chosen' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await lost.waitFor({ state: 'detached' })
    await table.getByText('Your order is ready').waitFor()
  })

  it('should send files that are uploaded with the key', async () => {
    const { appliance, workspace } = texts
    const settings = { ...httpCarrier.settings, url: carrier.url(), media: true }
    const body = '{"to": "{{to}}", "text": "{{body}}", "media": "{{media_urls}}"}'
    const id = await newCarrier(appliance, { ...httpCarrier, settings: { ...settings, body } })
    const number = await newActiveNumber(appliance, workspace)
    await succeed(appliance.operator.put(carriersPath(workspace, number.id), { carrier_ids: [id] }))
    await page.reload()
    await write(number.number.replace('+', ''), `+${client}`, '')
    const files = [{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: jpeg }]
    await page.locator('input[type="file"]').setInputFiles(files)
    await form().getByRole('button', { name: 'Remove receipt.jpg' }).waitFor()
    await form().getByRole('button', { name: 'Send' }).click()
    const picture = page.getByRole('img', { name: 'Attached picture 1' })
    await picture.waitFor()
    const sent = () => carrier.submitted.map(({ text }) => JSON.parse(text) as { media?: string[] })
    const src = await picture.getAttribute('src')
    await smsc.until('the picture', () => sent().some(({ media }) => media?.[0] === src))
    await looksGood(page, 'message-picture')
  })

  it('should keep an answer that is switched off when words are changed', async () => {
    const { api } = texts.workspace
    await succeed(api.patch('/message-settings', { help_reply: '' }))
    await page.goto(`${bench.url}/opt-outs`)
    await page.getByRole('button', { name: 'Words and answers' }).click()
    const settings = page.getByRole('dialog', { name: 'Words and answers' })
    await settings.getByLabel(/^Own words to opt out/).fill('no more')
    await page.keyboard.press('Enter')
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    const kept = await succeed(api.get('/message-settings'))
    expect(kept).to.deep.include({ stop_words: ['no more'], stop_reply: null, help_reply: '' })
  })

  it('should list who has said STOP, and take others in and out', async () => {
    await page.goto(`${bench.url}/opt-outs`)
    await page.getByText('No opt-outs yet').waitFor()
    await looksGood(page, 'opt-outs-empty')
    const ref = await smsc.deliver({ from: client, to: texts.number, text: 'STOP' })
    expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)
    // A page of a session by key asks by itself.
    await page.getByRole('table').getByText(`+${client}`).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New opt-out' }).click()
    const adding = page.getByRole('dialog', { name: 'New opt-out' })
    await adding.getByLabel(/^Client’s number/).fill('+1 303 555 0177')
    await adding.getByRole('button', { name: 'Save' }).click()
    await adding.locator('[aria-invalid="true"]').waitFor()
    await looksGood(page, 'opt-out-new')
    await adding.getByRole('combobox', { name: /^Your number/ }).click()
    await page.getByRole('option', { name: spaced(texts.number) }).click()
    await adding.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('+13035550177').waitFor()
    await looksGood(page, 'opt-outs')
    await page.getByRole('button', { name: `Delete Opt-out of +${client}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('table').getByText(`+${client}`).waitFor({ state: 'detached' })
    expect(problems.filter((problem) => !problem.includes('400'))).to.deep.equal([])
  })
})
