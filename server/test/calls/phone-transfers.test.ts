/** Calls that phones made, handed over by the API and by the phones' own key, on a real FreeSWITCH. */
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { eventually } from '../support/api-client.js'
import { feePerMinute } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import type { Account } from '../support/phone-bench.js'
import { hasHeard, music, onlyHears } from '../support/bridge-bench.js'
import { type SignedInWorker, TeamBench, rung } from '../support/team-bench.js'
import type { Telephone } from '../support/telephone.js'
import { toneLevel } from '../support/tone.js'
import { recordingIs, soundOf } from '../recordings/recorded.js'

const deskHz = 440
const carrierHz = 1700

describe('calls of phones that are handed over, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let anna: SignedInWorker
  let ben: SignedInWorker
  let cleo: SignedInWorker
  let deskAccount: Account
  let desk: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ carrier: { toneHz: carrierHz } })
    anna = await bench.signedIn('anna', 600)
    ben = await bench.signedIn('ben', 900)
    cleo = await bench.signedIn('cleo', 1300)
    deskAccount = await bench.phones.account('desk')
    desk = await bench.phones.phone(deskAccount, { toneHz: deskHz })
    await bench.phones.extension('401', deskAccount)
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => bench?.stop())
  beforeEach(async () => bench.ready(anna, ben, cleo))

  const hears = async (dialog: PhoneDialog, hz: number, who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, [hz], who)
  const hearsMusic = async (dialog: PhoneDialog) =>
    hasHeard({ dialog, phone: dialog.phone }, music, 'who waits hears music')
  const joined = async ([one, hz]: [PhoneDialog, number], [other, otherHz]: [PhoneDialog, number]) => {
    await hears(one, otherHz, `${hz} Hz`)
    await hears(other, hz, `${otherHz} Hz`)
  }
  const pathOf = (id: string) => `/call-center/calls/${id}/transfer`
  const allFree = async () => {
    for (const worker of [anna, ben, cleo]) await bench.inState(worker, 'available')
  }

  /** A call from one phone to another, both of which hear each other. */
  const between = async (from: Telephone, fromHz: number, dialled: string, to: Telephone, toHz: number) => {
    const had = to.incoming.length
    const out = from.call(dialled)
    expect(await out.answered()).to.equal(200)
    const back = await to.called(had)
    await joined([out, fromHz], [back, toHz])
    return { id: await bench.phones.lastCallIs('active'), out, back }
  }

  describe('by the API', () => {
    const handOver = async (by: SignedInWorker, id: string, input: object) => {
      const { status, body } = await by.api.post(pathOf(id), input)
      expect(status, JSON.stringify(body)).to.equal(200)
      return body
    }

    it('an agent whom a phone called hands the caller over', async () => {
      const { id, out, back } = await between(desk, deskHz, 'anna', anna.phone, anna.hz)
      const had = ben.phone.incoming.length
      ben.phone.onCall = 'ring'
      const answer = await handOver(anna, id, { target_username: 'ben', reason: 'knows more' })
      expect(answer).to.deep.include({ from_agent_id: anna.agent.id, transferred_by: 'anna' })
      const bens = await rung(ben, had)
      await hearsMusic(out)
      ben.phone.accept(bens)
      await joined([out, deskHz], [bens, ben.hz])
      expect(await back.over()).to.equal('BYE')
      await bench.inbound.toldOfTransfer(id, 'completed')
      await bench.inState(anna, 'available')
      await bench.inState(ben, 'incall')
      const actions = [{ action: 'tts', params: { text: 'Hello.' } }]
      const changed = await bench.phones.api.put(`/calls/${id}/actions`, { actions })
      expect(changed.body.message).to.equal('A call that a phone made runs no actions')
      await bens.hangUp()
      expect(await out.over()).to.equal('BYE')
      const record = await bench.inbound.bench.ended(id)
      expect(record).to.include({
        status: 'completed',
        hangup_cause: 'NORMAL_CLEARING',
        sip_code: 200,
        cost: 0,
      })
      expect(record.legs.map((leg) => [leg.role, leg.hangup_cause])).to.deep.equal([
        ['caller', 'NORMAL_CLEARING'],
        ['called', 'BLIND_TRANSFER'],
        ['destination', 'NORMAL_CLEARING'],
      ])
      await allFree()
    })

    it('an agent who called a number hands it over, recorded and paid for to its end', async () => {
      const { numberId, carrier } = bench.inbound.bench
      const { api } = bench.phones
      await api.patch(`/phone-numbers/${numberId}`, { record_outbound: true })
      const out = anna.phone.call('+12025550100')
      expect(await out.answered()).to.equal(200)
      await hears(out, carrierHz, 'anna')
      const id = await bench.phones.lastCallIs('active')
      const had = ben.phone.incoming.length
      await handOver(anna, id, { target: 'ben' })
      const bens = await rung(ben, had)
      await hears(bens, carrierHz, 'ben')
      await eventually(
        async () => carrier!.ear.heard().some(({ pcm }) => toneLevel(pcm.subarray(-4_000), ben.hz) > 0.5),
        (heard) => heard,
        { what: 'the number hears ben' },
      )
      expect(await out.over()).to.equal('BYE')
      await bens.hangUp()
      const record = await bench.inbound.bench.ended(id)
      await api.patch(`/phone-numbers/${numberId}`, { record_outbound: false })
      expect(record).to.include({
        status: 'completed',
        agent_id: anna.agent.id,
        hangup_cause: 'NORMAL_CLEARING',
      })
      expect(record.cost).to.be.closeTo((feePerMinute / 60) * billed(record), 0.0001)
      const { channels } = await soundOf(api, await recordingIs(api, id, 'ready'))
      for (const hz of [anna.hz, ben.hz, carrierHz]) {
        const parts = Array.from({ length: Math.floor(channels[0]!.length / 4_000) }, (_, index) =>
          toneLevel(channels[0]!.subarray(index * 4_000, (index + 1) * 4_000), hz),
        )
        expect(Math.max(...parts), `${hz} Hz`).to.be.above(0.3)
      }
      await allFree()
    })

    it('a caller is handed over to a number outside, blind and after consultation, and charged for it', async () => {
      const { carrier } = bench.inbound.bench
      for (const consult of [false, true]) {
        const had = anna.phone.incoming.length
        const caller = await bench.call(deskHz)
        expect(await caller.answered()).to.equal(200)
        const annas = await rung(anna, had)
        await joined([caller, deskHz], [annas, anna.hz])
        const id = await bench.inbound.lastCallId()
        const { to } = await handOver(anna, id, { target: '(202) 555-0100', consult })
        expect(to).to.deep.equal({ kind: 'number', id: '12025550100', name: '+12025550100' })
        if (consult) {
          await hears(annas, carrierHz, 'anna')
          await hearsMusic(caller)
          expect((await anna.api.post(`${pathOf(id)}/complete`)).status).to.equal(200)
        }
        await hears(caller, carrierHz, 'the caller')
        await eventually(
          async () => carrier!.ear.heard().some(({ pcm }) => toneLevel(pcm.subarray(-4_000), deskHz) > 0.5),
          (heard) => heard,
          { what: 'the number hears the caller' },
        )
        expect(await annas.over()).to.equal('BYE')
        await bench.inbound.toldOfTransfer(id, 'completed')
        await caller.hangUp()
        const record = await bench.inbound.bench.ended(id)
        const outside = record.legs.find(({ gateway_id }) => gateway_id !== null)
        expect(record).to.include({ outcome: 'answered' })
        expect(outside?.number, JSON.stringify(record.legs)).to.include('12025550100')
        expect(record.cost).to.be.above(0)
        await allFree()
      }
    })

    it('of two agents each may; what fails comes back, and rings who has left', async () => {
      const { id, out, back } = await between(anna.phone, anna.hz, 'ben', ben.phone, ben.hz)
      cleo.phone.onCall = 486
      await handOver(anna, id, { target: 'cleo' })
      await bench.inbound.toldOfTransfer(id, 'busy')
      await joined([out, anna.hz], [back, ben.hz])
      cleo.phone.onCall = 'ring'
      const had = [anna.phone.incoming.length, cleo.phone.incoming.length] as const
      await handOver(anna, id, { target: 'cleo' })
      const cleos = await rung(cleo, had[1])
      await out.hangUp()
      await hearsMusic(back)
      await bench.inState(anna, 'available')
      cleo.phone.refuse(cleos, 486)
      const again = await rung(anna, had[0])
      await joined([again, anna.hz], [back, ben.hz])
      await back.hangUp()
      await again.over()
      expect(await bench.inbound.bench.ended(id)).to.include({ status: 'completed' })
      await allFree()
    })

    it('of a SIP account any agent may, and it is rung again when it has left', async () => {
      const second = await bench.phones.account('second')
      const phone = await bench.phones.phone(second, { toneHz: 900 })
      const call = await between(phone, 900, '401', desk, deskHz)
      cleo.phone.onCall = 'ring'
      const had = [desk.incoming.length, cleo.phone.incoming.length] as const
      await handOver(anna, call.id, { target: 'cleo' })
      const cleos = await rung(cleo, had[1])
      await call.back.hangUp()
      await eventually(
        async () => (await bench.inbound.bench.record(call.id)).legs.map(({ ended_at }) => ended_at !== null),
        ([, called]) => called === true,
        { what: 'leg that has ended' },
      )
      cleo.phone.refuse(cleos, 486)
      const again = await desk.called(had[0])
      await joined([call.out, 900], [again, deskHz])
      await call.out.hangUp()
      await again.over()
      await allFree()
    })

    it('after consultation, also over a restart of the server', async () => {
      const { id, out, back } = await between(anna.phone, anna.hz, '401', desk, deskHz)
      const had = ben.phone.incoming.length
      await handOver(anna, id, { target: 'ben', consult: true })
      const bens = await rung(ben, had)
      await joined([out, anna.hz], [bens, ben.hz])
      await hearsMusic(back)
      const { appliance } = bench.inbound.bench
      await appliance.killServer()
      await appliance.startServer()
      await hearsMusic(back)
      await joined([out, anna.hz], [bens, ben.hz])
      await eventually(
        async () => (await anna.api.post(`${pathOf(id)}/complete`)).status,
        (status) => status === 200,
        { what: 'transfer that goes on' },
      )
      await joined([back, deskHz], [bens, ben.hz])
      expect(await out.over()).to.equal('BYE')
      await appliance.killServer()
      await appliance.startServer()
      await bench.inState(ben, 'incall')
      await joined([back, deskHz], [bens, ben.hz])
      await back.hangUp()
      expect(await bens.over()).to.equal('BYE')
      expect(await bench.inbound.bench.ended(id)).to.include({
        ...{ status: 'completed', hangup_cause: 'NORMAL_CLEARING', agent_id: anna.agent.id },
      })
      await allFree()
    })

    it('not before the answer, and not by another workspace', async () => {
      ben.phone.onCall = 'ring'
      const had = ben.phone.incoming.length
      const out = anna.phone.call('ben')
      const bens = await rung(ben, had)
      const id = await bench.phones.lastCallIs('ringing')
      const early = await anna.api.post(pathOf(id), { target: 'cleo' })
      expect(early.status).to.equal(404)
      ben.phone.accept(bens)
      expect(await out.answered()).to.equal(200)
      await joined([out, anna.hz], [bens, ben.hz])
      expect((await anna.api.post(`${pathOf(id)}/complete`)).status).to.equal(404)
      expect((await anna.api.post(pathOf(id), { target: 'nobody' })).status).to.equal(400)
      await joined([out, anna.hz], [bens, ben.hz])
      await out.hangUp()
      await bens.over()
    })
  })

  describe('by the phones', () => {
    const uri = (username: string) => `sip:${username}@${deskAccount.domain}`
    /** As RFC 3891 names a dialog, from its other side. */
    const replaces = ({ callId, remoteTag, localTag }: PhoneDialog) =>
      `${callId};to-tag=${remoteTag};from-tag=${localTag}`

    /** A Refer-To of who has spoken with the target in another call. */
    const attended = (other: PhoneDialog) => `${uri('desk')}?Replaces=${encodeURIComponent(replaces(other))}`

    /** Hands a call over, and hangs up when told that it may. */
    const referred = async (phone: Telephone, dialog: PhoneDialog, to: string, ...others: PhoneDialog[]) => {
      const status = await phone.refer(dialog, to)
      if (status !== 202) return status
      const notify = await eventually(
        async () => dialog.received.find((text) => text.startsWith('NOTIFY ')),
        (text) => text !== undefined,
        { what: 'NOTIFY' },
      )
      expect(notify).to.include(`Event: refer;id=${dialog.cseq}`)
      expect(notify).to.match(/^Subscription-State: terminated/m)
      expect(notify).to.match(/\r\n\r\nSIP\/2.0 200 OK\r\n/)
      // Phones leave both calls when they have talked with the target.
      await Promise.all([dialog, ...others].map(async (one) => one.state === 'up' && one.hangUp()))
      return status
    }

    it('blind: the one who asks leaves, and who stays is with the target', async () => {
      const { id, out, back } = await between(anna.phone, anna.hz, 'ben', ben.phone, ben.hz)
      const had = [cleo.phone.incoming.length, desk.incoming.length] as const
      cleo.phone.onCall = 'ring'
      expect(await referred(anna.phone, out, uri('cleo'))).to.equal(202)
      const cleos = await rung(cleo, had[0])
      await hearsMusic(back)
      cleo.phone.accept(cleos)
      await joined([back, ben.hz], [cleos, cleo.hz])
      await bench.inbound.toldOfTransfer(id, 'completed')
      await bench.inState(anna, 'available')
      desk.onCall = 'ring'
      expect(await referred(ben.phone, back, uri('desk'))).to.equal(202)
      const desks = await desk.called(had[1])
      desk.accept(desks)
      desk.onCall = 'answer'
      await joined([cleos, cleo.hz], [desks, deskHz])
      await desks.hangUp()
      await cleos.over()
      expect(await bench.inbound.bench.ended(id)).to.include({ status: 'completed', sip_code: 200 })
      await allFree()
    })

    it('blind, of a call that a program has joined; whoever is not reached brings it back', async () => {
      const had = [anna.phone.incoming.length, ben.phone.incoming.length] as const
      const caller = await bench.call(deskHz)
      expect(await caller.answered()).to.equal(200)
      const annas = await rung(anna, had[0])
      await joined([caller, deskHz], [annas, anna.hz])
      ben.phone.onCall = 'ring'
      expect(await referred(anna.phone, annas, uri('ben'))).to.equal(202)
      const bens = await rung(ben, had[1])
      await hearsMusic(caller)
      await bench.inState(anna, 'available')
      ben.phone.refuse(bens, 486)
      const again = await rung(anna, had[0] + 1)
      await joined([caller, deskHz], [again, anna.hz])
      expect(await caller.phone.refer(caller, uri('ben'))).to.equal(405)
      await caller.hangUp()
      await again.over()
      await allFree()
    })

    it('after consultation: those with whom the phone has talked are joined, whichever call it names', async () => {
      for (const isReversed of [false, true]) {
        const first = await between(desk, deskHz, 'anna', anna.phone, anna.hz)
        const had = ben.phone.incoming.length
        const out = anna.phone.call('ben')
        expect(await out.answered()).to.equal(200)
        const bens = await ben.phone.called(had)
        await hears(bens, anna.hz, 'who is asked')
        const second = await bench.phones.lastCallIs('active')
        const [asks, names] = isReversed ? [out, first.back] : [first.back, out]
        const leaves = isReversed ? [] : [names]
        expect(await referred(anna.phone, asks, attended(names), ...leaves)).to.equal(202)
        await joined([first.out, deskHz], [bens, ben.hz])
        expect(await first.back.over()).to.match(/BYE|hung up/)
        expect(await out.over()).to.match(/BYE|hung up/)
        await bench.inbound.toldOfTransfer(first.id, 'completed')
        const consulted = await bench.inbound.bench.ended(second)
        expect(consulted).to.include({ status: 'completed', cost: 0 })
        expect(consulted.legs.map(({ role }) => role)).to.deep.equal(['caller'])
        await bench.inState(anna, 'available')
        await bench.inState(ben, 'incall')
        await bens.hangUp()
        expect(await first.out.over()).to.equal('BYE')
        const record = await bench.inbound.bench.ended(first.id)
        expect(record).to.include({ status: 'completed', sip_code: 200 })
        expect(record.legs.map(({ role }) => role)).to.deep.equal(['caller', 'called', 'destination'])
        await allFree()
      }
    })

    it('after consultation, of a caller from outside, and over a restart of the server', async () => {
      const had = [anna.phone.incoming.length, desk.incoming.length] as const
      const caller = await bench.call(cleo.hz)
      expect(await caller.answered()).to.equal(200)
      const annas = await rung(anna, had[0])
      await joined([caller, cleo.hz], [annas, anna.hz])
      const id = await bench.phones.lastCallIs('active')
      const out = anna.phone.call('desk')
      expect(await out.answered()).to.equal(200)
      const desks = await desk.called(had[1])
      await hears(desks, anna.hz, 'who is asked')
      const to = `${attended(out).replace('Replaces', 'replaces')}&Require=replaces`
      expect(await referred(anna.phone, annas, to)).to.equal(202)
      await joined([caller, cleo.hz], [desks, deskHz])
      const { appliance } = bench.inbound.bench
      await appliance.killServer()
      await appliance.startServer()
      await joined([caller, cleo.hz], [desks, deskHz])
      await caller.hangUp()
      expect(await desks.over()).to.equal('BYE')
      expect(await bench.inbound.bench.ended(id)).to.include({ status: 'completed' })
      await allFree()
    })

    /** What the number outside hears. */
    const carrierHears = async (hz: number) =>
      eventually(
        async () =>
          bench.inbound.bench.carrier!.ear.heard().map(({ pcm }) => toneLevel(pcm.subarray(-4_000), hz)),
        (levels) => levels.some((level) => level > 0.5),
        { what: `the number hears ${hz} Hz` },
      )
    /** A call whose phone has left it, because those in it go on in another one. */
    const isLeft = async (id: string, kept: string) => {
      const record = await bench.inbound.bench.ended(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'ATTENDED_TRANSFER' })
      const told = (await bench.inbound.timeline(id)).filter(({ event }) => event === 'call.transfer')
      expect(told.at(-1)?.details).to.include({ status: 'completed', mode: 'consult', call_id: kept })
      return record
    }

    it('after consultation with a number outside, which is paid for to its end', async () => {
      const { bench: calls } = bench.inbound
      const { api } = bench.phones
      await api.patch(`/phone-numbers/${calls.numberId}`, { record_outbound: true })
      const had = anna.phone.incoming.length
      const caller = await bench.call(cleo.hz)
      expect(await caller.answered()).to.equal(200)
      const annas = await rung(anna, had)
      await joined([caller, cleo.hz], [annas, anna.hz])
      const id = await bench.phones.lastCallIs('active')
      const before = await calls.balance()
      const out = anna.phone.call('+12025550100')
      expect(await out.answered()).to.equal(200)
      await hears(out, carrierHz, 'anna')
      const second = await bench.phones.lastCallIs('active')
      const recording = await recordingIs(api, second, 'recording')
      await api.patch(`/phone-numbers/${calls.numberId}`, { record_outbound: false })
      const held = (await api.get('/credit')).body.held as number
      expect(held).to.be.at.least(feePerMinute)
      expect(await referred(anna.phone, annas, attended(out))).to.equal(202)
      await hears(caller, carrierHz, 'caller')
      await carrierHears(cleo.hz)
      await bench.inbound.toldOfTransfer(id, 'completed')
      expect(await isLeft(second, id)).to.include({ cost: 0 })
      expect((await recordingIs(api, second, 'ready')).id).to.equal(recording.id)
      expect((await api.get('/credit')).body.held, 'held for the number').to.be.at.least(held)
      await bench.inState(anna, 'available')
      await calls.appliance.killServer()
      await calls.appliance.startServer()
      await hears(caller, carrierHz, 'caller')
      await carrierHears(cleo.hz)
      await caller.hangUp()
      const record = await calls.ended(id)
      const leg = record.legs.find(({ number }) => number === '+12025550100')
      expect(leg).to.include({ role: 'destination', hangup_cause: 'NORMAL_CLEARING' })
      // The number is paid for both ways.
      const seconds = billed(leg!) + billed(record.legs.find(({ role }) => role === 'caller')!)
      expect(record.cost).to.be.closeTo((feePerMinute / 60) * seconds, 0.0001)
      expect(await calls.balance()).to.be.closeTo(before - record.cost, 0.0001)
      await allFree()
    })

    it('of two callers from outside, whom the phone joins', async () => {
      await bench.leadsTo('to_operator', { phone_number: '401' })
      const incoming = async (toneHz: number, username: string) => {
        const caller = await bench.inbound.caller({ toneHz, username })
        const call = caller.call(bench.inbound.number)
        expect(await call.answered()).to.equal(200)
        const back = await desk.called(desk.incoming.length - 1)
        await joined([call, toneHz], [back, deskHz])
        return [call, back] as const
      }
      const [one, first] = await incoming(600, '+442071838750')
      const [other, second] = await incoming(900, 'anonymous')
      const ids = (await bench.phones.api.get('/calls?limit=2')).body.data.map(
        ({ call_id }: { call_id: string }) => call_id,
      ) as [string, string]
      expect(await referred(desk, first, attended(second))).to.equal(202)
      await joined([one, 600], [other, 900])
      await isLeft(ids[0], ids[1])
      const { appliance } = bench.inbound.bench
      await appliance.killServer()
      await appliance.startServer()
      await joined([one, 600], [other, 900])
      await one.hangUp()
      expect(await other.over()).to.equal('BYE')
      const record = await bench.inbound.bench.ended(ids[1])
      expect(record.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination', 'destination'])
      await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    })

    it('of two colleagues who have called the phone, whom it joins', async () => {
      const one = await between(anna.phone, anna.hz, '401', desk, deskHz)
      const other = await between(ben.phone, ben.hz, '401', desk, deskHz)
      expect(await referred(desk, one.back, attended(other.back))).to.equal(202)
      await joined([one.out, anna.hz], [other.out, ben.hz])
      await isLeft(other.id, one.id)
      await bench.inState(ben, 'incall')
      await other.out.hangUp()
      expect(await one.out.over()).to.equal('BYE')
      await bench.inbound.bench.ended(one.id)
      await allFree()
    })

    it('after consultation with whoever of a team has answered', async () => {
      const teamId = await bench.phones.team('Experts', [ben.agent])
      await bench.phones.extension('402', teamId)
      const had = [desk.incoming.length, ben.phone.incoming.length] as const
      const caller = await between(cleo.phone, cleo.hz, '401', desk, deskHz)
      const out = desk.call('402')
      expect(await out.answered()).to.equal(200)
      const bens = await ben.phone.called(had[1])
      await hears(bens, deskHz, 'who is asked')
      const second = await bench.phones.lastCallIs('active')
      expect(await referred(desk, caller.back, attended(out))).to.equal(202)
      await joined([caller.out, cleo.hz], [bens, ben.hz])
      await isLeft(second, caller.id)
      await bens.hangUp()
      expect(await caller.out.over()).to.equal('BYE')
      await bench.inbound.bench.ended(caller.id)
      await allFree()
    })

    it('are refused where they cannot be, and the call goes on', async () => {
      const { out, back } = await between(anna.phone, anna.hz, 'ben', ben.phone, ben.hz)
      for (const to of [uri('nobody'), uri('anna'), uri('ben'), uri('+12025550100')]) {
        expect(await anna.phone.refer(out, to), to).to.equal(603)
      }
      for (const [phone, dialog] of [
        [anna.phone, out],
        [ben.phone, back],
      ] as const) {
        const second = phone.call('desk')
        expect(await second.answered()).to.equal(200)
        const unknown = `${uri('desk')}?Replaces=${encodeURIComponent('a@b;to-tag=1;from-tag=2')}`
        expect(await phone.refer(dialog, unknown)).to.equal(603)
        expect(await phone.refer(dialog, attended(dialog))).to.equal(603)
        expect(await phone.refer(dialog, `${uri('desk')}?Subject=x`)).to.equal(405)
        // the other one's call
        expect(await phone.refer(second, attended(dialog === out ? back : out))).to.equal(603)
        await hears(second, deskHz, 'who asks')
        await second.hangUp()
      }
      const { appliance } = bench.inbound.bench
      await appliance.killServer()
      expect(await anna.phone.refer(out, uri('cleo'))).to.equal(503)
      await appliance.startServer()
      await joined([out, anna.hz], [back, ben.hz])
      await out.hangUp()
      await back.over()
      await allFree()
    })

    it('take no call over that is not theirs', async () => {
      const { out, back } = await between(anna.phone, anna.hz, 'ben', ben.phone, ben.hz)
      for (const dialog of [out, back]) {
        const { callId, remoteTag, localTag } = dialog
        for (const value of [replaces(dialog), `${callId};to-tag=${localTag};from-tag=${remoteTag}`]) {
          const thief = await bench.phones.phone(deskAccount, { toneHz: 1300, headers: { Replaces: value } })
          const stolen = thief.call('cleo')
          expect(await stolen.answered()).to.equal(481)
        }
      }
      await joined([out, anna.hz], [back, ben.hz])
      await out.hangUp()
      await back.over()
      await allFree()
    })
  })
})
