/** JsSIP and SIP.js in a browser, over WSS through the edge, with a desk phone, and as phones of the same account. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findChromium } from '../support/browser.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { CallRecord } from '../support/call-bench.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'
import { type Library, type WebPhonePage, WebPhonePages } from '../support/web-phone-pages.js'

const deskHz = 500
const browserHz = 900
const besideHz = 1_400
const thirdHz = 1_800

const libraries: readonly [library: Library, name: string, of: 'account' | 'agent'][] = [
  ['jssip', 'JsSIP, the phone of a SIP account,', 'account'],
  ['sipjs', 'SIP.js, the softphone of an agent,', 'agent'],
]

describe('calls with web phones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let pages: WebPhonePages
  let customer: CustomerServer
  let desk: Telephone
  let third: Telephone

  before(async function () {
    if (!(await findFreeswitch()) || !findChromium()) this.skip()
    const [bench, browser] = await Promise.all([
      PhoneBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } }),
      WebPhonePages.start(),
    ])
    phones = bench
    pages = browser
    customer = await CustomerServer.start()
    desk = await phones.phone(await phones.account('desk'), { toneHz: deskHz })
    third = await phones.phone(await phones.account('third'), { toneHz: thirdHz })
  })
  after(async () => {
    await pages?.stop()
    await customer?.stop()
    await phones?.stop()
  })

  const registered = async (library: Library, account: Account): Promise<WebPhonePage> =>
    register(await pages.open(library), account)
  const register = async (page: WebPhonePage, { username, domain }: Account): Promise<WebPhonePage> => {
    const { sipHost, wssPort } = phones.bench.appliance.kamailio!.options
    const uri = `sip:${username}@${domain}`
    const status = await page.does('register', `wss://${sipHost}:${wssPort}`, uri, password, browserHz)
    expect(status).to.equal('registered')
    return page
  }
  const hearsTone = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => Promise.resolve(hears(dialog, hz)),
      (level) => level > 0.8,
      { what: `${hz} Hz are heard` },
    )
  const deskHears = async (dialog: PhoneDialog, does = true) =>
    eventually(
      async () => Promise.resolve(hears(dialog, browserHz) > 0.8),
      (hearing) => hearing === does,
      { what: `the desk ${does ? 'hears' : 'does not hear'} the browser` },
    )
  const ringsAt = async (page: WebPhonePage, had: number) =>
    eventually(
      async () => page.does('called'),
      (count) => count === had + 1,
      { what: 'a web phone that rings' },
    )

  for (const [library, name, of] of libraries) {
    describe(name, () => {
      let page: WebPhonePage
      let account: Account

      before(async () => {
        account = await phones[of](library)
        page = await registered(library, account)
      })
      after(async () => page?.close())

      /** The desk phone calls the browser, which rings. */
      const calledByDesk = async (): Promise<PhoneDialog> => {
        const had = await page.does('called')
        const dialog = desk.call(account.username)
        await ringsAt(page, had)
        return dialog
      }

      it('calls a phone, holds, takes the call back and hangs up', async () => {
        const had = desk.incoming.length
        await page.does('call', `sip:desk@${account.domain}`)
        const dialog = await desk.called(had)
        await page.told('confirmed')
        await deskHears(dialog)
        await page.hears(deskHz)
        await page.holds(true)
        await deskHears(dialog, false)
        await page.holds(false)
        await deskHears(dialog)
        await page.does('hangUp')
        expect(await dialog.over()).to.equal('BYE')
        expect(await phones.lastCall()).to.include({
          status: 'completed',
          hangup_cause: 'NORMAL_CLEARING',
        })
      })

      it('is called over one leg, holds, takes the call back and hangs up', async () => {
        const dialog = await calledByDesk()
        await dialog.heard(180)
        await page.does('answer')
        expect(await dialog.answered()).to.equal(200)
        await deskHears(dialog)
        await page.hears(deskHz)
        await page.holds(true)
        await deskHears(dialog, false)
        await page.holds(false)
        await deskHears(dialog)
        await page.does('hangUp')
        expect(await dialog.over()).to.equal('BYE')
        const { status, legs } = await phones.lastCall()
        expect(status).to.equal('completed')
        const whose = legs.map(({ role, agent_id, sip_account_id }) => [role, agent_id ?? sip_account_id])
        expect(whose.slice(1)).to.deep.equal([['called', account.id]])
      })

      it('is hung up on', async () => {
        const dialog = await calledByDesk()
        await page.does('answer')
        expect(await dialog.answered()).to.equal(200)
        await page.told('confirmed')
        await dialog.hangUp()
        await page.told('over')
      })

      it('hands a call over by its own key (REFER)', async () => {
        const dialog = await calledByDesk()
        await page.does('answer')
        expect(await dialog.answered()).to.equal(200)
        await page.told('confirmed')
        await page.does('refer', `sip:third@${account.domain}`)
        await hearsTone(dialog, thirdHz)
        await page.told('over')
        await dialog.hangUp()
      })

      it('refuses a call, and is given up', async () => {
        const busy = await calledByDesk()
        await page.does('reject')
        expect(await busy.answered()).to.equal(486)
        const dialog = await calledByDesk()
        desk.cancel(dialog)
        await page.told('over')
        expect(await dialog.answered()).to.equal(487)
      })

      it('is called by the API and presses keys, by INFO and in its audio, which count once each', async () => {
        const had = await page.does('called')
        const webhook_url = customer.on(`/${library}`, answering({}))
        const actions = [{ action: 'ivr', params: { max_digits: 4, timeout: 10, webhook_url } }]
        const id = await phones.bench.call(account.username, actions)
        await ringsAt(page, had)
        await page.does('answer')
        await phones.bench.reaches(id, 'started')
        for (const [key, how] of [
          ['1', 'info'],
          ['2', 'rtp'],
          ['*', 'info'],
          ['9', 'rtp'],
        ] as const) {
          await page.does('press', key, how)
          await new Promise((resolve) => setTimeout(resolve, 500))
        }
        const record = await phones.bench.ended(id)
        expect(record.legs).to.have.length(1)
        const timeline = await phones.bench.timeline(id)
        const collected = timeline.filter(({ event }) => event === 'call.ivr_collected')
        expect(collected.map(({ details }) => details)).to.deep.equal([
          { digits: '12*9', status: 'completed' },
        ])
      })
    })
  }

  for (const [library, name] of libraries)
    it(`a page with ${name.split(',')[0]} that is loaded again rings at once; one that is closed or has unregistered does not`, async () => {
      const account = await phones.account(`again${library}`)
      const [first, second] = [await registered(library, account), await pages.open(library)]
      await first.close()
      await register(second, account)
      const given = desk.call(account.username)
      const since = Date.now()
      await ringsAt(second, 0)
      expect(Date.now() - since).to.be.below(2_000)
      desk.cancel(given)
      expect(await given.answered()).to.equal(487)
      await second.does('unregister')
      expect(await desk.call(account.username).answered()).to.equal(480)
      await register(second, account)
      await second.close()
      const closed = Date.now()
      // 408 where the call was on its way before the connection was closed.
      expect(await desk.call(account.username).answered()).to.be.oneOf([480, 408])
      expect(Date.now() - closed).to.be.below(4_500)
    })

  describe('beside a desk phone of the same account', () => {
    let account: Account
    let beside: Telephone
    let page: WebPhonePage

    before(async () => {
      account = await phones.account('both')
      beside = await phones.phone(account, { toneHz: besideHz, onCall: 'ring' })
      page = await registered('sipjs', account)
    })
    after(async () => page?.close())

    afterEach(() => (beside.onCall = 'ring'))

    /** Has a call go to both; returns the desk phone's part in it once both ring. */
    const bothRing = async (begin: () => unknown): Promise<PhoneDialog> => {
      const [had, hadPage] = [beside.incoming.length, await page.does('called')]
      await begin()
      const [dialog] = await Promise.all([beside.called(had), ringsAt(page, hadPage)])
      return dialog
    }
    const bothRingForDesk = async (): Promise<[caller: PhoneDialog, rung: PhoneDialog]> => {
      let caller: PhoneDialog | undefined
      const rung = await bothRing(() => (caller = desk.call('both')))
      return [caller!, rung]
    }
    const bothRingForApi = async (): Promise<[id: string, rung: PhoneDialog]> => {
      let id = ''
      const actions = [{ action: 'tts', params: { text: 'Thank you for calling.' } }]
      const rung = await bothRing(async () => (id = await phones.bench.call('both', actions)))
      return [id, rung]
    }
    const endsOf = ({ legs }: CallRecord) =>
      legs
        .filter(({ role }) => role === 'called')
        .map(({ hangup_cause }) => hangup_cause)
        .sort()
    const elsewhere = /^SIP;\s*cause=200/
    const isToldElsewhere = async (dialog: PhoneDialog) => {
      expect(await dialog.over()).to.equal('CANCEL')
      const cancel = dialog.received.find((text) => text.startsWith('CANCEL ')) ?? ''
      expect(header({ text: cancel }, 'Reason')).to.match(elsewhere)
    }

    it('both ring for a phone’s call; where the browser answers, the other shows no missed call', async () => {
      const [caller, rung] = await bothRingForDesk()
      await caller.heard(180)
      await page.does('answer')
      expect(await caller.answered()).to.equal(200)
      await isToldElsewhere(rung)
      await deskHears(caller)
      await page.hears(deskHz)
      await caller.hangUp()
      expect(endsOf(await phones.lastCall())).to.deep.equal(['LOSE_RACE', 'NORMAL_CLEARING'])
    })

    it('both ring for a phone’s call; where the desk phone answers, the browser shows no missed call', async () => {
      beside.onCall = 'answer'
      const [caller] = await bothRingForDesk()
      expect(await caller.answered()).to.equal(200)
      await page.told('over')
      expect(await page.does('reason')).to.match(elsewhere)
      await hearsTone(caller, besideHz)
      await caller.hangUp()
      expect(endsOf(await phones.lastCall())).to.deep.equal(['LOSE_RACE', 'NORMAL_CLEARING'])
    })

    it('both ring for a call of the API; where the browser answers, the other shows no missed call', async () => {
      const [id, rung] = await bothRingForApi()
      await page.does('answer')
      await isToldElsewhere(rung)
      await page.told('confirmed')
      const record = await phones.bench.ended(id)
      expect(record.status).to.equal('completed')
      expect(endsOf(record)).to.deep.equal(['LOSE_RACE', 'NORMAL_CLEARING'])
    })

    it('both ring for a call of the API; where the browser is busy, the desk phone rings on, and may answer', async () => {
      const [id, rung] = await bothRingForApi()
      await page.does('reject')
      await page.told('over')
      beside.accept(rung)
      const record = await phones.bench.ended(id)
      expect(record.status).to.equal('completed')
      expect(endsOf(record)).to.deep.equal(['NORMAL_CLEARING', 'USER_BUSY'])
    })

    it('one that is busy leaves the other ringing; two that are busy are busy for the caller', async () => {
      beside.onCall = 486
      const [caller] = await bothRingForDesk()
      expect(await page.does('has', 'over')).to.equal(false)
      await page.does('reject')
      expect(await caller.answered()).to.equal(486)
      expect(endsOf(await phones.lastCall())).to.deep.equal(['USER_BUSY', 'USER_BUSY'])
    })

    it('one that declines for its user (603) ends the other’s ringing', async () => {
      beside.onCall = 603
      const [caller] = await bothRingForDesk()
      expect(await caller.answered()).to.equal(603)
      await page.told('over')
    })

    for (const [what, status] of [
      ['forwards its calls (302)', 302],
      ['wants another offer (488)', 488],
    ] as const) {
      it(`what one asks for that ${what} is done once the browser has refused, too`, async () => {
        beside.onCall = status
        beside.says = [`Contact: <sip:third@${account.domain}>`]
        const [caller, refused] = await bothRingForDesk()
        beside.onCall = 'answer'
        await page.does('reject')
        expect(await caller.answered()).to.equal(200)
        await hearsTone(caller, status === 302 ? thirdHz : besideHz)
        expect(refused.endedBy).to.equal(String(status))
        await caller.hangUp()
        beside.says = []
      })
    }

    it('both ring on while the server is dead, and the one that answers has the call, then or later', async () => {
      const [caller, rung] = await bothRingForDesk()
      const id = await phones.lastCallIs('ringing')
      let later: PhoneDialog | undefined
      const rungLater = await bothRing(() => (later = third.call('both')))
      const laterId = await phones.lastCallIs('ringing')
      const { appliance } = phones.bench
      await appliance.killServer()
      beside.accept(rung)
      expect(await caller.answered()).to.equal(200)
      await appliance.startServer()
      beside.accept(rungLater)
      expect(await later!.answered()).to.equal(200)
      await page.told('over')
      await Promise.all([phones.bench.reaches(id, 'active'), phones.bench.reaches(laterId, 'active')])
      await Promise.all([hearsTone(caller, besideHz), hearsTone(later!, besideHz)])
      await Promise.all([caller.hangUp(), later!.hangUp()])
      for (const record of [await phones.bench.ended(id), await phones.bench.ended(laterId)]) {
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(endsOf(record)).to.deep.equal(['LOSE_RACE', 'NORMAL_CLEARING'])
      }
    })

    it('both are given up with their caller', async () => {
      const [caller, rung] = await bothRingForDesk()
      desk.cancel(caller)
      expect(await caller.answered()).to.equal(487)
      await page.told('over')
      expect(await rung.over()).to.equal('CANCEL')
    })
  })
})
