/** What opens above or beside every page. */
import { expect } from 'chai'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'

describe('The frame of every page', function () {
  this.timeout(120_000)
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should have menus, a search for pages and notices that everybody can use', async () => {
    const agent = await bench.makeAgent('bela', { role: 'supervisor', is_admin: true })
    const { page, problems } = await bench.agent(agent, '/teams')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await looksGood(page, 'account-menu')
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
    await page.locator('html[lang="de"]').waitFor({ state: 'attached' })
    await page.getByRole('menuitemradio', { name: 'Dunkel' }).click()
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    await page.reload()
    await page.locator('html[lang="de"][data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Konto' }).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.keyboard.press('Escape')
    await page.locator('button[aria-label="Account"]:focus').waitFor()

    await page.getByRole('button', { name: /^Your state/ }).click()
    await page.getByRole('menuitemradio').first().waitFor()
    await looksGood(page, 'presence-menu')
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Find anything' }).waitFor()
    await looksGood(page, 'page-search-open')
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })

    // Sections of the menu fold, and all of it: for good, and only for this person.
    await page.goto(`${bench.url}/teams`)
    const menu = page.getByRole('navigation')
    const entry = menu.getByRole('link', { name: 'Voice agents' })
    const section = menu.getByRole('button', { name: 'Automation' })
    await section.click()
    await entry.waitFor({ state: 'detached' })
    await menu.getByRole('button', { name: 'People' }).click()
    await menu.getByRole('link', { name: 'Agents', exact: true }).waitFor({ state: 'detached' })
    await menu.getByRole('link', { name: 'Teams', exact: true }).first().waitFor()
    await looksGood(page, 'menu-sections')
    await section.click()
    await entry.waitFor()
    const main = page.getByRole('main')
    const room = (await main.getByRole('heading', { level: 1 }).boundingBox())!.x
    await page.keyboard.press('Alt+Shift+B')
    await menu.getByRole('button', { name: 'Unfold the menu' }).waitFor()
    await page.reload()
    await entry.hover()
    await page.getByRole('tooltip', { name: 'Voice agents' }).waitFor()
    await page.mouse.move(640, 600)
    await page.getByRole('tooltip', { name: 'Voice agents' }).waitFor({ state: 'detached' })
    await looksGood(page, 'menu-rail')
    expect((await main.getByRole('heading', { level: 1 }).boundingBox())!.x).to.be.below(room - 150)
    await menu.getByRole('button', { name: 'Unfold the menu' }).click()
    await menu.getByRole('button', { name: 'Fold the menu' }).waitFor()

    await page.goto(`${bench.url}/teams`)
    await page.getByRole('button', { name: 'New team' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Sales')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').first().waitFor()
    // Clicks go through the notice, but for its cross; it stays while the mouse is there.
    await page.getByRole('alert').first().getByRole('button').hover()
    await looksGood(page, 'notice')
    expect(problems).to.eql([])
  })
})
