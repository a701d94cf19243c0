/** What goes wrong around a page does not take the page with it. */
import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { goTo } from './support/clicks.js'
import { ConsoleBench } from './support/console-bench.js'
import { faulty } from './support/page-faults.js'

interface PageFaults {
  tell(event: string, data: object): void
}

describe('Faults around a page of the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench?.stop())

  it('should give up a download that stalls, and say so', async () => {
    const stalling = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      response.write('id\n')
    })
    await once(stalling.listen(0, '127.0.0.1'), 'listening')
    const { port } = stalling.address() as AddressInfo
    const { page } = await bench.admin('/calls')
    await page.clock.install()
    await page.route(/\/calls\/export\.csv/, async (route) =>
      route.continue({ url: `http://127.0.0.1:${port}/calls/export.csv` }),
    )
    const button = page.getByRole('button', { name: 'Export CSV' })
    const begun = page.waitForResponse(/\/calls\/export\.csv/)
    await button.click()
    await begun
    await page.clock.fastForward(31_000)
    await page.clock.fastForward(31_000)
    await page.getByText('The server did not answer in time.').waitFor()
    stalling.closeAllConnections()
    stalling.close()
    await page.unrouteAll()
    const saved = page.waitForEvent('download')
    await button.click()
    expect((await saved).suggestedFilename()).to.equal('calls.csv')
  })

  it('should tell of an event to all that listen, also when one of them fails', async () => {
    const agent = await bench.makeAgent('nora', { is_admin: true })
    const context = await bench.context()
    await faulty(context)
    const { page } = await bench.agent(agent, '/api-keys', context)
    await page.getByRole('link', { name: /^Inbox: / }).waitFor()
    await goTo(page, 'Messages')
    await page.getByText('No messages yet').waitFor()
    const [asked, failed] = [page.waitForRequest('**/api/v1/messages?**'), page.waitForEvent('pageerror')]
    // The inbox cannot make anything of it; the list of messages asks anew.
    await page.evaluate(() =>
      (window as unknown as { faults: PageFaults }).faults.tell('message.received', {}),
    )
    expect((await failed).name).to.equal('TypeError')
    await asked
  })

  it('should not ask whether a form may be left when the skip link is used', async () => {
    const { page } = await bench.admin('/voice-agents/new')
    await page.getByLabel('Name').fill('Reception')
    await page.locator('.jf-skip').focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'content')
    // An address that differs only behind the hash shows the same page.
    await page.evaluate(() => (location.hash = 'content'))
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.goBack()
    expect(await page.getByLabel('Name').inputValue()).to.equal('Reception')
    expect(await question.count()).to.equal(0)
    await page.getByRole('navigation').getByRole('link', { name: 'Calls' }).click()
    await question.waitFor()
  })
})
