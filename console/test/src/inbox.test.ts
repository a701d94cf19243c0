/** The inbox, between a carrier's SMSC and two agents' browsers. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { carriersPath, httpCarrier, newCarrier } from '../../../server/dist/test/api/carrier-fixtures.js'
import { newActiveNumber, succeed } from '../../../server/dist/test/api/fixtures.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { HttpCarrierServer } from '../../../server/dist/test/support/http-carrier.js'
import { wavFile } from '../../../server/dist/test/support/audio-files.js'
import { jpeg } from '../../../server/dist/test/support/pictures.js'
import { Smsc } from '../../../server/dist/test/support/smsc.js'
import { TextBench } from '../../../server/dist/test/support/text-bench.js'
import { spaced } from './support/clicks.js'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const client = '13035550123'
const unreachable = '13035550144'

declare global {
  interface Window {
    setVisible: (isVisible: boolean) => void
    notices: string[]
    refusesNotices: boolean
  }
}

/** A browser of which a test says whether its pages are looked at, and which keeps what they tell of. */
async function lookingAway(bench: ConsoleBench) {
  const context = await bench.context()
  await context.addInitScript(() => {
    let isVisible = true
    Object.defineProperty(document, 'visibilityState', { get: () => (isVisible ? 'visible' : 'hidden') })
    window.setVisible = (next) => {
      isVisible = next
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }
    window.notices = []
    class KeptNotice {
      static readonly permission = 'granted'
      onclick = null
      constructor(_title: string, { body }: { body: string }) {
        if (window.refusesNotices) throw new TypeError('Illegal constructor')
        window.notices.push(body)
      }
    }
    Object.defineProperty(window, 'Notification', { value: KeptNotice })
  })
  return context
}

const look = async (page: Page, isVisible: boolean) =>
  page.evaluate((next) => window.setVisible(next), isVisible)

const noticesOf = async (page: Page) => page.evaluate(() => window.notices)

