/** What phones ask for and the platform does not have: each is told so, with credentials only. */
import { expect } from 'chai'
import { header } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'

const allow = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, PRACK, REFER, NOTIFY, REGISTER'

describe('edge: what is not offered', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let account: Account
  let phone: SipPhone

  before(async () => {
    world = await EdgeWorld.start()
    account = await world.account()
  })
  beforeEach(async () => {
    phone = await SipPhone.open(world.edge.options, account)
  })
  afterEach(() => phone?.close())
  after(async () => world?.stop())

  for (const [what, extra] of [
    ['busy lamps', ['Event: dialog', 'Expires: 300', 'Accept: application/dialog-info+xml']],
    ['message waiting', ['Event: message-summary', 'Accept: application/simple-message-summary']],
    ['presence', ['Event: presence', 'Expires: 0']],
    ['settings of a desk phone', ['Event: as-feature-event']],
    ['no event at all', []],
  ] as const) {
    it(`answers SUBSCRIBE for ${what} with 489, and names the events that there are`, async () => {
      const answer = await phone.authorised('SUBSCRIBE', phone.aor, { extra })
      expect(answer.status, answer.text).to.equal(489)
      expect(header(answer, 'Allow-Events')).to.equal('refer')
    })
  }

  for (const [method, extra] of [
    ['PUBLISH', ['Event: presence', 'Content-Type: application/pidf+xml']],
    ['MESSAGE', ['Content-Type: text/plain']],
  ] as const) {
    it(`answers ${method} with 405, and names the methods that there are`, async () => {
      const answer = await phone.authorised(method, `sip:other@${account.domain}`, { extra, body: 'Hello' })
      expect(answer.status, answer.text).to.equal(405)
      expect(header(answer, 'Allow')).to.equal(allow)
    })
  }

  for (const method of ['SUBSCRIBE', 'PUBLISH', 'MESSAGE']) {
    it(`says nothing of it to ${method} without credentials, or with wrong ones`, async () => {
      expect((await phone.request(method, phone.aor, { extra: ['Event: dialog'] })).status).to.equal(407)
      const other = await SipPhone.open(world.edge.options, { ...account, password: 'wrong' })
      try {
        const answer = await other.authorised(method, other.aor, { extra: ['Event: dialog'] })
        expect(answer.status).to.equal(407)
        expect(answer.text).not.to.match(/^Allow/im)
      } finally {
        other.close()
      }
    })
  }
})
