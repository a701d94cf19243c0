/** The action `to_operator`, at the wire: who is reached and how, what everybody hears, and what becomes of those who are not. */
import { expect } from 'chai'
import {
  ActionsBench,
  type TestAction,
  type TestCall,
  bothTalk,
  hz,
  sleep,
} from '../support/actions-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { header } from '../support/sip-message.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const operatorHz = 1500
const callerHz = 440

describe('to_operator on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let operator: Telephone
  /** The number whose gateway leads to the operator. */
  let from: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ActionsBench.start({ credit: 10 })
    ;({ phone: operator, from } = await bench.operator())
  })
  after(async () => {
    await bench?.stop()
  })

  const reach = (params: object = {}): TestAction => ({
    action: 'to_operator',
    params: { phone_number: '+12025550106', from, ...params },
  })

  const reached = async (seen: number, phone = operator) => phone.called(seen)
  const areBridged = async (call: TestCall, dialog: PhoneDialog) =>
    bothTalk(call, dialog, operatorHz, callerHz)

  const inviteOf = (dialog: PhoneDialog) => ({ text: dialog.received[0] ?? '' })

  describe('who is not reached', () => {
    const refusals: [status: number, outcome: string][] = [
      [486, 'busy'],
      [600, 'busy'],
      [603, 'busy'],
      [408, 'no_answer'],
      [480, 'no_answer'],
      [302, 'failed'],
      [403, 'failed'],
      [404, 'failed'],
      [488, 'failed'],
      [500, 'failed'],
      [503, 'failed'],
    ]
    for (const [status, outcome] of refusals) {
      it(`is ${outcome} with SIP ${status}, and the script goes on`, async () => {
        operator.onCall = status
        const seen = operator.incoming.length
        const call = await bench.run('outbound', [
          { ...reach(), continue: false },
          await bench.tone(hz.high, 0.5),
        ])
        const { record } = await call.over()
        expect(await call.outcomes()).to.deep.equal([`to_operator:${outcome}`, 'play:completed'])
        expect(call.tones.at(-1)).to.equal(hz.high)
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(operator.incoming.length - seen, 'one INVITE').to.equal(1)
        // What leads elsewhere is not followed.
        expect(record.legs.at(-1)).to.include({ role: 'destination', sip_code: status })
      })
    }

    it('is no_answer after the timeout, and rings no longer', async () => {
      operator.onCall = 'ring'
      const seen = operator.incoming.length
      const call = await bench.run('inbound', [reach({ timeout: 2 }), await bench.tone(hz.high, 0.5)])
      expect(await (await reached(seen)).over()).to.equal('CANCEL')
      await call.over()
      expect(await call.outcomes()).to.deep.equal(['to_operator:no_answer', 'play:completed'])
    })

    it('takes the edge of the flow that is meant for it', async () => {
      operator.onCall = 486
      const { params } = reach()
      const call = await bench.callIn([
        { id: 'out', type: 'to_operator', params: params!, next: { busy: 'sorry' } },
        { id: 'sorry', ...typed(await bench.tone(hz.high, 0.5)) },
      ])
      await call.over()
      expect(await bench.inbound.path(call.id)).to.deep.equal(['out:busy', 'sorry:completed'])
    })

    const gone: [title: string, change: (numberId: string) => Promise<() => Promise<unknown>>][] = [
      [
        'the number that it is to be called with may call no more',
        async (numberId) => {
          const allow = async (enable_outbound: boolean) =>
            bench.api.patch(`/phone-numbers/${numberId}`, { enable_outbound })
          await allow(false)
          return async () => allow(true)
        },
      ],
      [
        'the workspace may call its country no more',
        async () => {
          const path = `/workspaces/${bench.calls.workspace.id}`
          const allow = async (allowed_countries: string[] | null) =>
            bench.calls.appliance.operator.patch(path, { allowed_countries })
          await allow(['DE'])
          return async () => allow(null)
        },
      ],
    ]
    for (const [title, change] of gone) {
      it(`is failed, and not called, when ${title}`, async () => {
        operator.onCall = 'answer'
        const seen = operator.incoming.length
        const call = await bench.run('outbound', [
          await bench.tone(hz.low, 1),
          reach(),
          await bench.tone(hz.high, 0.5),
        ])
        const undo = await change(bench.numberId(from))
        await call.over()
        await undo()
        expect(await call.outcomes()).to.deep.equal([
          ...['play:completed', 'to_operator:failed', 'play:completed'],
        ])
        expect(operator.incoming.length).to.equal(seen)
      })
    }

    it('is not called at all when the workspace cannot pay for it', async () => {
      operator.onCall = 'answer'
      const dear = await bench.operator()
      // More for one second than the workspace has, as the line is not for nothing either.
      const fee = Math.floor((await bench.calls.balance()) * 60)
      await bench.setFee(dear.from, fee)
      const seen = operator.incoming.length
      const call = await bench.run('outbound', [reach({ from: dear.from }), reach()])
      const dialog = await reached(seen)
      await dialog.up()
      await dialog.hangUp()
      await call.over()
      expect(await call.outcomes()).to.deep.equal(['to_operator:failed', 'to_operator:completed'])
      expect(dear.phone.incoming).to.have.length(0)
    })
  })

  describe('who is reached', () => {
    beforeEach(() => {
      operator.onCall = 'answer'
    })

    for (const direction of ['outbound', 'inbound'] as const) {
      it(`talks with the caller, ${direction}, and the script goes on when it leaves`, async () => {
        const seen = operator.incoming.length
        const call = await bench.run(direction, [reach(), await bench.tone(hz.high, 1)])
        const dialog = await reached(seen)
        await areBridged(call, dialog)
        expect((await bench.calls.record(call.id)).status).to.equal('active')
        await dialog.hangUp()
        await call.over()
        expect(await call.outcomes()).to.deep.equal(['to_operator:completed', 'play:completed'])
        expect(call.heard.at(-1)!.hz).to.equal(hz.high)
        expect(call.heard.at(-1)!.ms, 'the whole audio after the talk').to.be.above(750)
      })
    }

    it('is heard in place of an audio in the background, which the script began before', async () => {
      const seen = operator.incoming.length
      const call = await bench.run('outbound', [
        await bench.tone(hz.low, 8, { continue_on_play: true }),
        reach(),
        await bench.tone(hz.high, 0.5),
      ])
      const dialog = await reached(seen)
      await areBridged(call, dialog)
      await dialog.hangUp()
      await call.over()
      expect(call.tones.at(-1)).to.equal(hz.high)
      expect(await call.outcomes()).to.deep.equal([
        'play:completed',
        'to_operator:completed',
        'play:completed',
      ])
    })

    it('is the last who is rung when the caller leaves, whatever comes behind', async () => {
      for (let round = 0; round < 6; round++) {
        const seen = operator.incoming.length
        const call = await bench.run('inbound', [reach(), reach()])
        const left = await reached(seen)
        await areBridged(call, left)
        await call.dialog.hangUp()
        expect(await left.over()).to.equal('BYE')
        expect((await bench.calls.ended(call.id)).legs).to.have.length(2)
        expect(operator.incoming).to.have.length(seen + 1)
      }
    })

    it('is left when the caller leaves, and when the call shall not continue', async () => {
      let seen = operator.incoming.length
      const first = await bench.run('outbound', [reach()])
      const left = await reached(seen)
      await areBridged(first, left)
      await first.dialog.hangUp()
      expect(await left.over()).to.equal('BYE')
      seen = operator.incoming.length
      const second = await bench.run('outbound', [
        { ...reach(), continue: false },
        await bench.tone(hz.high, 0.5),
      ])
      const leaves = await reached(seen)
      await areBridged(second, leaves)
      await leaves.hangUp()
      const { record } = await second.over()
      expect(record.hangup_cause).to.equal('NORMAL_CLEARING')
      expect(await second.outcomes()).to.deep.equal(['to_operator:completed'])
    })

    it('sees the names and the number of the second form', async () => {
      const seen = operator.incoming.length
      const params = {
        to: { number: '+12025550107', name: 'Front Desk' },
        from: { number: from, name: 'Acme "Sales" & Söhne' },
        timeout: 300,
      }
      const call = await bench.run('outbound', [{ action: 'to_operator', params }])
      const dialog = await reached(seen)
      await dialog.up()
      expect(dialog.received[0]).to.match(/^INVITE sip:\+12025550107@/)
      expect(header(inviteOf(dialog), 'From')).to.match(new RegExp(`^"Acme ”Sales” & Söhne" <sip:\\${from}@`))
      await dialog.hangUp()
      await call.over()
      expect((await call.events('call.action'))[0]).to.deep.equal({
        action: 'to_operator',
        to: params.to,
        outcome: 'completed',
      })
    })

    it('is called over the gateway that is named, with the number that is named', async () => {
      const gateway = await bench.api.post('/sip-trunks/gateways', {
        title: 'Other',
        outbound_caller_id: '12025550177',
        outbound_uris: [{ uri: '127.0.0.1', port: operator.port, protocol: 'udp', priority: 1 }],
      })
      const seen = operator.incoming.length
      const call = await bench.run('inbound', [
        reach({ gateway_id: gateway.body.id, from: bench.inbound.number }),
      ])
      const dialog = await reached(seen)
      await dialog.up()
      expect(header(inviteOf(dialog), 'From')).to.include(`<sip:${bench.inbound.number}@`)
      await dialog.hangUp()
      const { record } = await call.over()
      expect(record.legs.at(-1)!.gateway_id).to.equal(gateway.body.id)
    })

    it('sees the number of the call and the name of the caller, unless others are named', async () => {
      const seen = bench.customer.incoming.length
      const call = await bench.callOut(
        [{ action: 'to_operator', params: { phone_number: '+12025550106' } }],
        {
          from: { number: bench.customerNumber, name: 'Acme' },
        },
      )
      const dialog = await reached(seen + 1, bench.customer)
      await dialog.up()
      expect(header(inviteOf(dialog), 'From')).to.match(new RegExp(`^"Acme" <sip:\\${bench.customerNumber}@`))
      await dialog.hangUp()
      await call.over()
    })
  })

  describe('callers who are not answered yet', () => {
    const nodes = (params: object) => [{ id: 'out', type: 'to_operator', params: reach(params).params! }]

    it('are answered when the operator answers, and hear 180 until then', async () => {
      operator.onCall = 'ring'
      const seen = operator.incoming.length
      const call = await bench.ring(nodes({}))
      const dialog = await reached(seen)
      await sleep(700)
      expect(call.dialog.statuses).to.include(180)
      expect(
        call.dialog.statuses.filter((status) => status > 180),
        'neither answered nor early media',
      ).to.deep.equal([])
      expect((await bench.calls.record(call.id)).answered_at).to.equal(null)
      operator.accept(dialog)
      expect(await call.dialog.answered()).to.equal(200)
      await areBridged(call, dialog)
      await call.dialog.hangUp()
    })

    it('hear the ringback audio before they are answered, and no longer', async () => {
      operator.onCall = 'ring'
      const seen = operator.incoming.length
      const call = await bench.ring(nodes({ ringback_audio_id: await bench.audio(hz.low, 1) }))
      const dialog = await reached(seen)
      await call.dialog.heard(183)
      await call.hears(hz.low)
      await sleep(1_500)
      expect(call.dialog.statuses).to.not.include(200)
      operator.accept(dialog)
      expect(await call.dialog.answered()).to.equal(200)
      await areBridged(call, dialog)
      await sleep(500)
      expect(call.tones).to.deep.equal([hz.low, operatorHz])
      await call.dialog.hangUp()
    })

    it('let the operator stop ringing when they give up', async () => {
      operator.onCall = 'ring'
      const seen = operator.incoming.length
      const call = await bench.ring(nodes({}))
      const dialog = await reached(seen)
      call.dialog.phone.cancel(call.dialog)
      expect(await dialog.over()).to.equal('CANCEL')
      const { record } = await call.over()
      expect(record).to.include({ status: 'canceled', sip_code: 487, cost: 0 })
    })

    it('are refused as they are to be when nobody is reached', async () => {
      operator.onCall = 486
      const call = await bench.ring([
        ...nodes({}).map((node) => ({ ...node, next: { busy: 'bye' } })),
        { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
      ])
      expect(await call.dialog.answered()).to.equal(486)
    })
  })

  it('lets an answered caller hear the ringback audio until the answer', async () => {
    operator.onCall = 'ring'
    const seen = operator.incoming.length
    const call = await bench.run('outbound', [reach({ ringback_audio_id: await bench.audio(hz.low, 1) })])
    const dialog = await reached(seen)
    await call.hears(hz.low)
    operator.accept(dialog)
    await areBridged(call, dialog)
    await sleep(500)
    expect(call.tones).to.deep.equal([hz.low, operatorHz])
    await dialog.hangUp()
    await call.over()
  })

  it('rings phones of the workspace by extension, username and SIP URI, which see who calls', async () => {
    const phones = PhoneBench.on(bench.calls)
    try {
      const account = await phones.account('reception')
      await phones.extension('101', account)
      const phone = await phones.phone(account, { toneHz: operatorHz })
      const stranger = await bench.api.post('/calls/make', {
        to: { number: from },
        actions: [reach({ phone_number: `sip:nobody@${account.domain}` })],
      })
      expect(stranger.body.errors[0].messages[0]).to.include('no agent or SIP account of this workspace')
      for (const phone_number of ['101', 'reception', `sip:reception@${account.domain}`]) {
        const seen = phone.incoming.length
        const call = await bench.ring([{ id: 'desk', type: 'to_operator', params: { phone_number } }])
        const dialog = await reached(seen, phone)
        await areBridged(call, dialog)
        expect(header(inviteOf(dialog), 'From')).to.include('<sip:+12125550123@')
        await dialog.hangUp()
        await call.over()
      }
    } finally {
      await phones.closePhones()
    }
  })

  it('refuses what cannot be meant', async () => {
    const wrong: [params: object, field: string][] = [
      [{}, 'phone_number'],
      [{ phone_number: '+12025550106', to: { number: '+12025550106' } }, 'phone_number'],
      [{ to: { number: '1' } }, 'to.number'],
      [{ to: { number: 'nobody' } }, 'to.number'],
      [{ to: {} }, 'to.number'],
      [{ phone_number: '+12025550106', from: '+12025550001' }, 'from'],
      [{ phone_number: '+12025550106', from: { number: '+12025550001' } }, 'from.number'],
      [{ phone_number: '+12025550106', from: { name: 'Acme' } }, 'from.number'],
      [{ phone_number: '+12025550106', from: 7 }, 'from'],
      [{ phone_number: '+12025550106', gateway_id: 'gw_unknown' }, 'gateway_id'],
      [{ phone_number: '+12025550106', timeout: 301 }, 'timeout'],
      [{ phone_number: '+12025550106', ringback_audio_id: 'au_unknown' }, 'ringback_audio_id'],
    ]
    for (const [params, field] of wrong) {
      const { status, body } = await bench.api.post('/calls/make', {
        to: { number: from },
        actions: [{ action: 'to_operator', params }],
      })
      expect(status, JSON.stringify(params)).to.equal(400)
      const fields = (body.errors as { field: string }[]).map((one) => one.field)
      expect(fields).to.deep.equal([`actions.0.params.${field}`])
    }
  })
})

const typed = ({ action, params = {} }: TestAction) => ({ type: action, params })
