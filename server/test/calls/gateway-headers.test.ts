/** What a gateway's carrier wants of From, Contact, the request URI, numbers and codecs, at the wire. */
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch, hasModule } from '../support/freeswitch.js'
import { g722Alone, g722Type, hearsWide, wideTone } from '../support/g722.js'
import { InboundBench } from '../support/inbound-bench.js'
import { PhoneBench } from '../support/phone-bench.js'
import { header, headers } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

describe('headers that a gateway asks for, on the freeswitch', function () {
  this.timeout(60_000)
  let bench: CallBench
  let gateway: string
  let calls = 0

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await CallBench.start('freeswitch')
    gateway = (await bench.api.get('/sip-trunks/gateways')).body.data[0].id
  })
  after(async () => bench?.stop())

  /** What the carrier receives of a call over the gateway with these settings. */
  async function received(settings: object, to = '+12025550101') {
    const unset = {
      ...{ from_user: null, from_domain: null, contact_host: null, request_domain: null },
      ...{ country: '', number_format: 'plus', number_prefix: '', caller_number_format: 'plus' },
    }
    const saved = await bench.api.patch(`/sip-trunks/gateways/${gateway}`, { ...unset, ...settings })
    expect(saved.status, JSON.stringify(saved.body)).to.equal(200)
    const name = `call ${(calls += 1)}`
    await bench.ended(await bench.call(to, [], { from: { number: '+12025550199', name } }))
    return (await bench.carrier!.messages()).filter(
      ({ text, direction, status }) => direction === 'received' && status === 0 && text.includes(name),
    )
  }

  it('name its user, domains and host, and the caller in P-Asserted-Identity', async () => {
    const messages = await received({
      ...{ from_user: 'acme-trunk', from_domain: 'acme.example' },
      ...{ contact_host: 'sbc.acme.example', request_domain: 'carrier.example' },
    })
    const [invite] = messages
    expect(invite!.text).to.match(/^INVITE sip:\+12025550101@carrier\.example SIP/)
    expect(header(invite!, 'From')).to.match(/^"call \d+" <sip:acme-trunk@acme\.example>;tag=/)
    expect(header(invite!, 'To')).to.equal('<sip:+12025550101@carrier.example>')
    expect(header(invite!, 'P-Asserted-Identity')).to.equal('<sip:+12025550199@acme.example>')
    for (const { text } of messages) {
      expect(text).not.to.match(/^X-/im)
      for (const contact of headers({ text }, 'Contact'))
        expect(contact).to.match(/^<sip:[0-9a-f]{24}-c\w+@sbc\.acme\.example:\d+>$/)
    }
  })

  for (const [settings, to, called, caller] of [
    [
      { number_format: 'digits', caller_number_format: 'digits' },
      '+12025550101',
      '12025550101',
      '12025550199',
    ],
    [
      { number_format: 'national', caller_number_format: 'national' },
      ...['+12025550101', '2025550101', '2025550199'],
    ],
    [{ number_format: 'national', country: 'GB' }, '+12025550101', '+12025550101', '+12025550199'],
    [{ number_format: 'international_011' }, '+12025550101', '01112025550101', '+12025550199'],
    [{ number_format: 'international_00' }, '+12025550101', '0012025550101', '+12025550199'],
    [
      { number_format: 'prefix', number_prefix: '1001#' },
      ...['+12025550101', '1001%2312025550101', '+12025550199'],
    ],
    [{ number_format: 'prefix', number_prefix: '*77' }, '+12025550101', '*7712025550101', '+12025550199'],
  ] as [object, string, string, string][])
    it(`write numbers with ${JSON.stringify(settings)} as ${called} and ${caller}`, async () => {
      const [invite] = await received(settings, to)
      expect(invite!.text).to.match(/^INVITE sip:/)
      expect(invite!.text.slice('INVITE sip:'.length).split('@')[0]).to.equal(called)
      expect(header(invite!, 'From')).to.include(`<sip:${caller}@`)
      expect(header(invite!, 'P-Asserted-Identity')).to.include(`<sip:${caller}@`)
    })

  it('refuse calls whose number in From is no longer verified', async () => {
    const saved = await bench.api.patch(`/sip-trunks/gateways/${gateway}`, { from_user: '+12025550199' })
    expect(saved.status).to.equal(200)
    const national = '2025550177'
    const other = await bench.connectNumber(national, [bench.healthyUri(1)])
    await bench.api.patch(`/phone-numbers/${other}`, { outbound_gateway_id: gateway })
    const operator = bench.appliance.operator
    const path = `/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}`
    const unverified = await operator.patch(path, { is_verified: false })
    expect(unverified.status, JSON.stringify(unverified.body)).to.equal(200)
    const id = await bench.call('+12025550101', [], { from: { number: `+1${national}` } })
    expect((await bench.ended(id)).legs).to.deep.equal([])
    const ended = (await bench.timeline(id)).find(({ event }) => event === 'call.ended')
    expect(ended?.details).to.include({ reason: 'number_unverified' })
  })

  describe('of a call that came in and is handed on', () => {
    const target = '+12025550103'
    let inbound: InboundBench
    let callers = 0

    before(async () => {
      inbound = InboundBench.on(bench)
      const number = `/workspaces/${bench.workspace.id}/phone-numbers/${bench.numberId}`
      expect((await bench.appliance.operator.patch(number, { is_verified: true })).status).to.equal(200)
      await inbound.runs([{ id: 'on', type: 'to_operator', params: { phone_number: target } }])
    })

    /** The carrier's INVITE of a call that somebody makes with these headers, and its record. */
    async function handedOn(settings: object, said: Record<string, string>, username = '+12125550123') {
      const asOperator = bench.appliance.operator.with({ host: `${bench.workspace.id}.localhost` })
      const unset = {
        from_user: null,
        from_domain: null,
        number_format: 'plus',
        caller_number_format: 'plus',
      }
      const plain = { forwarded_calls: 'none', forwarded_caller: 'own' }
      const path = `/sip-trunks/gateways/${gateway}`
      const saved = await asOperator.patch(path, { ...unset, ...plain, ...settings })
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200)
      const known = (await bench.carrier!.messages()).length
      const phone = await inbound.caller({ headers: said, username, displayName: `caller ${(callers += 1)}` })
      await phone.call(inbound.number).answered()
      const invites = (await bench.carrier!.messages())
        .slice(known)
        .filter(
          ({ direction, status, method }) => direction === 'received' && status === 0 && method === 'INVITE',
        )
      const [record] = (await bench.api.get('/calls?limit=1')).body.data
      return { invite: invites[0]!, record }
    }
    const domain = () => bench.appliance.kamailio!.options.sipHost
    const forwarded = {
      Diversion:
        '"Desk, old" <sip:+12125550177@pbx.test;user=phone>;reason=no-answer;counter=1;screen=yes, <tel:+12125550178>;reason=user-busy;privacy=full',
    }
    const asHistory = {
      'History-Info':
        '<sip:+12125550178@a.test?Privacy=history>;index=1, <sip:+12125550177@a.test;cause=486>;index=1.1, <sip:+12025550199@b.test;cause=408>;index=1.1.1',
    }

    it('say nothing of who called and forwarded by default, and its record does', async () => {
      for (const said of [forwarded, asHistory]) {
        const { invite, record } = await handedOn({}, said)
        expect(invite.text).to.not.match(/^(Diversion|History-Info|X-.*):/im)
        expect(header(invite, 'From')).to.include('<sip:+12025550199@')
        expect(record).to.include({ direction: 'inbound', forwarded_from: '+12125550177' })
      }
      expect((await handedOn({}, {})).record.forwarded_from).to.equal(null)
    })

    it('name the numbers that were called before in Diversion', async () => {
      for (const said of [forwarded, asHistory]) {
        const { invite } = await handedOn({ forwarded_calls: 'diversion' }, said)
        expect(headers(invite, 'Diversion')).to.deep.equal([
          [
            `<sip:+12025550199@${domain()}>;reason=unconditional;counter=1`,
            `<sip:+12125550177@${domain()}>;reason=no-answer;counter=1`,
            '<sip:anonymous@anonymous.invalid>;reason=user-busy;counter=1;privacy=full',
          ].join(', '),
        ])
        expect(header(invite, 'From')).to.include('<sip:+12025550199@')
        expect(invite.text).to.not.include('12125550178')
      }
    })

    it('name them in History-Info, as the carrier writes numbers', async () => {
      const { invite } = await handedOn(
        { forwarded_calls: 'history_info', caller_number_format: 'digits' },
        forwarded,
      )
      expect(headers(invite, 'History-Info')).to.deep.equal([
        [
          '<sip:anonymous@anonymous.invalid?Privacy=history>;index=1',
          `<sip:12125550177@${domain()};cause=486>;index=1.1`,
          `<sip:12025550199@${domain()};cause=408>;index=1.1.1`,
          `<sip:${target}@${domain()};cause=302>;index=1.1.1.1`,
        ].join(', '),
      ])
    })

    it('show who called where the operator lets it, and never one who withholds that', async () => {
      const own = await bench.api.patch(`/sip-trunks/gateways/${gateway}`, { forwarded_caller: 'original' })
      expect(own.status).to.equal(403)
      const settings = { forwarded_caller: 'original', forwarded_calls: 'diversion' }
      const { invite } = await handedOn(settings, {})
      expect(header(invite, 'From')).to.include(`<sip:+12125550123@${domain()}>`)
      expect(header(invite, 'P-Asserted-Identity')).to.equal(`<sip:+12125550123@${domain()}>`)
      expect(header(invite, 'Diversion')).to.include('<sip:+12025550199@')
      const kept = await bench.api.patch(`/sip-trunks/gateways/${gateway}`, { ...settings, title: 'Kept' })
      expect(kept.status, 'what is so already').to.equal(200)
      const withheld = await handedOn(settings, { Privacy: 'id' })
      expect(header(withheld.invite, 'From')).to.match(/^"Anonymous" <sip:anonymous@anonymous\.invalid>/)
      expect(header(withheld.invite, 'P-Asserted-Identity')).to.include('<sip:+12025550199@')
      expect(header(withheld.invite, 'Privacy')).to.equal('id')
      expect(withheld.invite.text).to.not.include('2125550123')
      const extension = await handedOn(settings, {}, '4711')
      expect(header(extension.invite, 'From')).to.include('<sip:+12025550199@')
    })

    it('show our own number where the script names it, and in calls that the workspace makes', async () => {
      const params = { phone_number: target, from: '+12025550199' }
      await inbound.runs([{ id: 'on', type: 'to_operator', params }])
      const { invite } = await handedOn({ forwarded_caller: 'original' }, forwarded)
      expect(header(invite, 'From')).to.include('<sip:+12025550199@')
      const [made] = await received({ forwarded_calls: 'diversion', forwarded_caller: 'original' })
      expect(header(made!, 'From')).to.include('<sip:+12025550199@')
      expect(header(made!, 'Diversion')).to.equal(undefined)
    })
  })

  describe('with codecs of its own', () => {
    let path: string
    let carrier: Telephone
    let phone: Telephone

    before(async () => {
      carrier = await InboundBench.on(bench).caller()
      const uri = { uri: '127.0.0.1', port: carrier.port, protocol: 'udp' as const, priority: 1 }
      const number = await bench.connectNumber('2025550167', [uri])
      const { outbound_gateway_id: id } = (await bench.api.get(`/phone-numbers/${number}`)).body
      path = `/sip-trunks/gateways/${id}`
      const phones = PhoneBench.on(bench)
      phone = await phones.phone(await phones.account('desk', '+12025550167'))
    })

    /** A phone's call at the carrier, and the payload types of the codecs in its offer. */
    const callsOut = async (codecs: readonly string[] | null) => {
      const saved = await bench.api.patch(path, { codecs })
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200)
      const had = carrier.incoming.length
      const out = phone.call('+12025550101')
      const at = await carrier.called(had)
      const types = /m=audio \d+ RTP\/AVP ([\d ]+)/.exec(at.received[0]!)?.[1]?.split(' ')
      return { out, at, offer: types?.filter((type) => ['0', '8', '9'].includes(type)).join(' ') }
    }

    it('is offered them in their order, whatever the caller speaks first', async () => {
      const has = await hasModule('mod_spandsp')
      carrier.onCall = 486
      for (const callers of ['0', '8 0', ...(has ? ['9 0'] : [])]) {
        phone.describes = (sdp) => sdp.replace('RTP/AVP 0', `RTP/AVP ${callers}`)
        for (const [codecs, expected] of [
          [null, '0 8'],
          [['PCMA', 'PCMU'], '8 0'],
          [['PCMA'], '8'],
          [['G722', 'PCMA'], has ? '9 8' : '8'],
          [['PCMU', 'G722', 'PCMA'], has ? '0 9 8' : '0 8'],
        ] as const) {
          const { out, offer } = await callsOut(codecs)
          expect(offer, `${String(codecs)} of a caller with ${callers}`).to.equal(expected)
          expect(await out.answered()).to.equal(486)
        }
      }
      carrier.onCall = 'answer'
    })

    it('hears a phone with G.722 in wideband, and is heard', async function () {
      if (!(await hasModule('mod_spandsp'))) this.skip()
      phone.describes = carrier.describes = g722Alone
      phone.ear.useCodec(g722Type, wideTone(5_000))
      carrier.ear.useCodec(g722Type, wideTone(6_200))
      const { out, at } = await callsOut(['G722', 'PCMA'])
      expect(await out.answered()).to.equal(200)
      await hearsWide(out, 6_200)
      await hearsWide(at, 5_000)
      await out.hangUp()
    })
  })
})
