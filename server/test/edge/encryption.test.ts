/** Which offer phones and carriers get of a switch that leaves encryption open: both streams never reach one far end. */
import { expect } from 'chai'
import { type Transport } from '../support/sip-link.js'
import { type Answer, SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'

const streams = {
  'RTP/SAVP':
    'm=audio 20000 RTP/SAVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n',
  'RTP/AVP': 'm=audio 20000 RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n',
}
type Profile = keyof typeof streams

const offerOf = (...profiles: Profile[]) =>
  ['v=0', 'o=switch 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0', ''].join('\r\n') +
  profiles.map((profile) => streams[profile]).join('')

describe('edge: offers of encrypted and plain media', function () {
  this.timeout(20_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let phones: SipPhone[] = []

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
  })
  afterEach(() => {
    for (const phone of phones) phone.close()
    phones = []
  })
  after(async () => {
    fabric?.close()
    const { obituary } = world.edge
    await world?.stop()
    expect(obituary).to.equal(undefined)
  })

  /** A phone that refuses all offers but those with this profile. */
  const registered = async (account: Account, transport: Transport, takes: Profile, status = 488) => {
    const phone = await SipPhone.open(world.edge.options, { ...account, transport })
    phones.push(phone)
    expect((await phone.register()).status).to.equal(200)
    phone.answerTo = (request) =>
      request.startsWith('INVITE') && !request.includes(` ${takes} `)
        ? phone.reply(request, status, 'Not Acceptable Here')
        : phone.reply(request, 200, 'OK')
    return phone
  }
  const ring = async (account: Account, offer: string): Promise<Answer> => {
    const aor = `sip:${account.username}@${account.domain}`
    const { privateHost, privatePort } = world.edge.options
    return fabric.request('INVITE', aor, {
      to: aor,
      extra: [
        `Route: <sip:${privateHost}:${privatePort};lr>`,
        ...['X-Edge-Destination: account', 'X-Edge-Class: sip', 'Content-Type: application/sdp'],
      ],
      body: offer,
    })
  }
  const bodies = (phone: SipPhone) =>
    phone.requests
      .filter((text) => text.startsWith('INVITE'))
      .map((text) => text.slice(text.indexOf('\r\n\r\n') + 4))

  const both = offerOf('RTP/SAVP', 'RTP/AVP')

  for (const [transport, takes, offers] of [
    ['udp', 'RTP/AVP', ['RTP/AVP', 'RTP/AVP', 'RTP/AVP']],
    ['udp', 'RTP/SAVP', ['RTP/AVP', 'RTP/SAVP', 'RTP/SAVP']],
    ['tcp', 'RTP/AVP', ['RTP/AVP', 'RTP/AVP', 'RTP/AVP']],
    ['tls', 'RTP/SAVP', ['RTP/SAVP', 'RTP/SAVP', 'RTP/SAVP']],
    ['tls', 'RTP/AVP', ['RTP/SAVP', 'RTP/AVP', 'RTP/AVP']],
  ] as const) {
    it(`over ${transport}: a phone that takes ${takes} is offered ${offers.join(', then ')}`, async () => {
      const account = await world.account()
      const phone = await registered(account, transport, takes)
      for (const profile of offers)
        expect((await ring(account, both)).status).to.equal(profile === takes ? 200 : 488)
      expect(bodies(phone)).to.deep.equal(offers.map((profile) => offerOf(profile)))
    })
  }

  for (const [status, learns] of [
    [415, true],
    [606, true],
    [486, false],
    [603, false],
  ] as const) {
    it(`${learns ? 'offers the other kind' : 'changes nothing'} after ${status}`, async () => {
      const account = await world.account()
      const phone = await registered(account, 'udp', 'RTP/SAVP', status)
      expect((await ring(account, both)).status).to.equal(status)
      expect((await ring(account, both)).status).to.equal(learns ? 200 : status)
      expect(bodies(phone)[1]).to.equal(offerOf(learns ? 'RTP/SAVP' : 'RTP/AVP'))
    })
  }

  it('comes back to the first kind when both are refused', async () => {
    const account = await world.account()
    const phone = await registered(account, 'udp', 'RTP/SAVP')
    phone.answerTo = (request) => phone.reply(request, 488, 'Not Acceptable Here')
    for (let call = 0; call < 3; call++) expect((await ring(account, both)).status).to.equal(488)
    const [first, second, third] = bodies(phone)
    expect([first, second, third]).to.deep.equal([
      offerOf('RTP/AVP'),
      offerOf('RTP/SAVP'),
      offerOf('RTP/AVP'),
    ])
  })

  it('offers encryption to a phone over UDP that has called with it', async () => {
    const account = await world.account()
    const phone = await registered(account, 'udp', 'RTP/SAVP')
    const called = await phone.authorised('INVITE', `sip:100@${account.domain}`, {
      extra: ['Content-Type: application/sdp'],
      body: offerOf('RTP/SAVP'),
    })
    expect(called.status).to.equal(200)
    expect((await ring(account, both)).status).to.equal(200)
    expect(bodies(phone)).to.deep.equal([offerOf('RTP/SAVP')])
  })

  it('offers each phone of an account what suits it, in one call', async () => {
    const account = await world.account()
    const strict = await registered(account, 'udp', 'RTP/SAVP')
    expect((await ring(account, both)).status).to.equal(488)
    const desk = await registered(account, 'udp', 'RTP/AVP')
    const mobile = await registered(account, 'tls', 'RTP/SAVP')
    for (const phone of [strict, desk])
      phone.answerTo = (request) =>
        request.startsWith('INVITE') ? phone.reply(request, 180, 'Ringing') : phone.reply(request, 200, 'OK')
    mobile.answerTo = (request) => {
      if (!request.startsWith('INVITE')) return mobile.reply(request, 200, 'OK')
      setTimeout(() => mobile.link.send(mobile.reply(request, 200, 'OK')), 500)
      return mobile.reply(request, 180, 'Ringing')
    }
    expect((await ring(account, both)).status).to.equal(200)
    expect(bodies(desk)).to.deep.equal([offerOf('RTP/AVP')])
    expect(bodies(mobile)).to.deep.equal([offerOf('RTP/SAVP')])
    expect(bodies(strict)).to.deep.equal([offerOf('RTP/AVP'), offerOf('RTP/SAVP')])
  })

  for (const [transport, profile] of [
    ['tls', 'RTP/AVP'],
    ['udp', 'RTP/SAVP'],
  ] as const) {
    it(`leaves an offer of ${profile} alone as it is over ${transport}`, async () => {
      const account = await world.account()
      const phone = await registered(account, transport, profile)
      expect((await ring(account, offerOf(profile))).status).to.equal(200)
      phone.answerTo = (request) => phone.reply(request, 488, 'Not Acceptable Here')
      expect((await ring(account, offerOf(profile))).status).to.equal(488)
      expect(bodies(phone)).to.deep.equal([offerOf(profile), offerOf(profile)])
    })
  }
})
