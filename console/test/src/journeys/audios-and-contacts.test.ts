import { expect } from 'chai'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('Audios and contacts in the console', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should speak a text, play it, rename it and delete it', async () => {
    const { page, problems } = await bench.admin('/audios')
    await page.getByText('No audios yet').waitFor()
    await page.getByRole('button', { name: 'New audio' }).first().click()
    const form = page.getByRole('dialog', { name: 'New audio' })
    await form.getByLabel(/^Title/).fill('Greeting')
    await form.getByLabel(/^Text/).last().fill('Welcome to Acme.')
    await looksGood(page, 'audio-new')
    await form.getByRole('button', { name: 'New audio' }).click()
    await page.getByRole('table').getByText('Welcome to Acme.').waitFor()
    await looksGood(page, 'audios')
    await page.getByRole('button', { name: 'Listen to Greeting' }).click()
    const player = page.locator('audio')
    await page.waitForFunction(() => (document.querySelector('audio')?.duration ?? 0) > 0.3)
    await player.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Greeting' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Title/)
      .fill('Hello')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Delete Hello' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No audios yet').waitFor()
    expect(problems).to.eql([])
  })

  it('should keep contacts, and say which number is none', async () => {
    const { page } = await bench.admin('/contacts')
    await page.getByText('No contacts yet').waitFor()
    await page.getByRole('button', { name: 'New contact' }).first().click()
    const form = page.getByRole('dialog', { name: 'New contact' })
    await form.getByLabel(/^Name/).fill('Zoe')
    await form.getByLabel(/^Number 1/).fill('+1 202 555 0142')
    await form.getByRole('button', { name: 'One more number' }).click()
    await form.getByLabel(/^Number 2/).fill('nonsense')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.locator('[data-path="numbers.1"][aria-invalid="true"]').waitFor()
    await form.getByLabel(/^Number 2/).fill('+4930901820')
    await looksGood(page, 'contact-new')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table').getByText('+12025550142').waitFor()
    await looksGood(page, 'contacts')
    await page.getByRole('button', { name: 'Delete Zoe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No contacts yet').waitFor()
  })
})
