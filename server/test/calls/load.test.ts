/** Many calls at once: none loses an event, none leaves a channel or a row behind. */
import { expect } from 'chai'
import { createConnection } from 'mysql2/promise'
import { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import { Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { pino } from 'pino'
import { realestSwitch } from '../support/appliance.js'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'

/** What each number must come to. */
const outcomes: Record<string, { status: string; events: number }> = {
  '+12025550100': { status: 'completed', events: 4 },
  '+12025550101': { status: 'busy', events: 2 },
  '+12025550103': { status: 'failed', events: 2 },
  '+12025550106': { status: 'completed', events: 4 },
}

for (const kind of [await realestSwitch()]) {
  describe(`many calls on the ${kind}`, function () {
    this.timeout(120_000)
    let bench: CallBench

    before(async () => {
      bench = await CallBench.start(kind)
      await bench.ended(await bench.call('+12025550100', [{ action: 'tts', params: { text: 'One, two.' } }]))
    })
    after(async () => bench?.stop())

    it('fifty at once, and whoever answers hears what is said', async () => {
      bench.carrier?.ear.clear()
      const numbers = Object.keys(outcomes)
      const calls = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const number = numbers[index % numbers.length]!
          const id = await bench.call(number, [{ action: 'tts', params: { text: 'One, two.' } }])
          return { number, id }
        }),
      )
      for (const { number, id } of calls) {
        const { status, events } = outcomes[number]!
        expect((await bench.ended(id, 60_000)).status, number).to.equal(status)
        const timeline = (await bench.timeline(id)).filter(({ event }) => event !== 'call.action')
        expect(timeline, number).to.have.length(events)
        expect(timeline[0]?.event).to.equal('call.created')
        expect(timeline.at(-1)?.event).to.equal('call.ended')
      }
      if (!bench.carrier) return
      const answered = calls.filter(({ number }) => outcomes[number]!.status === 'completed')
      const heard = bench.carrier.ear
        .heard()
        .filter(({ pcm }) => pcm.some((sample) => Math.abs(sample) > 2_000))
      expect(heard).to.have.length(answered.length)
    })

    it('leaves no row live, no job, and no channel', async () => {
      const { mariadb, databaseName } = bench.appliance
      const { host, port, user, password } = mariadb
      const connection = await createConnection({ host, port, user, password, database: databaseName })
      const [rows] = await connection.query(
        `SELECT (SELECT COUNT(*) FROM calls WHERE live = 1) AS live, (SELECT COUNT(*) FROM outbox) AS jobs,
                (SELECT COUNT(*) FROM call_legs WHERE ended_at IS NULL) AS legs`,
      )
      await connection.end()
      expect((rows as object[])[0]).to.deep.equal({ live: 0, jobs: 0, legs: 0 })
      const link = new SwitchLink(bench.appliance.eventSocket, pino({ level: 'silent' }))
      link.start()
      await new Promise((done) => link.once('up', done))
      const board = new Switchboard(link)
      await eventually(
        async () => board.channelIds(),
        (ids) => ids.length === 0,
        { what: 'switch without channels' },
      )
      await link.stop()
    })
  })
}