describe('The inbox in the console', function () {
  this.timeout(180_000)
  let texts: TextBench
  let bench: ConsoleBench
  let smsc: Smsc
  let ana: ConsoleAgent
  let sue: ConsoleAgent
  let page: Page
  const problems: string[] = []
  const carrier = new HttpCarrierServer()

  before(async () => {
    texts = await TextBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' } })
    const unreached = { to: unreachable, receipts: [{ after_ms: 50, stat: 'UNDELIV' as const, err: '012' }] }
    smsc = await Smsc.start({ receipts: [{ after_ms: 50 }], rules: [unreached] })
    await carrier.start()
    await texts.up(await texts.carrier(smsc.port))
    bench = await ConsoleBench.on(texts.workspace)
    ana = await bench.makeAgent('ana')
    sue = await bench.makeAgent('sue', { role: 'supervisor' })
    const contact = { name: 'Zoe Miller', numbers: [`+${client}`] }
    await succeed(texts.workspace.api.post('/contacts', contact))
    const opened = await bench.agent(ana, '/inbox')
    page = opened.page
    opened.page.on('pageerror', (error) => problems.push(error.message))
  })

  /** What the page asks the API for when it is loaded anew, until it shows something. */
  const askedFor = async (shown: Locator) => {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/v1/')) asked.push(`${request.method()} ${pathname}`)
    })
    await page.reload()
    await shown.waitFor()
    await page.getByRole('link', { name: 'Inbox: 0 unread conversations' }).waitFor()
    page.removeAllListeners('request')
    return asked.filter((one) => !/auth|stream/.test(one))
  }

  it('should ask little when it is opened', async () => {
    const asked = await askedFor(page.getByText('No open conversations'))
    expect(asked.length, asked.join('\n')).to.be.at.most(6)
  })

  after(async () => {
    await bench?.stop()
    await smsc?.stop()
    await carrier?.stop()
  })

  const receive = async (text: string) => {
    const ref = await smsc.deliver({ from: client, to: texts.number, text })
    expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)
  }
  const list = (on: Page) => on.getByRole('list', { name: 'Conversations' })
  const log = (on: Page) => on.getByRole('log', { name: 'Messages' })
  const compose = (on: Page) => on.getByLabel('Write to Zoe Miller')

  it('should show a client’s message as it comes, and take the reply to the carrier', async () => {
    await page.getByText('No open conversations').waitFor()
    await looksGood(page, 'inbox-empty')
    await receive('Are you open on Monday?')
    const row = list(page).getByRole('link', { name: /Zoe Miller/ })
    await row.getByText('Are you open on Monday?').waitFor()
    await page.getByRole('link', { name: 'Inbox: 1 unread conversation' }).waitFor()
    await row.focus()
    await page.keyboard.press('Enter')
    await log(page).getByText('Are you open on Monday?').waitFor()
    await page.getByRole('link', { name: 'Inbox: 0 unread conversations' }).waitFor()
    await compose(page).fill('Yes, from nine')
    await page.keyboard.press('Control+Enter')
    await log(page).getByText('Yes, from nine').waitFor()
    await smsc.until('the reply', () => smsc.taken.some(({ text }) => text === 'Yes, from nine'))
    expect(smsc.taken.map(({ from, to, text }) => [from, to, text])).to.deep.equal([
      [texts.number, client, 'Yes, from nine'],
    ])
    // Its carrier's receipt is shown as it comes, and who answered has the conversation.
    await log(page).getByText('Delivered').waitFor()
    await page.getByText('Assigned to You').waitFor()
    await receive('Thank you')
    await log(page).getByText('Thank you').waitFor()
  })

  it('should keep notes for colleagues, and fill canned replies', async () => {
    const { page: hers } = await bench.agent(sue, '/canned-replies')
    await hers.getByText('No canned replies yet').waitFor()
    await looksGood(hers, 'canned-replies-empty')
    await hers.getByRole('main').getByRole('button', { name: 'New canned reply' }).first().click()
    const form = hers.getByRole('dialog', { name: 'New canned reply' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Required.').first().waitFor()
    await looksGood(hers, 'canned-reply-new')
    await form.getByLabel('Title').fill('Opening hours')
    await form.getByLabel('Text').fill('Dear {name}, we open at nine.')
    await form.getByRole('button', { name: 'Save' }).click()
    await hers.getByRole('table').getByText('Opening hours').waitFor()
    await looksGood(hers, 'canned-replies')
    await hers.context().close()

    await page.getByRole('button', { name: 'Canned replies' }).click()
    await page.getByRole('menuitem', { name: /Opening hours/ }).click()
    expect(await compose(page).inputValue()).to.equal('Dear Zoe Miller, we open at nine.')
    await compose(page).fill('')
    await page.getByText('Note', { exact: true }).click()
    await page.getByLabel('Only colleagues see this').fill('Wants a call on Monday')
    await page.getByRole('button', { name: 'Save note' }).click()
    await log(page).getByText('Wants a call on Monday').waitFor()
    await log(page).getByText('Note by You').waitFor()
    await page.getByText('Reply', { exact: true }).click()
    await looksGood(page, 'inbox')
  })

  it('should offer whom somebody has just made, and keep what is typed when names come late', async () => {
    await page.getByRole('button', { name: 'Assign' }).click()
    const form = page.getByRole('dialog', { name: 'Assign' })
    const field = form.getByRole('combobox', { name: 'Agent' })
    await field.click()
    await page.getByRole('option', { name: 'sue (sue)' }).waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await bench.makeAgent('tess')
    await page.getByRole('button', { name: 'Assign' }).click()
    await field.click()
    await page.getByRole('option', { name: 'tess (tess)' }).waitFor()

    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/call-center/agents**', async (route) => released.then(async () => route.continue()))
    await page.reload()
    await page.getByRole('button', { name: 'Assign' }).click()
    const typed = field.fill('sue')
    await Promise.race([typed, form.locator('input[readonly]').waitFor()])
    release()
    await typed
    await page.getByRole('option', { name: 'sue (sue)' }).waitFor()
    expect(await field.inputValue()).to.equal('sue')
    await page.unroute('**/call-center/agents**')
    await page.reload()
  })

  it('should hand a conversation on, and close it until the client writes again', async () => {
    const { page: hers } = await bench.agent(sue, '/inbox?view=mine')
    await hers.getByText('Nothing is waiting here').waitFor()
    await page.getByRole('button', { name: 'Assign' }).click()
    const form = page.getByRole('dialog', { name: 'Assign' })
    await form.getByLabel('Agent').fill('sue')
    await page.getByRole('option', { name: 'sue (sue)' }).click()
    await looksGood(page, 'inbox-assign')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Assigned to sue').waitFor()
    await list(hers)
      .getByRole('link', { name: /Zoe Miller/ })
      .click()
    await log(hers).getByText('Note by ana').waitFor()
    await hers.getByRole('button', { name: 'Close conversation' }).click()
    await hers.getByText('Nothing is waiting here').waitFor()
    await page.getByText('No open conversations').waitFor()
    await receive('One more question')
    await list(hers).getByText('One more question').waitFor()
    await log(hers).getByText('One more question').waitFor()
    await hers.context().close()
  })

  it('should send files, from a number whose carrier takes them', async () => {
    const { appliance, workspace } = texts
    const settings = { ...httpCarrier.settings, url: carrier.url(), media: true }
    const body = '{"to": "{{to}}", "text": "{{body}}", "media": "{{media_urls}}"}'
    const id = await newCarrier(appliance, { ...httpCarrier, settings: { ...settings, body } })
    const number = await newActiveNumber(appliance, workspace)
    await succeed(appliance.operator.put(carriersPath(workspace, number.id), { carrier_ids: [id] }))
    await page.reload()
    await page.getByRole('button', { name: 'New message' }).click()
    const form = page.getByRole('dialog', { name: 'New message' })
    await form.getByLabel('From your number').click()
    await page.getByRole('option', { name: spaced(number.number) }).click()
    await form.getByLabel('Client’s number').fill('12')
    await form.getByLabel('Message').fill('Here is your receipt')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Enter a phone number with its country code').waitFor()
    await looksGood(page, 'inbox-new-message')
    await form.getByLabel('Client’s number').fill('+1 (303) 555-0199')
    await form
      .locator('input[type="file"]')
      .setInputFiles([{ name: 'hello.wav', mimeType: 'audio/wav', buffer: wavFile(440, 1) }])
    await form.getByRole('button', { name: 'Remove hello.wav' }).waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: '+13035550199' }).waitFor()
    const sound = log(page).getByLabel('Attached audio 1')
    await sound.waitFor()
    const seconds = async () =>
      sound.evaluate(async (one: HTMLAudioElement) => one.play().then(() => one.duration))
    expect(await seconds()).to.be.closeTo(1, 0.2)
    const files = [{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: jpeg }]
    await page
      .locator('input[type="file"]')
      .setInputFiles([...files, { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') }])
    await page.getByRole('alert').getByText('This kind of file cannot be sent.').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).to.equal(true)
    await page.getByRole('button', { name: 'Remove page.png' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const picture = log(page).getByRole('img', { name: 'Attached picture 1' })
    await picture.waitFor()
    expect(await picture.evaluate(async (one: HTMLImageElement) => one.decode().then(() => one.naturalWidth))) //
      .to.be.greaterThan(0)
    const src = await picture.getAttribute('src')
    const sent = () => carrier.submitted.map(({ text }) => JSON.parse(text) as { media?: string[] })
    await smsc.until('the picture', () => sent().some(({ media }) => media?.[0] === src))
    await looksGood(page, 'inbox-picture')
    await page.getByLabel('Write to +13035550199').evaluate(
      (field, bytes) => {
        const pasted = new DataTransfer()
        pasted.items.add(new File([new Uint8Array(bytes)], 'pasted.jpg', { type: 'image/jpeg' }))
        const event = new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true, cancelable: true })
        field.dispatchEvent(event)
      },
      [...jpeg],
    )
    await page.getByRole('button', { name: 'Remove pasted.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await log(page).getByRole('img', { name: 'Attached picture 1' }).nth(1).waitFor()
  })

  it('should keep what is half written with its conversation and its agent, a note apart from the reply', async () => {
    const { page: desk, context } = await bench.agent(ana, '/inbox')
    const open = async (name: RegExp) => list(desk).getByRole('link', { name }).click()
    const remove = desk.getByRole('button', { name: 'Remove receipt.jpg' })
    const note = desk.getByLabel('Only colleagues see this')
    await open(/555-?0199/)
    const reply = desk.getByLabel('Write to +13035550199')
    await reply.fill('Here is')
    await desk
      .locator('input[type="file"]')
      .setInputFiles([{ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: jpeg }])
    await remove.waitFor()
    await desk.getByText('Note', { exact: true }).click()
    await note.fill('He never pays')
    await open(/Zoe Miller/)
    expect(await compose(desk).inputValue()).to.equal('')
    expect(await remove.count()).to.equal(0)
    await open(/555-?0199/)
    expect(await note.inputValue()).to.equal('He never pays')
    await desk.getByText('Reply', { exact: true }).click()
    expect(await reply.inputValue()).to.equal('Here is')
    await remove.waitFor()

    await open(/Zoe Miller/)
    await compose(desk).fill('Half a word')
    await open(/555-?0199/)
    await context.setOffline(true)
    await desk.getByRole('button', { name: 'Send', exact: true }).click()
    await log(desk).getByText('will be sent when you are online').waitFor()
    await desk.getByRole('button', { name: 'Account' }).click()
    await desk.getByRole('menuitem', { name: 'Sign out' }).click()
    await desk.getByLabel('Username').fill(sue.username)
    await desk.locator('input[name="password"]').fill(sue.password)
    await context.setOffline(false)
    await desk.getByRole('button', { name: 'Sign in' }).click()
    await desk.getByRole('link', { name: /^Inbox: / }).click()
    await open(/Zoe Miller/)
    expect(await compose(desk).inputValue()).to.equal('')
    await open(/555-?0199/)
    await log(desk).getByLabel('Attached audio 1').waitFor()
    expect(await log(desk).getByText('Here is', { exact: true }).count()).to.equal(0)
    await context.close()
  })

  it('should ask for no conversation by itself that its list has told, when a link opens one', async () => {
    const asked = await askedFor(log(page).getByLabel('Attached audio 1'))
    expect(asked.filter((one) => /conversations\/conv_[^/]+$/.test(one))).to.deep.equal([])
  })

  it('should give the focus back to the row where the list takes the conversation’s place', async () => {
    const { page: small, context } = await bench.agent(
      ana,
      '/inbox',
      await bench.context({ viewport: { width: 400, height: 800 } }),
    )
    await list(small).getByRole('link').nth(1).focus()
    await small.keyboard.press('Enter')
    await small.getByRole('button', { name: 'Back to the list' }).click()
    await small.waitForFunction(() => document.activeElement?.matches('li:nth-child(2) > a'))
    await context.close()
  })

  it('should mark as read at the next look what could not be marked', async () => {
    const { page: hers, context } = await bench.agent(sue, '/inbox', await lookingAway(bench))
    await list(hers)
      .getByRole('link', { name: /Zoe Miller/ })
      .click()
    await hers.getByRole('link', { name: 'Inbox: 0 unread conversations' }).waitFor()
    const refused = hers.waitForResponse(/\/read$/)
    await hers.route(/\/read$/, async (route) => route.fulfill({ status: 500, json: {} }))
    await receive('Do you hear me?')
    await refused
    await list(hers).getByLabel('1 unread message').waitFor()
    await hers.unroute(/\/read$/)
    await look(hers, false)
    await look(hers, true)
    await hers.getByRole('link', { name: 'Inbox: 0 unread conversations' }).waitFor()

    const other = await bench.open(`${bench.url}/inbox`, context)
    // What tells others that somebody looks comes with this.
    await other.page.getByRole('link', { name: /^Inbox: / }).waitFor()
    const both = [hers, other.page]
    const told = async () => (await Promise.all(both.map(noticesOf))).flat()
    const come = async (text: string) => {
      await receive(text)
      for (const one of both) await list(one).getByText(text).waitFor()
    }
    await look(hers, false)
    await come('Somebody looks')
    await look(other.page, false)
    await come('Nobody looks')
    await eventually(told, (notices) => notices.length > 0, { what: 'notification' })
    await other.page.evaluate(() => (window.refusesNotices = true))
    await hers.evaluate(() => (window.refusesNotices = true))
    await come('Nobody is told')
    expect(await told()).to.deep.equal(['Nobody looks'])
    await context.close()
  })

  it('should call the client by the desk’s phone', async () => {
    const asked = page.waitForRequest(/calls\/make$/)
    await page.getByRole('button', { name: 'Call +13035550199' }).click()
    expect((await (await asked).response())?.status()).to.equal(201)
  })

  it('should say why the API refuses a message, and keep it', async () => {
    const { api } = texts.workspace
    await succeed(api.post('/opt-outs', { phone_number_id: texts.numberId, client_number: `+${client}` }))
    await list(page)
      .getByRole('link', { name: /Zoe Miller/ })
      .click()
    await compose(page).fill('Are you there?')
    await page.keyboard.press('Control+Enter')
    const refused = log(page).getByRole('alert')
    await refused.getByText('This person wants no more messages from this number.').waitFor()
    await looksGood(page, 'inbox-refused')
    await succeed(api.delete(`/opt-outs/${texts.numberId}/+${client}`))
    await refused.getByRole('button', { name: 'Try again' }).click()
    await smsc.until('the text', () => smsc.taken.some(({ text }) => text === 'Are you there?'))
    await refused.waitFor({ state: 'detached' })
  })

  it('should say in its own words why a message did not arrive', async () => {
    const text = { from: `+${texts.number}`, to: `+${unreachable}`, body: 'Is anybody there?' }
    await succeed(texts.workspace.api.post('/messages/send', text))
    await list(page).getByText('Is anybody there?').click()
    const why = 'Not delivered: The client’s network or phone does not accept it'
    await log(page).getByText(why).waitFor()
    await list(page)
      .getByRole('link', { name: /Zoe Miller/ })
      .click()
  })

  it('should send what was written without a connection, once, when it is back', async () => {
    await texts.appliance.killServer()
    await compose(page).fill('Written in a tunnel')
    await page.keyboard.press('Control+Enter')
    await log(page).getByText('will be sent when you are online').waitFor()
    await texts.appliance.startServer()
    await log(page).getByText('will be sent when you are online').waitFor({ state: 'detached' })
    await smsc.until('the text', () => smsc.taken.some(({ text }) => text === 'Written in a tunnel'), 60_000)
    await receive('Got it')
    await log(page).getByText('Got it').waitFor()
    expect(await log(page).getByText('Written in a tunnel').count()).to.equal(1)
    expect(smsc.taken.filter(({ text }) => text === 'Written in a tunnel')).to.have.length(1)
    expect(problems).to.deep.equal([])
  })
})
