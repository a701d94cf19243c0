/** Calls when something dies: each ends in the table with the right cause and its true duration. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { realestSwitch } from '../support/appliance.js'
import { type CallRecord, CallBench } from '../support/call-bench.js'
import { startMariadb } from '../support/mariadb.js'

const count = 'one two three four five six seven eight nine ten '
const speech = (times: number) => ({ action: 'tts', params: { text: count.repeat(times) } })

const lasted = ({ answered_at, ended_at }: CallRecord) =>
  answered_at === null ? 0 : (Date.parse(ended_at!) - Date.parse(answered_at)) / 1000

for (const kind of [await realestSwitch()]) {
  describe(`faults on the ${kind}`, function () {
    this.timeout(120_000)
    let bench: CallBench

    before(async () => {
      bench = await CallBench.start(kind)
      // Rendered once, so that a script's length is known.
      await bench.ended(await bench.call('+12025550100', [speech(1)]))
      await bench.ended(await bench.call('+12025550101', [speech(2)]))
    })
    after(async () => bench?.stop())

    async function expectWhole(id: string): Promise<CallRecord> {
      const record = await bench.ended(id, 30_000)
      const timeline = (await bench.timeline(id)).filter(({ event }) => event !== 'call.action')
      expect(timeline.filter(({ event }) => event === 'call.ended')).to.have.length(1)
      expect(timeline[0]?.event).to.equal('call.created')
      expect(timeline.at(-1)?.event).to.equal('call.ended')
      expect(new Set(timeline.map(({ event }) => event)).size).to.equal(timeline.length)
      expect(record.duration).to.equal(Math.round(lasted(record)))
      return record
    }

    it('a call that was accepted is placed, though the server is killed in the next instant', async () => {
      const id = await bench.call('+12025550100', [{ action: 'hangup' }])
      await bench.appliance.killServer()
      await bench.appliance.startServer()
      const record = await expectWhole(id)
      expect(record).to.include({ status: 'completed', sip_code: 200 })
    })

    it('kill -9 in the middle of ten calls: each goes on or is found ended', async () => {
      const playing = await Promise.all(
        [1, 2, 3].map(async () => bench.call('+12025550100', [speech(1), speech(1)])),
      )
      const leaving = await Promise.all([1, 2, 3].map(async () => bench.call('+12025550106', [speech(3)])))
      const ringing = await Promise.all([1, 2].map(async () => bench.call('+12025550102', [speech(1)])))
      const talking = await Promise.all(
        [1, 2].map(async () =>
          bench.call('+12025550100', [{ action: 'to_operator', params: { phone_number: '+12025550100' } }]),
        ),
      )
      for (const id of [...playing, ...leaving]) await bench.reaches(id, 'started')
      for (const id of ringing) await bench.reaches(id, 'ringing')
      for (const id of talking) await bench.reaches(id, 'active')
      const killedAt = Date.now()
      await bench.appliance.killServer()
      await sleep(3_000)
      await bench.appliance.startServer()
      const away = (Date.now() - killedAt) / 1000

      for (const id of leaving) {
        const record = await expectWhole(id)
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(lasted(record), 'ended while the server was away').to.be.within(1.8, 3)
      }
      for (const id of playing) {
        const record = await expectWhole(id)
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(lasted(record), 'played both to the end, neither twice').to.be.within(4, 8 + away)
      }
      for (const id of talking) {
        expect((await bench.record(id)).status).to.equal('active')
        expect((await bench.api.post(`/calls/${id}/hangup`)).status).to.equal(200)
        expect((await expectWhole(id)).status).to.equal('completed')
      }
      for (const id of ringing) {
        expect((await bench.record(id)).status).to.equal('ringing')
        await bench.api.post(`/calls/${id}/hangup`)
        expect((await expectWhole(id)).status).to.equal('canceled')
      }
    })

    it('calls that were to be recorded, and over before the server is back, are recorded or say why not', async () => {
      await bench.api.patch(`/phone-numbers/${bench.numberId}`, { record_outbound: true })
      const byScript = { action: 'recording', params: {} }
      const ids = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          await sleep(index * 60)
          return bench.call('+12025550106', [...(index % 2 === 0 ? [byScript] : []), speech(3)])
        }),
      )
      await eventually(
        async () => bench.record(ids.at(-1)!),
        ({ status }) => status !== 'created',
        { what: 'the last call at its far end' },
      )
      await bench.appliance.killServer()
      await sleep(3_000)
      await bench.appliance.startServer()
      for (const id of ids) {
        expect(await expectWhole(id)).to.include({ status: 'completed' })
        const recordings = (await bench.api.get(`/recordings?call_id=${id}`)).body.meta.total as number
        const notes = (await bench.timeline(id)).filter(({ details }) => details?.action === 'recording')
        const failed = notes.filter(({ details }) => details?.outcome === 'failed')
        expect(failed, `${recordings} recordings`).to.have.length(recordings === 0 ? 1 : 0)
      }
      await bench.api.patch(`/phone-numbers/${bench.numberId}`, { record_outbound: false })
    })

    it('a playback is heard once, wherever the server was killed in it', async () => {
      const whole = lasted(
        await bench.ended(await bench.call('+12025550100', [speech(1), speech(1), speech(1)])),
      )
      const id = await bench.call('+12025550100', [speech(1), speech(1), speech(1)])
      await bench.reaches(id, 'started')
      await sleep(((whole * 1000) / 3) * 1.4)
      const killedAt = Date.now()
      await bench.appliance.killServer()
      await bench.appliance.startServer()
      // What played when it was killed may end before it is back: then the call waits for it.
      const waited = Math.max(0, (Date.now() - killedAt) / 1000 - (whole / 3) * 0.6)
      const record = await expectWhole(id)
      expect(lasted(record)).to.be.closeTo(whole + waited, 1)
    })

    it('a graceful restart loses nothing', async () => {
      const ids = await Promise.all(
        [1, 2, 3].map(async () => bench.call('+12025550100', [speech(1), speech(1)])),
      )
      for (const id of ids) await bench.reaches(id, 'started')
      expect(await bench.appliance.stopServer()).to.equal(0)
      await bench.appliance.startServer()
      for (const id of ids) expect(await expectWhole(id)).to.include({ status: 'completed' })
    })

    it('a cut link to the switch: calls go on, and what ended meanwhile is found', async () => {
      const playing = await Promise.all(
        [1, 2, 3].map(async () => bench.call('+12025550100', [speech(1), speech(1)])),
      )
      const leaving = await Promise.all([1, 2].map(async () => bench.call('+12025550106', [speech(3)])))
      for (const id of [...playing, ...leaving]) await bench.reaches(id, 'started')
      await bench.appliance.cutLink(3_000)
      for (const id of leaving) expect(lasted(await expectWhole(id))).to.be.within(1.8, 3)
      for (const id of playing) {
        const record = await expectWhole(id)
        expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
        expect(lasted(record)).to.be.within(4, 12)
      }
    })

    it('a switch that crashes: its calls end as such, and new calls work', async () => {
      const talking = await Promise.all([1, 2].map(async () => bench.call('+12025550100', [speech(5)])))
      const ringing = await bench.call('+12025550102', [speech(1)])
      for (const id of talking) await bench.reaches(id, 'started')
      await bench.reaches(ringing, 'ringing')
      await sleep(1_000)
      const crashed = Date.now()
      await bench.appliance.crashSwitch()
      for (const id of talking) {
        const record = await expectWhole(id)
        expect(record).to.include({ status: 'completed', hangup_cause: 'CRASH' })
        expect(Date.parse(record.ended_at!)).to.be.closeTo(crashed, 1_500)
      }
      expect(await expectWhole(ringing)).to.include({ status: 'failed', hangup_cause: 'CRASH' })
      const next = await bench.ended(await bench.call('+12025550100', [{ action: 'hangup' }]))
      expect(next).to.include({ status: 'completed', sip_code: 200 })
    })

    it('a machine that was off: its calls end when it was last heard of', async () => {
      const talking = await bench.call('+12025550100', [speech(5)])
      await bench.reaches(talking, 'started')
      await sleep(2_000)
      const heardAt = Date.now()
      await bench.appliance.killServer()
      await sleep(5_000)
      await bench.appliance.crashSwitch()
      await bench.appliance.startServer()
      const record = await expectWhole(talking)
      expect(record).to.include({ status: 'completed', hangup_cause: 'CRASH' })
      expect(Date.parse(record.ended_at!)).to.be.within(heardAt - 2_500, heardAt + 500)
    })
  })
}

for (const kind of [await realestSwitch()]) {
  describe(`a server that is killed where no journal is kept, on the ${kind}`, function () {
    this.timeout(120_000)

    it('charges what ended meanwhile to when it was last heard of', async () => {
      const bench = await CallBench.start(kind, { settings: { JACKFIELD_SWITCH_JOURNAL: '' } })
      try {
        const leaving = await bench.call('+12025550106', [speech(3)])
        const talking = await bench.call('+12025550100', [
          { action: 'to_operator', params: { phone_number: '+12025550106' } },
          speech(3),
        ])
        await bench.reaches(leaving, 'started')
        await bench.reaches(talking, 'active')
        const killedAt = Date.now()
        await bench.appliance.killServer()
        await sleep(5_000)
        await bench.appliance.startServer()
        const left = await bench.ended(leaving, 30_000)
        expect(left).to.include({ status: 'completed', hangup_cause: 'NORMAL_UNSPECIFIED' })
        expect(Date.parse(left.ended_at!)).to.be.at.most(killedAt + 500)
        await bench.api.post(`/calls/${talking}/hangup`)
        const { legs, ended_at } = await bench.ended(talking, 30_000)
        // The one that lives is charged to its end.
        expect(Date.parse(ended_at!)).to.be.at.least(killedAt + 5_000)
        const operator = legs.find(({ role }) => role === 'destination')
        expect(Date.parse(operator!.ended_at!)).to.be.at.most(killedAt + 500)
      } finally {
        await bench.stop()
      }
    })
  })
}

for (const kind of [await realestSwitch()]) {
  describe(`a database that goes away, on the ${kind}`, function () {
    this.timeout(120_000)

    it('for ten seconds: calls go on, and their ends are written when it is back', async () => {
      const mariadb = await startMariadb()
      const bench = await CallBench.start(kind, { mariadb })
      try {
        await bench.ended(await bench.call('+12025550100', [speech(1)]))
        const ids = await Promise.all([1, 2, 3].map(async () => bench.call('+12025550106', [speech(2)])))
        for (const id of ids) await bench.reaches(id, 'started')
        await mariadb.pause()
        const { status, body } = await bench.api.get('/calls')
        expect(status).to.equal(500)
        expect(body).to.deep.equal({
          statusCode: 500,
          message: 'Internal error',
          error: 'Internal Server Error',
        })
        await sleep(10_000)
        await mariadb.resume()
        for (const id of ids) {
          const record = await bench.ended(id, 30_000)
          expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
          expect(lasted(record)).to.be.within(1.8, 3)
        }
      } finally {
        await bench.stop()
        await mariadb.stop()
      }
    })
  })
}
