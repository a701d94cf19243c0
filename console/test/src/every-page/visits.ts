/** What is asked of every page, whoever opens it. */
import { expect } from 'chai'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'
import { ConsoleBench, type OpenPage } from '../support/console-bench.js'
import { desk, fitsPhone, isFine, looksGood, settled } from '../support/looks.js'
import { type Rows, addressOf, fill } from './rows.js'

/** A page by its address asks for no more. */
const mostRequests = 7

/** The phone asks for the colleagues of a team when it knows which teams there are. */
const moreRequests: Readonly<Record<string, number>> = { '/phone': 8 }

/** So long without a request is done with asking. */
const quietMs = 400

type Opens = (bench: ConsoleBench, rows: Rows, context: BrowserContext) => Promise<OpenPage>

/** Has each of these pages opened by somebody, in both languages. @param opens their first page, signed in */
export function everyPageOf(person: string, paths: readonly string[], opens: Opens): void {
  describe(`Every page of ${person}`, function () {
    this.timeout(120_000)
    let bench: ConsoleBench
    let rows: Rows
    let english: OpenPage
    let german: OpenPage

    before(async () => {
      bench = await ConsoleBench.start({ switch: 'sandbox' })
      rows = await fill(bench)
      english = await opens(bench, rows, await bench.context())
      german = await opens(bench, rows, await bench.context())
      await german.context.addInitScript(() => localStorage.setItem('jackfield.language', 'de'))
    })
    after(async () => bench?.stop())

    for (const path of paths) {
      it(`should open ${path}, and what can be made there`, async () => {
        const { page, problems } = english
        const address = new URL(page.url()).origin + addressOf(path, rows)
        const asked = await requestsOf(page, async () => goTo(page, address))
        expect(asked.length, asked.join('\n')).to.be.at.most(moreRequests[path] ?? mostRequests)
        await looksGood(page, `page${path.replaceAll(/[/$]+/g, '-')}-of-${person.replaceAll(' ', '-')}`)
        await opensDialogs(page)
        expect(problems.splice(0)).to.eql([])

        await goTo(german.page, address)
        expect(await german.page.locator('html').getAttribute('lang')).to.equal('de')
        await isGerman(german.page, page)
        // A phone has words of its own.
        await fitsPhone(german.page, `${path} in German`)
        await fitsPhone(page, path)
        await isGerman(german.page, page)
        await page.setViewportSize(desk)
        await german.page.setViewportSize(desk)
        expect(german.problems.splice(0)).to.eql([])
      })
    }
  })
}

/** By its address, until everything is there. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  expect(new URL(page.url()).pathname, 'it leads elsewhere').to.equal(new URL(address).pathname)
  await page.waitForFunction(
    () => document.title === `${String(document.querySelector('main h1')?.textContent)} · Jackfield`,
  )
}

/** What is asked of the API until nothing more is. The event stream stays open for as long as its page. */
async function requestsOf(page: Page, act: () => Promise<void>): Promise<string[]> {
  const asked: string[] = []
  let latest = Date.now()
  const note = (request: { url: () => string; method: () => string }) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.startsWith('/api/v1/') || pathname === '/api/v1/stream') return
    asked.push(`${request.method()} ${pathname}${search}`)
    latest = Date.now()
  }
  page.on('request', note)
  await act()
  await eventually(
    async () => Promise.resolve(Date.now() - latest),
    (ms) => ms > quietMs,
    { what: 'page that asks no more' },
  )
  page.off('request', note)
  return asked
}

/** Buttons that open a form: each is opened, looked at and closed, and its button has the focus again. */
const opener = /^(New|Edit|Rename|Connect|Assign|Add credit|Use a key)\b/

/** They do at once what they say. */
const doesAtOnce = /^New (version|provider)$/

async function opensDialogs(page: Page): Promise<void> {
  const address = page.url()
  const buttons = page.getByRole('main').getByRole('button', { name: opener })
  const seen = new Set<string>()
  for (const button of await buttons.all()) {
    const name = await nameOf(button)
    // One row is like the next.
    const kind = /^(Edit|Rename)/.exec(name)?.[0] ?? name
    if (seen.has(kind) || doesAtOnce.test(name) || !(await button.isEnabled())) continue
    seen.add(kind)
    await button.click()
    const dialog = page.getByRole('dialog').first()
    await dialog.or(page.locator('main h1:focus')).waitFor()
    // What is edited on a page of its own leads there.
    if (!(await dialog.isVisible())) {
      await goTo(page, address)
      continue
    }
    await isFine(page, `the dialog of “${name}”`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(
      await button.evaluate((element) => element === document.activeElement),
      `focus on ${name}`,
    ).to.equal(true)
  }
}

async function nameOf(button: Locator): Promise<string> {
  return (await button.getAttribute('aria-label')) ?? (await button.innerText())
}

/** Words that German has taken over, and names of the API's own and of the rows'. */
const alike =
  /^((Agent|App|Gateway|Host|ID|Name|OpenAI Realtime|Person|Port|Push|Redis|SID|Server( [\w.-]+)?|Status|Text|Teams?( \(\d+\))?|Version|Webhook)( \*)?|[a-z]+_[a-z]+|Blue SMSC|bye|Jackfield-[A-Z][a-z]+)$/

/** No word of the console's own stands there in English. */
async function isGerman(german: Page, english: Page): Promise<void> {
  const [ours, theirs] = [await ownWords(german), await ownWords(english)]
  expect(ours.filter((word) => theirs.includes(word) && !alike.test(word))).to.eql([])
}

/** What stands at controls and over columns; data do not. */
async function ownWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(button, label, th, dt, [role="tab"], h2, h3, input)')]
      .flatMap((element) => [
        element.textContent,
        element.getAttribute('aria-label') ?? '',
        element.getAttribute('placeholder') ?? '',
      ])
      .map((word) => word.trim())
      .filter((word) => /\p{L}{2}/u.test(word)),
  )
}
