/** Outbound calls, the same on the sandbox and on a real FreeSWITCH behind Kamailio with SIPp as carrier. */
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { availableSwitches } from '../support/appliance.js'
import { CallBench, feePerMinute } from '../support/call-bench.js'

const sentence = { action: 'tts', params: { text: 'Thank you for calling.' } }

for (const kind of await availableSwitches()) {
  describe(`outbound calls on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: CallBench

    before(async () => {
      bench = await CallBench.start(kind)
    })
    after(async () => bench?.stop())

    it('answers as the contract shows when a call is accepted', async () => {
      const answer = await bench.api.post('/calls/make', {
        to: { number: '+12025550100', name: 'Test line' },
        from: { number: '+12025550199', name: 'O\'Brien, Sons & "Co"' },
        actions: [sentence],
      })
      expect(answer.status).to.equal(201)
      expect(answer.body.data).to.include({ status: 'created', direction: 'outbound', job_status: 'queued' })
      expect(answer.body.data.call_id).to.match(/^call_/)
      expect(answer.body.data.job_id).to.match(/^job_/)
      expect(answer.body.data.to).to.deep.equal({ number: '+12025550100', name: 'Test line' })
      expect(answer.body.data.from).to.deep.equal({ number: '+12025550199', name: 'O\'Brien, Sons & "Co"' })
      const record = await bench.ended(answer.body.data.call_id as string)
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING', sip_code: 200 })
    })

    it('leaves a timeline in order, the true duration, and charges by the second', async () => {
      const before = await bench.balance()
      const id = await bench.call('+12025550100', [sentence])
      const record = await bench.ended(id)
      const timeline = await bench.timeline(id)
      expect(timeline.map(({ event }) => event)).to.deep.equal([
        'call.created',
        'call.ringing',
        'call.answered',
        'call.action',
        'call.ended',
      ])
      expect(timeline.map(({ sip_code }) => sip_code)).to.deep.equal([null, 180, 200, null, 200])
      const times = timeline.map(({ created_at }) => Date.parse(created_at))
      expect(times).to.deep.equal([...times].sort((a, b) => a - b))
      expect(timeline.at(-1)).to.include({ hangup_cause: 'NORMAL_CLEARING' })
      const talked = (times.at(-1)! - times[2]!) / 1000
      expect(record.duration).to.equal(Math.round(talked))
      expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 1e-6)
      expect(await bench.balance()).to.be.closeTo(before - record.cost, 1e-6)
    })

    const failures = [
      { number: '+12025550101', status: 'busy', hangup_cause: 'USER_BUSY', sip_code: 486 },
      { number: '+12025550103', status: 'failed', hangup_cause: 'UNALLOCATED_NUMBER', sip_code: 404 },
      { number: '+12025550104', status: 'failed', hangup_cause: 'CALL_REJECTED', sip_code: 603 },
      { number: '+12025550105', status: 'failed', hangup_cause: 'NORMAL_TEMPORARY_FAILURE', sip_code: 503 },
      { number: '+12025550108', status: 'failed', hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE', sip_code: 408 },
    ]
    for (const { number, ...end } of failures) {
      it(`ends a call to ${number} as ${end.status} with ${end.sip_code}, free of charge`, async () => {
        const id = await bench.call(number, [sentence])
        const record = await bench.ended(id)
        expect(record).to.include({ ...end, duration: 0, cost: 0, answered_at: null })
        const timeline = await bench.timeline(id)
        expect(timeline[0]?.event).to.equal('call.created')
        expect(timeline.at(-1)).to.include({
          event: 'call.ended',
          sip_code: end.sip_code,
          hangup_cause: end.hangup_cause,
        })
      })
    }

    it('sees early media as ringing, and the answer after it', async () => {
      const id = await bench.call('+12025550109', [{ action: 'hangup' }])
      await bench.ended(id)
      const timeline = await bench.timeline(id)
      expect(timeline.map(({ event, sip_code }) => `${event} ${sip_code}`)).to.deep.equal([
        'call.created null',
        'call.ringing 183',
        'call.answered 200',
        'call.action null',
        'call.ended 200',
      ])
    })

    it('ends with the called party, and does not go on with its script', async () => {
      const long = {
        action: 'tts',
        params: { text: 'one two three four five six seven eight nine ten '.repeat(4) },
      }
      const id = await bench.call('+12025550106', [long, long])
      const record = await bench.ended(id)
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(record.duration).to.be.within(2, 4)
    })

    it('hangs up after max_duration', async () => {
      const long = {
        action: 'tts',
        params: { text: 'one two three four five six seven eight nine ten '.repeat(4) },
      }
      const id = await bench.call('+12025550100', [long], { max_duration: 2 })
      const record = await bench.ended(id)
      expect(record.hangup_cause).to.equal('ALLOTTED_TIMEOUT')
      const { answered_at, ended_at } = record
      const talked = (Date.parse(ended_at!) - Date.parse(answered_at!)) / 1000
      // FreeSWITCH schedules by whole seconds of its clock.
      expect(talked).to.be.within(1, 4)
      expect(record.duration).to.equal(Math.round(talked))
    })

    it('rings no longer than max_duration', async () => {
      const began = Date.now()
      const id = await bench.call('+12025550102', [sentence], { max_duration: 3 })
      const record = await bench.ended(id, 20_000)
      expect(record).to.include({ status: 'no_answer', hangup_cause: 'NO_ANSWER', duration: 0 })
      expect(Date.now() - began).to.be.within(1_500, 12_000)
    })

    it('hangs up with the cause that the script names', async () => {
      const id = await bench.call('+12025550100', [
        { action: 'disconnect', params: { cause: 'USER_BUSY' } },
        sentence,
      ])
      expect(await bench.ended(id)).to.include({ status: 'completed', hangup_cause: 'USER_BUSY' })
    })

    it('hangs up a call without actions at once', async () => {
      const record = await bench.ended(await bench.call('+12025550100'))
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(record.duration).to.be.below(2)
    })

    it('cancels a ringing call', async () => {
      const id = await bench.call('+12025550102', [sentence])
      await bench.reaches(id, 'ringing')
      expect((await bench.api.post(`/calls/${id}/hangup`)).status).to.equal(200)
      expect(await bench.ended(id)).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL' })
      expect((await bench.api.post(`/calls/${id}/hangup`)).status).to.equal(400)
    })

    it('replaces the actions of a live call at once', async () => {
      const long = {
        action: 'tts',
        params: { text: 'one two three four five six seven eight nine ten '.repeat(9) },
      }
      const id = await bench.call('+12025550100', [long])
      await bench.reaches(id, 'started')
      const answer = await bench.api.put(`/calls/${id}/actions`, {
        actions: [sentence, { action: 'hangup' }],
      })
      expect(answer.status).to.equal(200)
      expect(answer.body.data).to.deep.equal({ call_id: id, queued: true, action_count: 2 })
      const record = await bench.ended(id)
      expect(record.duration).to.be.below(8)
    })

    it('refuses other actions for a call that is not answered or has ended', async () => {
      const ringing = await bench.call('+12025550102', [sentence])
      await bench.reaches(ringing, 'ringing')
      const early = await bench.api.put(`/calls/${ringing}/actions`, { actions: [sentence] })
      expect(early.status).to.equal(400)
      await bench.api.post(`/calls/${ringing}/hangup`)
      await bench.ended(ringing)
      const late = await bench.api.put(`/calls/${ringing}/actions`, { actions: [sentence] })
      expect(late.status).to.equal(400)
    })

    describe('over gateways of several addresses', () => {
      it('goes on from a dead address to the next within seconds', async () => {
        await bench.connectNumber('2025550151', [bench.deadUri(1), bench.healthyUri(2)])
        const id = await bench.call('+12025550100', [sentence], { from: { number: '+12025550151' } })
        const record = await bench.ended(id)
        expect(record).to.include({ status: 'completed', sip_code: 200 })
        expect(record.legs.map(({ sip_code }) => sip_code)).to.deep.equal([408, null])
        expect(Date.parse(record.answered_at!) - Date.parse(record.created_at)).to.be.below(6_000)
      })

      it('goes on after 503, and ends with the last failure', async () => {
        await bench.connectNumber('2025550152', [bench.healthyUri(1), bench.healthyUri(2)])
        const id = await bench.call('+12025550105', [sentence], { from: { number: '+12025550152' } })
        const record = await bench.ended(id)
        expect(record).to.include({ status: 'failed', sip_code: 503 })
        expect(record.legs).to.have.length(2)
      })

      for (const [number, sipCode] of [
        ['+12025550101', 486],
        ['+12025550103', 404],
        ['+12025550104', 603],
      ] as const) {
        it(`never tries the second address after ${sipCode}`, async () => {
          const own = `20255501${String(60 + (sipCode % 7))}`
          await bench.connectNumber(own, [bench.healthyUri(1), bench.healthyUri(2)])
          const id = await bench.call(number, [sentence], { from: { number: `+1${own}` } })
          const record = await bench.ended(id)
          expect(record.sip_code).to.equal(sipCode)
          expect(record.legs).to.have.length(1)
        })
      }
    })

    describe('to_operator', () => {
      const toOperator = (phone_number: string, more: object = {}) => ({
        action: 'to_operator',
        params: { phone_number, ...more },
      })

      it('joins both until the operator leaves, then goes on with the script', async () => {
        const id = await bench.call('+12025550100', [toOperator('+12025550106'), sentence])
        await bench.reaches(id, 'active')
        const record = await bench.ended(id)
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(record.legs.map(({ role }) => role)).to.deep.equal(['called', 'destination'])
        expect(record.legs[1]!.ended_at).to.not.equal(null)
        expect(record.legs[1]!.ended_at! < record.ended_at!).to.equal(true)
      })

      it('lets the operator go when the called party leaves', async () => {
        const id = await bench.call('+12025550106', [toOperator('+12025550100'), sentence])
        const record = await bench.ended(id)
        expect(record.status).to.equal('completed')
        const legs = (await bench.record(id)).legs
        expect(legs[1]!.role).to.equal('destination')
      })

      it('goes on with the next action when the operator is busy', async () => {
        const id = await bench.call('+12025550100', [
          toOperator('+12025550101'),
          { action: 'hangup', params: { cause: 'NUMBER_CHANGED' } },
        ])
        const record = await bench.ended(id)
        expect(record.hangup_cause).to.equal('NUMBER_CHANGED')
        expect(record.legs[1]).to.include({ hangup_cause: 'USER_BUSY', sip_code: 486 })
      })

      it('gives up after its timeout', async () => {
        const id = await bench.call('+12025550100', [toOperator('+12025550102', { timeout: 2 })])
        const record = await bench.ended(id)
        expect(record.status).to.equal('completed')
        expect(record.duration).to.be.within(1, 5)
        expect(record.legs[1]!.hangup_cause).to.be.oneOf(['NO_ANSWER', 'ALLOTTED_TIMEOUT'])
      })

      it('charges both legs', async () => {
        const id = await bench.call('+12025550100', [toOperator('+12025550106')])
        const record = await bench.ended(id)
        const one = (billed(record) * feePerMinute) / 60
        expect(record.cost)
          .to.be.above(one)
          .and.at.most(2 * one + 1e-6)
      })
    })
  })
}
