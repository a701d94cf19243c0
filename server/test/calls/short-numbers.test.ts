/** What phones dial beside telephone numbers and extensions, through a real FreeSWITCH and Kamailio. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { feePerMinute } from '../support/call-bench.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { Telephone } from '../support/telephone.js'

interface Alert {
  kind: string
  message: string
  details: Record<string, string>
}

/** A carrier that refuses every call. */
async function refusingCarrier(status: string) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const invites: string[] = []
  socket.on('message', (data, from) => {
    const text = data.toString()
    if (!text.startsWith('INVITE ')) return
    invites.push(text)
    const repeated = text.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line))
    const to = `To: ${header({ text }, 'To')};tag=refusing`
    const lines = [`SIP/2.0 ${status}`, ...repeated, to, 'Content-Length: 0', '', '']
    socket.send(lines.join('\r\n'), from.port, from.address)
  })
  const uri = { uri: '127.0.0.1', port: socket.address().port, protocol: 'udp', priority: 1 }
  return { uri, invites, close: () => void socket.close() }
}

describe('short numbers and dial codes on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let refusing: Awaited<ReturnType<typeof refusingCarrier>>
  let aliceAccount: Account
  let alice: Telephone
  let bob: Telephone
  let gatewayId: string
  let refusingGateway: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    // No credit, no calls at once, no country: ordinary calls are refused.
    phones = await PhoneBench.start({ credit: 0 })
    refusing = await refusingCarrier('404 Not Found')
    aliceAccount = await phones.account('alice', '12025550199')
    await phones.extension('101', aliceAccount)
    alice = await phones.phone(aliceAccount)
    bob = await phones.phone(await phones.account('bob'))
    const number = await phones.api.get(`/phone-numbers/${phones.bench.numberId}`)
    gatewayId = number.body.outbound_gateway_id as string
    const format = { number_prefix: '77', number_format: 'prefix' }
    await patch(`/sip-trunks/gateways/${gatewayId}`, format)
    const { body } = await phones.api.post('/sip-trunks/gateways', {
      title: 'Refusing',
      outbound_uris: [refusing.uri],
    })
    refusingGateway = body.id as string
    const { appliance, workspace } = phones.bench
    const limits = { max_concurrent_calls: 0, max_calls_per_second: 1, allowed_countries: [] }
    expect((await appliance.operator.patch(`/workspaces/${workspace.id}`, limits)).status).to.equal(200)
  })
  after(async () => {
    refusing?.close()
    await phones?.stop()
  })

  const patch = async (path: string, body: object) => {
    const answer = await phones.api.patch(path, body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
  }
  const invited = async () => {
    const messages = await phones.bench.carrier!.messages()
    const { text } = messages.findLast(
      ({ method, direction }) => method === 'INVITE' && direction === 'received',
    )!
    return { text, line: text.slice(0, text.indexOf('\r\n')) }
  }
  const alertsOf = async (kind: string) =>
    (await phones.api.get(`/alerts?kind=${kind}&sort_order=desc`)).body.data as Alert[]
  const dial = async (phone: Telephone, number: string, headers = {}) => {
    const call = phone.call(number, headers)
    expect(await call.answered(), number).to.equal(200)
    await call.hangUp()
    return phones.lastCall()
  }

  it('go out as they were dialled, past limits and credit, with the verified number', async () => {
    expect(await alice.call('+12025550100').answered(), 'an ordinary call').to.equal(486)
    const record = await dial(alice, '911', { Privacy: 'id' })
    expect(record).to.include({ to: '911', sip_account_id: aliceAccount.id, cost: 0 })
    const invite = await invited()
    expect(invite.line).to.match(/^INVITE sip:911@127\.0\.0\.1:/)
    expect(header(invite, 'From')).to.match(/<sip:\+12025550199@/)
    expect(header(invite, 'P-Asserted-Identity')).to.match(/^<sip:\+12025550199@/)
    expect(header(invite, 'Privacy')).to.equal(undefined)
    const [alert] = await alertsOf('emergency_call')
    expect(alert).to.deep.include({
      message: 'Phone of alice (extension 101) calls the emergency number 911',
      details: {
        ...{ number: '911', phone: aliceAccount.id, phone_title: 'Phone of alice', extension: '101' },
        ...{ caller_number: '+12025550199', call_id: record.call_id },
      },
    })
  })

  it('go out from phones that have no number, many at once, and to the test number', async () => {
    const calls = ['911', '911', '933'].map((number) => bob.call(number))
    expect(await Promise.all(calls.map(async (call) => call.answered()))).to.deep.equal([200, 200, 200])
    await Promise.all(calls.map(async (call) => call.hangUp()))
    expect(header(await invited(), 'P-Asserted-Identity')).to.match(/^<sip:\+12025550199@/)
    const alerted = async () =>
      (await alertsOf('emergency_call')).slice(0, 3).map(({ details }) => details.number)
    await eventually(alerted, (numbers) => numbers.includes('933'), { what: 'the alert of 933' })
    expect(await alerted()).to.have.members([...['911', '911', '933']])
  })

  it('go over the gateway that the workspace names, and over others when it refuses', async () => {
    await patch('/profile', { emergency_gateway_id: refusingGateway })
    const { legs } = await dial(alice, '911')
    expect(refusing.invites.at(-1)).to.match(/^INVITE sip:911@/)
    expect((await invited()).line).to.match(/^INVITE sip:911@/)
    expect(legs.map(({ role, gateway_id, sip_code }) => [role, gateway_id, sip_code])).to.deep.equal([
      ['caller', null, null],
      ['called', refusingGateway, 404],
      ['called', gatewayId, null],
    ])
    const gone = await phones.api.delete(`/sip-trunks/gateways/${refusingGateway}`)
    expect(gone.status, 'a gateway that emergency calls use').to.equal(409)
  })

  it('are refused as the last carrier says, and that is told, when nobody takes the call', async () => {
    await patch(`/sip-trunks/gateways/${gatewayId}`, { outbound_uris: [refusing.uri] })
    expect(await alice.call('911').answered()).to.equal(404)
    const { call_id } = await phones.lastCall()
    const [alert] = await eventually(
      async () => alertsOf('emergency_call_failed'),
      (alerts) => alerts.length > 0,
      { what: 'the alert' },
    )
    expect(alert?.details).to.include({ number: '911', call_id })
    await patch(`/sip-trunks/gateways/${gatewayId}`, { outbound_uris: [phones.bench.healthyUri(1)] })
  })

  it('are called by phones alone', async () => {
    const { status, body } = await phones.api.post('/calls/make', { to: { number: '911' } })
    expect(status).to.equal(400)
    expect(JSON.stringify(body)).to.include('to.number is an emergency number: phones alone call it')
  })

  it('are no extensions of the same digits, but for 112 where fixed networks have no such number', async () => {
    const desk = await phones.account('desk')
    await phones.extension('911', desk)
    const extension = await phones.extension('112', desk)
    const shown = (await phones.api.get('/extensions?limit=10')).body.data as Record<string, unknown>[]
    expect(
      shown.map(({ extension_number, is_emergency_number }) => [extension_number, is_emergency_number]),
    ).to.have.deep.members([
      ['101', false],
      ['911', true],
      ['112', false],
    ])
    await dial(alice, '911')
    expect((await invited()).line).to.match(/^INVITE sip:911@/)
    // The extension: the workspace may make no other calls.
    expect(await alice.call('112').answered()).to.equal(486)
    await phones.api.delete(`/extensions/${extension}`)
    await dial(alice, '112')
    expect((await invited()).line).to.match(/^INVITE sip:112@/)
  })

  describe('codes that phones dial', () => {
    before(async () => {
      const { appliance, workspace } = phones.bench
      const limits = { max_concurrent_calls: null, max_calls_per_second: null, allowed_countries: null }
      await appliance.operator.patch(`/workspaces/${workspace.id}`, limits)
      await appliance.operator.post(`/workspaces/${workspace.id}/credit`, { amount: 10 })
    })

    /** A flow that rings Alice, and what phones dial to reach it. */
    const flowAt = async (dial_code: string) => {
      const extension = (await phones.api.get('/extensions?search=101')).body.data[0].id as string
      const { status, body } = await phones.api.post('/call-flows', {
        ...{ title: `Code ${dial_code}`, trigger_type: 'inbound', dial_code },
        nodes: [
          { id: 'start', type: 'start', next: { default: 'ring' } },
          { id: 'ring', type: 'go_to_extension', params: { extension_id: extension } },
        ],
      })
      expect(status, JSON.stringify(body)).to.equal(201)
      return body.id as string
    }

    it('run the call flow that has them', async () => {
      for (const [code, dialled] of [
        ['*98', '*98'],
        ['#9', '%239'],
        ['0', '0'],
      ] as const) {
        const call_flow_id = await flowAt(code)
        const had = alice.incoming.length
        const call = bob.call(dialled)
        expect(await call.answered(), dialled).to.equal(200)
        await alice.called(had)
        await call.hangUp()
        expect(await phones.lastCall()).to.include({ to: code, to_name: `Code ${code}`, call_flow_id })
      }
      expect(await bob.call('*9').answered(), 'no flow').to.equal(404)
      const taken = { title: 'Other', trigger_type: 'inbound', nodes: [{ id: 'start', type: 'start' }] }
      expect((await phones.api.post('/call-flows', { ...taken, dial_code: '*98' })).status).to.equal(409)
    })

    it('withhold the number of one call, but not of an emergency call', async () => {
      for (const code of ['*67', '%2331%23', '*31%23']) {
        await dial(alice, `${code}12025550100`)
        const invite = await invited()
        expect(header(invite, 'From'), code).to.match(/<sip:anonymous@anonymous\.invalid>/)
        expect(header(invite, 'Privacy')).to.equal('id')
      }
      await dial(alice, '*8212025550100', { Privacy: 'id' })
      expect(header(await invited(), 'From')).to.match(/<sip:\+12025550199@/)
      await dial(alice, '*67911')
      const { text, line } = await invited()
      expect(line).to.match(/^INVITE sip:911@/)
      expect(header({ text }, 'From')).to.match(/<sip:\+12025550199@/)
    })
  })

  describe('short numbers that gateways list', () => {
    before(async () => {
      await patch(`/sip-trunks/gateways/${gatewayId}`, { short_numbers: ['116117'] })
      await patch(`/sip-trunks/gateways/${refusingGateway}`, {
        ...{ number_prefix: '88', number_format: 'prefix' },
        short_numbers: ['411', '101', '933', '116117'],
      })
    })

    it('go out over the gateway that lists them, as they were dialled, with the verified number', async () => {
      expect(await alice.call('411').answered(), 'what the carrier says').to.equal(404)
      const text = refusing.invites.at(-1)!
      expect(text).to.match(/^INVITE sip:411@127\.0\.0\.1:/)
      expect(header({ text }, 'From')).to.match(/<sip:\+12025550199@/)
      const { legs, ...record } = await phones.lastCall()
      expect(record).to.include({ to: '411', to_name: '411', sip_account_id: aliceAccount.id })
      expect(legs.map(({ gateway_id }) => gateway_id)).to.deep.equal([null, refusingGateway])
      const asked = refusing.invites.length
      const { cost } = await dial(alice, '116117')
      expect((await invited()).line, 'that of the number first').to.match(/^INVITE sip:116117@/)
      expect(cost).to.be.closeTo(feePerMinute / 60, feePerMinute / 30)
      expect(refusing.invites).to.have.length(asked)
    })

    it('are called by the API and by scripts, too', async () => {
      const { body } = await phones.api.post('/calls/make', { to: { number: '116117' } })
      await phones.bench.ended(body.call_id as string)
      expect((await invited()).line).to.match(/^INVITE sip:116117@/)
      const gateway_id = refusingGateway
      const to_operator = { action: 'to_operator', params: { phone_number: '411', gateway_id } }
      await phones.bench.ended(await phones.bench.call('+12025550100', [to_operator]))
      expect(refusing.invites.at(-1)).to.match(/^INVITE sip:411@/)
      const emergency = await phones.api.post('/calls/make', { to: { number: '933' } })
      expect(emergency.status).to.equal(400)
    })

    it('are no extensions, no emergency numbers, and nothing where no gateway lists them', async () => {
      const asked = refusing.invites.length
      const had = alice.incoming.length
      const call = bob.call('101')
      await alice.called(had)
      expect(await call.answered()).to.equal(200)
      await call.hangUp()
      expect(await bob.call('411').answered(), 'no number to show').to.equal(403)
      expect(await alice.call('11833').answered()).to.equal(404)
      expect(refusing.invites).to.have.length(asked)
      await patch(`/sip-trunks/gateways/${refusingGateway}`, { short_numbers: [] })
      expect(await alice.call('411').answered()).to.equal(404)
      expect(refusing.invites).to.have.length(asked)
    })

    it('are called where the country of the number is allowed', async () => {
      const { appliance, workspace } = phones.bench
      await appliance.operator.patch(`/workspaces/${workspace.id}`, { allowed_countries: ['DE'] })
      expect(await alice.call('116117').answered()).to.equal(403)
      expect((await phones.api.post('/calls/make', { to: { number: '116117' } })).status).to.equal(403)
    })
  })
})
