import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import { transports, type Transport } from '../support/sip-link.js'
import { header } from '../support/sip-message.js'
import { type Answer, SipPhone, type PhoneOptions } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'
import { xHeadersOf } from './calls.js'

describe('edge: calls of phones', function () {
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
    fabric.requests.length = 0
  })
  after(async () => {
    fabric?.close()
    const { obituary } = world.edge
    await world?.stop()
    expect(obituary).to.equal(undefined)
  })

  const open = async (options: PhoneOptions): Promise<SipPhone> => {
    const phone = await SipPhone.open(world.edge.options, options)
    phones.push(phone)
    return phone
  }
  const registered = async (account: Account, transport: Transport): Promise<SipPhone> => {
    const phone = await open({ ...account, transport })
    expect((await phone.register()).status).to.equal(200)
    return phone
  }
  const ring = async (account: Account, extra: string[] = []): Promise<Answer> => {
    const aor = `sip:${account.username}@${account.domain}`
    const { privateHost, privatePort } = world.edge.options
    return fabric.request('INVITE', aor, {
      to: aor,
      extra: [`Route: <sip:${privateHost}:${privatePort};lr>`, 'X-Edge-Destination: account', ...extra],
    })
  }
  const methods = (phone: SipPhone): string[] => phone.requests.map((text) => text.split(' ', 1)[0] ?? '')
  const saw = async (phone: SipPhone, wanted: string[]): Promise<void> => {
    await eventually(
      async () => Promise.resolve(methods(phone)),
      (seen) => seen.length >= wanted.length,
      {
        withinMs: 2000,
        what: wanted.join(', '),
      },
    )
    expect(methods(phone)).to.deep.equal(wanted)
  }

  const hidden = (domain: string): [title: string, from: string | undefined, extra: string[]][] => [
    [
      'an anonymous From and P-Preferred-Identity',
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
      [`P-Preferred-Identity: <sip:USER@${domain}>`, 'Privacy: id'],
    ],
    ['an anonymous From alone', '"Anonymous" <sip:anonymous@anonymous.invalid>', []],
    ['an anonymous user of its own domain', `"Anonymous" <sip:anonymous@${domain}>`, ['Privacy: id']],
    ['Privacy: id', undefined, ['Privacy: id']],
    ['Privacy: header;user', undefined, ['Privacy: header;user']],
    ['a private Remote-Party-ID', undefined, [`Remote-Party-ID: <sip:USER@${domain}>;privacy=full`]],
  ]
  for (const [index, [title]] of hidden('').entries()) {
    it(`tells the switch who calls, and that they hide it, with ${title}`, async () => {
      const account = await world.account()
      const phone = await open(account)
      const [, from, extra = []] = hidden(account.domain)[index] ?? []
      const answer = await phone.authorised('INVITE', `sip:100@${account.domain}`, {
        to: `sip:100@${account.domain}`,
        ...(from && { from }),
        extra: extra.map((line) => line.replace('USER', account.username)),
      })
      expect(answer.status, answer.text).to.equal(200)
      const [invite = ''] = fabric.requests
      expect(xHeadersOf(invite)).to.include.members([
        `X-Edge-Account: ${account.id}`,
        `X-Edge-Workspace: ${account.workspace}`,
        'X-Edge-Privacy: id',
      ])
      expect(invite).not.to.match(/^(Privacy|P-Preferred-Identity|Remote-Party-ID):/im)
    })
  }

  it('takes no anonymous call with a wrong password, or of another’s digest', async () => {
    const account = await world.account()
    const phone = await open({ ...account, password: 'wrong' })
    const answer = await phone.authorised('INVITE', `sip:100@${account.domain}`, {
      to: `sip:100@${account.domain}`,
      from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
    })
    expect(answer.status).to.equal(407)
    const other = await world.account()
    const spoof = await open(other)
    const second = await spoof.authorised('INVITE', `sip:100@${account.domain}`, {
      to: `sip:100@${account.domain}`,
      from: `<sip:${account.username}@${account.domain}>`,
    })
    expect(second.status).to.equal(407)
    expect(fabric.requests).to.deep.equal([])
  })

  for (const transport of transports) {
    it(`brings a call from a phone over ${transport} to the switch, and both ends’ requests along it`, async () => {
      const account = await world.account()
      const phone = await open({ ...account, transport, algorithm: 'SHA-256' })
      const answer = await phone.authorised('INVITE', `sip:100@${account.domain}`, {
        to: `sip:100@${account.domain}`,
        extra: [
          'X-Edge-Account: si_forged',
          'X-Edge-Source: trunk',
          'X-Edge-Sent: 1',
          'X-Jackfield-Call: x',
          'P-Asserted-Identity: <sip:911@x>',
        ],
      })
      expect(answer.status, answer.text).to.equal(200)
      const [invite = ''] = fabric.requests
      expect(invite).to.match(new RegExp(`^INVITE sip:100@${account.domain} `))
      // Before all that the phone wrote: the switch takes the first of a name.
      const [first = ''] = invite.split('\r\nVia: ')
      const own = [
        'X-Edge-Source: account',
        `X-Edge-Account: ${account.id}`,
        `X-Edge-Workspace: ${account.workspace}`,
        'X-Edge-Sent: now',
      ]
      expect(xHeadersOf(first)).to.deep.equal(own)
      expect(xHeadersOf(invite)).to.deep.equal(own)
      expect(invite).not.to.match(/^(Proxy-Authorization|P-Asserted-Identity)/im)

      const ours = SipDialog.calling(phone, answer)
      await ours.acknowledge()
      await saw(fabric, ['INVITE', 'ACK'])
      expect((await ours.request('INVITE')).status).to.equal(200)
      await saw(fabric, ['INVITE', 'ACK', 'INVITE', 'ACK'])
      expect((await SipDialog.called(fabric, invite).request('INVITE')).status).to.equal(200)
      await saw(phone, ['INVITE', 'ACK'])
      expect((await ours.request('BYE')).status).to.equal(200)
      await saw(fabric, ['INVITE', 'ACK', 'INVITE', 'ACK', 'BYE'])
    })

    it(`rings a phone over ${transport}, and carries both ends’ requests`, async () => {
      const account = await world.account()
      const phone = await registered(account, transport)
      const answer = await ring(account, ['X-Jackfield-Call: call_1'])
      expect(answer.status, answer.text).to.equal(200)
      const [invite = ''] = phone.requests
      expect(invite).not.to.match(/^X-/im)

      const calling = SipDialog.calling(fabric, answer)
      await calling.acknowledge()
      await saw(phone, ['INVITE', 'ACK'])
      expect((await calling.request('INVITE')).status).to.equal(200)
      await saw(phone, ['INVITE', 'ACK', 'INVITE', 'ACK'])
      expect((await SipDialog.called(phone, invite).request('INVITE')).status).to.equal(200)
      await saw(fabric, ['INVITE', 'ACK'])
      expect((await calling.request('BYE')).status).to.equal(200)
      await saw(phone, ['INVITE', 'ACK', 'INVITE', 'ACK', 'BYE'])
    })
  }

  it('carries a phone’s BYE of a call that it was called for', async () => {
    const account = await world.account()
    const phone = await registered(account, 'tcp')
    await ring(account)
    expect((await SipDialog.called(phone, phone.requests[0] ?? '').request('BYE')).status).to.equal(200)
    await saw(fabric, ['BYE'])
  })

  it('rings a phone where it registered from, whatever its Contact names', async () => {
    const { privateHost, privatePort, sipDomain } = world.edge.options
    for (const contact of [
      `sip:x@acme.${sipDomain};edge=127.0.0.44:9`,
      `sip:x@acme.${sipDomain};maddr=${privateHost};alias=127.0.0.44~9~1;transport=udp;lr`,
      `sip:x@${privateHost}:${privatePort}`,
      'sips:x@127.0.0.44',
    ]) {
      const account = await world.account()
      const phone = await open(account)
      const extra = [`Contact: <${contact}>`]
      expect((await phone.authorised('REGISTER', `sip:${account.domain}`, { extra })).status).to.equal(200)
      expect((await ring(account)).status, contact).to.equal(200)
      expect(phone.requests[0]).to.include(`INVITE ${contact} SIP/2.0`)
    }
  })

  it('answers 480 when nobody is registered', async () => {
    expect((await ring(await world.account())).status).to.equal(480)
  })

  it('rings all phones of an account at once', async () => {
    const account = await world.account()
    const three = [
      await registered(account, 'udp'),
      await registered(account, 'tls'),
      await registered(account, 'wss'),
    ]
    for (const phone of three) phone.answerTo = (request) => phone.reply(request, 486, 'Busy Here')
    expect((await ring(account)).status).to.equal(486)
    for (const phone of three) await saw(phone, ['INVITE', 'ACK'])
  })

  it('rings only desk phones, or only browsers, when told', async () => {
    const account = await world.account()
    const [desk, browser] = [await registered(account, 'udp'), await registered(account, 'ws')]
    expect((await ring(account, ['X-Edge-Class: sip'])).status).to.equal(200)
    expect(methods(browser)).to.deep.equal([])
    expect((await ring(account, ['X-Edge-Class: webrtc'])).status).to.equal(200)
    expect(methods(browser)).to.deep.equal(['INVITE'])
    desk.close()
    phones = phones.filter((phone) => phone !== desk)
    const other = await world.account()
    await registered(other, 'ws')
    expect((await ring(other, ['X-Edge-Class: sip'])).status).to.equal(480)
  })

  it('lets nobody call without the right password', async () => {
    const account = await world.account()
    const stranger = await open({ ...account, password: 'wrong', host: '127.0.0.41' })
    const uri = `sip:100@${account.domain}`
    expect((await stranger.request('INVITE', uri)).status).to.equal(407)
    for (let tries = 0; tries < 8; tries++) {
      expect((await stranger.authorised('INVITE', uri)).status).to.equal(407)
    }
    expect((await stranger.authorised('INVITE', uri)).status).to.equal(403)
    expect(fabric.requests).to.deep.equal([])
  })

  it('lets nobody take over a call, or register for another', async () => {
    const [account, victim] = [await world.account(), await world.account()]
    const phone = await open(account)
    const uri = `sip:100@${account.domain}`
    const extra = ['Replaces: one@two;to-tag=1;from-tag=2']
    expect((await phone.authorised('INVITE', uri, { to: uri, extra })).status).to.equal(481)
    const to = `sip:${victim.username}@${victim.domain}`
    expect((await phone.authorised('REGISTER', `sip:${account.domain}`, { to })).status).to.equal(403)
    expect(await world.registrations(victim.username)).to.deep.equal([])
    expect(fabric.requests).to.deep.equal([])
  })

  it('lets nobody call in another’s name', async () => {
    const [account, victim] = [await world.account(), await world.account()]
    const phone = await open({ ...account, host: '127.0.0.42' })
    const first = await phone.request('INVITE', `sip:100@${account.domain}`)
    expect(header(first, 'Proxy-Authenticate')).to.match(/^Digest realm=/)
    const other = await open({ ...victim, password: account.password, host: '127.0.0.42' })
    expect((await other.authorised('INVITE', `sip:100@${account.domain}`)).status).to.equal(407)
    expect(fabric.requests).to.deep.equal([])
  })
})
