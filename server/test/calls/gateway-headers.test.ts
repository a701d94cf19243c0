/** What a gateway's carrier wants of From, Contact, the request URI and numbers, at the wire. */
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { header, headers } from '../support/sip-message.js'

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
})
