/** JsSIP in a browser, over WSS through the edge, with a desk phone. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { JssipPage } from '../support/jssip-page.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const deskHz = 500
const browserHz = 900

describe('calls with JsSIP on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let desk: Telephone
  let account: Account
  let page: JssipPage

  before(async function () {
    if (!(await findFreeswitch()) || !findChromium()) this.skip()
    phones = await PhoneBench.start()
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
    account = await phones.account('web')
    page = await JssipPage.start()
  })
  after(async () => {
    await page?.stop()
    await phones?.stop()
  })

  const told = async (event: string) =>
    eventually(
      async () => page.does('has', event),
      (has) => has,
      { what: `${event} at JsSIP` },
    )
  const holds = async (on: boolean) =>
    eventually(
      async () => page.does('hold', on),
      (could) => could,
      { what: on ? 'hold' : 'taking back' },
    )
  const deskHearsIt = async (dialog: PhoneDialog, does: boolean) =>
    eventually(
      async () => Promise.resolve(hears(dialog, browserHz) > 0.8),
      (hearing) => hearing === does,
      { what: `the desk ${does ? 'hears' : 'does not hear'} the browser` },
    )

  it('registers over WSS, calls a phone, holds, takes the call back and hangs up', async () => {
    const { sipHost, wssPort } = phones.bench.appliance.kamailio!.options
    const { username, domain } = account
    const wss = `wss://${sipHost}:${wssPort}`
    expect(await page.does('register', wss, `sip:${username}@${domain}`, password, browserHz)).to.equal(
      'registered',
    )
    await page.does('call', `sip:desk@${domain}`)
    const dialog = await desk.called(0)
    await told('confirmed')
    await deskHearsIt(dialog, true)
    await eventually(
      async () => page.does('loudest'),
      (hz) => hz !== null && Math.abs(hz - deskHz) < 20,
      { what: 'the browser hears the desk' },
    )
    await holds(true)
    await told('hold')
    await deskHearsIt(dialog, false)
    await holds(false)
    await told('unhold')
    await deskHearsIt(dialog, true)
    await page.does('hangUp')
    expect(await dialog.over()).to.equal('BYE')
    expect(await phones.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
  })
})
