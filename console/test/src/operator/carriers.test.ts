import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('The operator’s SMS carriers', function () {
  this.timeout(240_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  const carrierOf = async (page: Page) => {
    const id = new URL(page.url()).pathname.split('/').pop() ?? ''
    return (await bench.appliance.operator.get(`/carriers/${id}`)).body
  }
  const save = async (page: Page) => {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    return (await saved).status()
  }

  it('should set everything of an SMPP carrier and show its link', async () => {
    const { host, port, system_id, password } = bench.appliance.sandboxSmpp
    const { page, problems } = await bench.operator('/carriers')
    await page.getByRole('button', { name: 'New carrier' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New carrier' })
    await dialog.getByLabel('Title').fill('Blue SMSC')
    await dialog.getByLabel('Host').fill(host)
    await dialog.getByLabel('Port').fill(String(port))
    await dialog.getByLabel('System id').fill(system_id)
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await dialog.getByRole('button', { name: 'New carrier' }).click()

    await page.getByRole('heading', { name: 'Blue SMSC', level: 1 }).waitFor()
    const state = page.getByRole('region', { name: 'State' })
    await state.getByText('Up', { exact: true }).waitFor()
    await looksGood(page, 'operator-carrier-smpp')
    await page.getByRole('combobox', { name: 'Type of senders’ numbers (TON)' }).click()
    await page.getByRole('option', { name: '5 – alphanumeric' }).click()
    await page.getByRole('combobox', { name: 'Bind' }).click()
    await page.getByRole('option', { name: 'Transmitter and receiver: one for each direction' }).click()
    await page.getByRole('combobox', { name: 'Texts of several segments' }).click()
    await page.getByRole('option', { name: 'SAR parameters' }).click()
    await page.getByLabel('Validity period').fill('3600')
    await page.getByRole('combobox', { name: 'Country' }).fill('United K')
    await page.getByRole('option', { name: 'United Kingdom' }).click()
    await page.getByRole('combobox', { name: 'Numbers are written as' }).click()
    await page.getByRole('option', { name: 'National, as people dial' }).click()
    await page.getByRole('combobox', { name: 'Its numbers without a plus sign are' }).click()
    await page.getByRole('option', { name: 'National, whatever their type' }).click()
    const words = page.getByRole('group', { name: 'Words of its receipts' })
    await words.getByRole('combobox', { name: 'Words for delivered' }).pressSequentially('ARRIVED,')
    const codes = page.getByRole('group', { name: 'What its error codes mean' })
    await codes.getByRole('combobox', { name: 'Codes for: too fast' }).pressSequentially('0x401,1026,')
    await page.getByLabel('Window').fill('2000')
    expect(await save(page)).to.equal(400)
    await page.getByText(/^Enter \d+ or less\./).waitFor()
    await page.getByLabel('Window').fill('25')
    expect(await save(page)).to.equal(200)
    const carrier = await carrierOf(page)
    expect(carrier).to.deep.include({ window_size: 25, secrets: ['password'] })
    expect(carrier.settings).to.include({
      ...{ source_ton: 5, source_npi: null, bind: 'transmitter_receiver' },
      ...{ country: 'GB', number_format: 'national_trunk', inbound_number_format: 'national' },
      ...{ long_messages: 'sar', validity_seconds: 3600, host },
    })
    expect(carrier.settings.receipt_statuses).to.eql({ ARRIVED: 'delivered' })
    expect(carrier.settings.refusals).to.eql({ '0x401': 'throttled', '1026': 'throttled' })
    await state.getByText('Up', { exact: true }).waitFor()

    // What is typed outlives another button of the page, and undoes nothing of it.
    await page.getByLabel('Title').fill('Deep blue SMSC')
    await page.getByRole('button', { name: 'Switch off' }).click()
    await state.getByText('Switched off').waitFor()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    expect(await page.getByLabel('Title').inputValue()).to.equal('Deep blue SMSC')
    expect(await save(page)).to.equal(200)
    expect(await carrierOf(page)).to.deep.include({ title: 'Deep blue SMSC', is_active: false })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No SMS carriers yet').waitFor()
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should set everything of an HTTP carrier, its secrets unseen, in German too', async () => {
    const made = await bench.appliance.operator.post('/carriers', {
      ...{ title: 'Green SMS', kind: 'http' },
      settings: { url: 'https://api.example.com/v1', body: '{"to": "{{to}}"}' },
    })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const path = `/carriers/${made.body.id as string}`
    const { page, problems } = await bench.operator(path)
    await page.getByText(`/api/v1${path}/inbound`).waitFor()
    await page.getByRole('button', { name: 'Add a header' }).click()
    const header = page.getByRole('group', { name: 'Header 1' })
    await header.getByRole('textbox', { name: 'Header' }).fill('Authorization')
    await header.getByRole('textbox', { name: 'Value' }).fill('Bearer hush-hush')
    await page.getByRole('combobox', { name: 'Statuses that mean success' }).pressSequentially('200,202,')
    const answer = page.getByRole('group', { name: 'What its answer means' })
    await answer.getByLabel('Its id of the message').fill('data/id')
    await answer.getByLabel('And its answer holds, at').fill('/status')
    const inbound = page.getByRole('group', { name: 'Texts that it posts to us' })
    await inbound.getByRole('textbox', { name: 'Secret of its posts' }).fill('a-secret-of-16-or-more')
    await inbound.getByLabel('Sender').fill('/data/from')
    const receipts = page.getByRole('group', { name: 'Receipts that it posts to us' })
    await receipts.getByRole('combobox', { name: 'Words for delivered' }).pressSequentially('arrived,')
    // What is given twice would be lost, and with it what was given first.
    await page.getByRole('button', { name: 'Add a header' }).click()
    const second = page.getByRole('group', { name: 'Header 2' }).getByRole('textbox', { name: 'Header' })
    await second.fill('authorization')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“authorization” stands twice.').waitFor()
    expect(await second.evaluate((field) => field === document.activeElement)).to.equal(true)
    await page.getByRole('button', { name: 'Remove Header 2' }).click()
    const failed = receipts.getByRole('combobox', { name: 'Words for failed' })
    await failed.pressSequentially('Arrived,')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Arrived” stands twice.').waitFor()
    await failed.press('Backspace')
    expect(await save(page)).to.equal(400)
    await page.getByText('Choose or enter at least 1.').waitFor()
    await answer.getByRole('combobox', { name: 'One of these values' }).pressSequentially('0,')
    expect(await save(page)).to.equal(400)
    await page.getByText('Enter a place in the JSON').waitFor()
    await answer.getByLabel('Its id of the message').fill('/data/id')
    expect(await save(page)).to.equal(200)
    await page.getByText('Kept: Authorization').waitFor()
    await looksGood(page, 'operator-carrier-http')
    expect(await page.content()).not.to.contain('hush-hush')
    const { settings, secrets } = await carrierOf(page)
    expect(secrets).to.have.members(['headers.Authorization', 'inbound_secret'])
    expect(settings).to.deep.include({
      ...{ message_id: '/data/id', error_code: null, success_statuses: [200, 202] },
      success_value: { pointer: '/status', values: ['0'] },
    })
    expect(settings.inbound).to.include({ from: '/data/from', items: null })
    expect(settings.receipts.statuses).to.include({ arrived: 'delivered', expired: 'undelivered' })

    await page.reload()
    const codes = page.getByRole('group', { name: 'What its error codes mean' })
    await codes.getByText('21610', { exact: true }).waitFor()
    const forGood = codes.getByRole('combobox', { name: 'Codes for: refused for good' })
    await forGood.pressSequentially('21610,')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“21610” stands twice.').waitFor()
    await forGood.press('Backspace')
    await codes.getByRole('combobox', { name: 'Codes for: too fast' }).pressSequentially('1,429,')
    await page.getByLabel('Its word for GSM texts').fill('text')
    await page.getByLabel('Its word for UCS-2 texts').fill('unicode')
    await inbound.getByLabel('Reference of a long text').fill('/concat-ref')
    await inbound.getByLabel('Number of the part').fill('/concat-part')
    await inbound.getByLabel('Number of parts in all').fill('/concat-total')
    await receipts.getByLabel('Our id of the message').fill('/client-ref')
    const kinds = page.getByRole('group', { name: 'Texts and receipts at one URL' })
    await kinds.getByLabel('Kind of a post').fill('event_type')
    await kinds.getByRole('combobox', { name: 'Words for texts' }).pressSequentially('received,')
    await kinds.getByRole('combobox', { name: 'Words for receipts' }).pressSequentially('sent,finalized,')
    expect(await save(page)).to.equal(400)
    await page.getByText('Enter a place in the JSON').waitFor()
    await kinds.getByLabel('Kind of a post').fill('/event_type')
    expect(await save(page)).to.equal(200)
    await looksGood(page, 'operator-carrier-http-codes')
    const whole = (await carrierOf(page)).settings
    expect(whole).to.deep.include({
      refusals: { '21610': 'opted_out', '40300': 'opted_out', '1': 'throttled', '429': 'throttled' },
      encodings: { gsm7: 'text', ucs2: 'unicode' },
      kinds: { pointer: '/event_type', texts: ['received'], receipts: ['sent', 'finalized'] },
    })
    expect(whole.inbound).to.include({ from: '/data/from', part_reference: '/concat-ref' })
    expect(whole.inbound).to.include({ part: '/concat-part', parts: '/concat-total' })
    expect(whole.receipts.message_id).to.equal('/client-ref')
    await kinds.getByLabel('Kind of a post').fill('')
    for (const words of ['texts', 'receipts'])
      for (let left = words === 'texts' ? 1 : 2; left > 0; left--)
        await kinds.getByRole('combobox', { name: `Words for ${words}` }).press('Backspace')
    expect(await save(page)).to.equal(200)
    expect((await carrierOf(page)).settings).to.deep.include({ kinds: null, message_id: '/data/id' })
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])

    const german = await bench.operator(path, await bench.context({ locale: 'de-DE' }))
    await german.page.getByText('Hinterlegt: Authorization').waitFor()
    await looksGood(german.page, 'operator-carrier-http-de')
  })
})
