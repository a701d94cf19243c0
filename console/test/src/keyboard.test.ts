import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ConsoleBench } from './support/console-bench.js'

/** More presses than a page has stops. */
const mostStops = 80

/** What has the focus, by the name that assistive technology reads. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element instanceof HTMLInputElement)
      return element.labels?.[0]?.textContent ?? element.ariaLabel ?? ''
    return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
  })
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < mostStops; stop++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    if (typeof name === 'string' ? at === name : name.test(at)) return
    passed.push(at)
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${passed.join(', ')}`)
}

describe('The console without a mouse', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should lead through a list, its dialog and back with the keyboard alone', async () => {
    const { page, problems } = await bench.admin('/contacts')
    await page.getByText('No contacts yet').waitFor()
    await tabTo(page, 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    await tabTo(page, 'New contact')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: 'New contact' }).waitFor()

    await page.keyboard.press('Enter')
    await dialog.locator('input:focus').first().waitFor()
    expect(await focused(page)).to.match(/^Name/)
    await page.keyboard.type('Zoe Miller')
    await tabTo(page, /^Number 1|^Number/)
    await page.keyboard.type('+12025550142')
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table').getByText('Zoe Miller').waitFor()
    await page.locator('button:focus', { hasText: 'New contact' }).waitFor()

    await tabTo(page, /^Edit Zoe Miller/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('button[aria-label="Edit Zoe Miller"]:focus').waitFor()
    await tabTo(page, /^Delete Zoe Miller/)
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog')
    await question.waitFor()
    await tabTo(page, 'Delete')
    await page.keyboard.press('Enter')
    await page.getByText('No contacts yet').waitFor()
    expect(problems).to.eql([])
  })

  it('should begin each page at its heading', async () => {
    const { page } = await bench.admin('/contacts')
    await tabTo(page, 'Teams')
    await page.keyboard.press('Enter')
    await page.locator('h1:focus', { hasText: 'Teams' }).waitFor()
    await tabTo(page, 'New team')
  })
})
