/** What actions let a call hear, when they answer it, and how they end it, at the wire. */
import { expect } from 'chai'
import {
  ActionsBench,
  type Direction,
  type TestAction,
  type TestCall,
  asFlow,
  directions,
  hz,
} from '../support/actions-bench.js'
import { CustomerServer, answering } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { header } from '../support/sip-message.js'

interface Row {
  title: string
  script: (bench: ActionsBench) => Promise<TestAction[]>
  /** Tones in order. */
  heard: number[]
  /** What the actions came to. */
  outcomes: string[]
}

const wait = (seconds: number): TestAction => ({
  action: 'ivr',
  params: { timeout: seconds, webhook_url: 'https://customer.test/' },
})

const rows: Row[] = [
  {
    title: 'one audio after the other',
    script: async (bench) => [await bench.tone(hz.low, 1), await bench.tone(hz.high, 0.5)],
    heard: [hz.low, hz.high],
    outcomes: ['play:completed', 'play:completed'],
  },
  {
    title: 'an audio in the background of what comes behind it',
    script: async (bench) => [
      await bench.tone(hz.low, 6, { continue_on_play: true }),
      wait(1),
      await bench.tone(hz.high, 0.5),
      wait(1),
    ],
    heard: [hz.low, hz.high, hz.low],
    outcomes: ['play:completed', 'ivr:timeout', 'play:completed', 'ivr:timeout'],
  },
  {
    title: 'speech between audios',
    script: async (bench) => [
      await bench.tone(hz.low, 0.5),
      { action: 'tts', params: { text: 'This is said in between.', speed: 1.5 } },
      await bench.tone(hz.high, 0.5),
    ],
    heard: [hz.low, hz.high],
    outcomes: ['play:completed', 'tts:completed', 'play:completed'],
  },
  {
    title: 'nothing of a text that says nothing, and what comes behind it',
    script: async (bench) => [{ action: 'tts', params: { text: '… !' } }, await bench.tone(hz.high, 0.5)],
    heard: [hz.high],
    outcomes: ['tts:completed', 'play:completed'],
  },
]

/** Actions that end the call where they shall not continue, and what they come to. */
const last: [action: TestAction, outcome: string][] = [
  [{ action: 'tts', params: { text: 'Good bye.' } }, 'completed'],
  [{ action: 'ivr', params: { timeout: 1 } }, 'timeout'],
  [{ action: 'recording' }, 'completed'],
  [{ action: 'voicemail', params: { max_duration: 1, beep: false } }, 'completed'],
]

/** Causes whose SIP status a carrier acts on. */
const statuses: Record<string, number> = {
  USER_BUSY: 486,
  UNALLOCATED_NUMBER: 404,
  NO_ROUTE_DESTINATION: 404,
  CALL_REJECTED: 603,
  NO_ANSWER: 480,
  SUBSCRIBER_ABSENT: 480,
  NORMAL_CLEARING: 480,
  INVALID_NUMBER_FORMAT: 484,
  NORMAL_TEMPORARY_FAILURE: 503,
  SWITCH_CONGESTION: 503,
  NORMAL_CIRCUIT_CONGESTION: 503,
  INCOMING_CALL_BARRED: 403,
  OUTGOING_CALL_BARRED: 403,
  NO_USER_RESPONSE: 408,
  DESTINATION_OUT_OF_ORDER: 502,
  NETWORK_OUT_OF_ORDER: 503,
  RECOVERY_ON_TIMER_EXPIRE: 504,
  NUMBER_CHANGED: 410,
  NORMAL_UNSPECIFIED: 480,
  BEARERCAPABILITY_NOTAVAIL: 503,
  SERVICE_UNAVAILABLE: 480,
  INTERWORKING: 480,
}

/** The same causes by their numbers in Q.850. */
const q850: Record<string, number> = {
  NORMAL_CLEARING: 16,
  USER_BUSY: 17,
  CALL_REJECTED: 21,
  UNALLOCATED_NUMBER: 1,
}

describe('what actions let a call hear on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let customer: CustomerServer

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    customer = await CustomerServer.start()
    bench = await ActionsBench.start({ settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32' } })
  })
  after(async () => {
    await bench?.stop()
    await customer?.stop()
  })

  for (const direction of directions) {
    for (const row of rows) it(`${direction}: ${row.title}`, async () => check(row, direction))
  }

  async function check({ script, heard, outcomes }: Row, direction: Direction): Promise<void> {
    const call = await bench.run(direction, await script(bench))
    const { by, record } = await call.over()
    expect(by).to.equal('BYE')
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING', sip_code: 200 })
    expect(call.tones).to.deep.equal(heard)
    expect(await call.outcomes()).to.deep.equal(outcomes)
  }

  it('speech as fast as it is wanted, and by the voice that is wanted', async () => {
    const length = async (params: object): Promise<number> => {
      const text = 'One, two, three, four.'
      const call = await bench.run('outbound', [{ action: 'tts', params: { text, ...params } }])
      await call.over()
      return call.samples / 8_000
    }
    const [slow, fast] = [await length({ speed: 0.5 }), await length({ speed: 2 })]
    expect(slow).to.be.above(fast * 2)
    const finnish = await length({ speed: 0.5, voice: 'fi' })
    expect(finnish - slow, 'Finnish takes its time').to.be.above(0.2)
  })

  for (const direction of directions) {
    it(`${direction}: an audio in the background that is the last action to its end, then nothing`, async () => {
      const inBackground = { continue_on_play: true }
      const script = [await bench.tone(hz.high, 0.5), await bench.tone(hz.low, 2, inBackground)]
      const call = await bench.run(direction, script)
      const { by, record } = await call.over()
      expect(by).to.equal('BYE')
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(call.tones).to.deep.equal([hz.high, hz.low])
      expect(call.samples / 8_000, 'seconds').to.be.within(2.3, 4.5)
      expect(await call.outcomes()).to.deep.equal(['play:completed', 'play:completed'])
    })
  }

  it('no audio in the background beyond the last action that came behind it', async () => {
    const inBackground = { continue_on_play: true }
    const script = [await bench.tone(hz.low, 8, inBackground), await bench.tone(hz.high, 1)]
    const call = await bench.run('outbound', script)
    await call.over()
    expect(call.tones.at(-1)).to.equal(hz.high)
    expect(call.samples / 8_000, 'seconds').to.be.below(4)
  })

  it('what comes behind an audio that was deleted since, even where it shall not continue', async () => {
    const deleted = await bench.tone(hz.middle, 0.7)
    const script = [
      await bench.tone(hz.low, 2),
      { ...deleted, continue: false },
      await bench.tone(hz.high, 0.5),
    ]
    const call = await bench.run('outbound', script)
    await call.hears(hz.low)
    const { audio_id } = deleted.params as { audio_id: string }
    expect((await bench.api.delete(`/audios/${audio_id}`)).status).to.equal(200)
    await call.over()
    expect(call.tones).to.deep.equal([hz.low, hz.high])
    expect(await call.outcomes()).to.deep.equal(['play:completed', 'play:failed', 'play:completed'])
  })

  it('nothing more when an action shall not continue', async () => {
    const call = await bench.run('outbound', [
      { ...(await bench.tone(hz.low, 0.5)), continue: false },
      await bench.tone(hz.high, 0.5),
    ])
    const { record } = await call.over()
    expect(record.hangup_cause).to.equal('NORMAL_CLEARING')
    expect(call.tones).to.deep.equal([hz.low])
  })

  for (const [action, outcome] of last) {
    it(`nothing more when ${action.action} shall not continue`, async () => {
      const url = { webhook_url: 'https://customer.test/' }
      const params = { ...action.params, ...(action.action === 'ivr' && url) }
      const call = await bench.run('outbound', [
        { ...action, params, continue: false },
        await bench.tone(hz.high, 0.5),
      ])
      const { record } = await call.over()
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(call.tones).to.not.include(hz.high)
      expect(await call.outcomes()).to.deep.equal([`${action.action}:${outcome}`])
    })
  }

  describe('before it is answered', () => {
    it('an audio that shall not answer, and is refused at the end of the flow', async () => {
      const call = await bench.ring(asFlow([await bench.tone(hz.low, 1, { answer_call: false })]))
      expect(await call.dialog.answered()).to.equal(480)
      expect(call.dialog.statuses).to.include(183).and.not.include(200)
      expect(call.tones).to.deep.equal([hz.low])
      const { record } = await call.over()
      expect(record).to.include({ status: 'failed', hangup_cause: 'NORMAL_CLEARING', sip_code: 480, cost: 0 })
    })

    it('an audio that shall not answer, and then one that does', async () => {
      const call = await bench.ring(
        asFlow([await bench.tone(hz.low, 1, { answer_call: false }), await bench.tone(hz.high, 0.5)]),
      )
      await call.hears(hz.low)
      expect(call.dialog.statuses).to.not.include(200)
      expect((await bench.calls.record(call.id)).answered_at).to.equal(null)
      expect(await call.dialog.answered()).to.equal(200)
      await call.over()
      expect(call.tones).to.deep.equal([hz.low, hz.high])
    })

    it('what answers or not by auto_answer, unless answer_call says otherwise; keys count too', async () => {
      const actions = [
        { ...(await bench.tone(hz.low, 8)), auto_answer: false },
        { action: 'ivr', params: { timeout: 5 }, auto_answer: false },
        { ...(await bench.tone(hz.middle, 0.5, { answer_call: false })), auto_answer: true },
        { ...(await bench.tone(hz.high, 0.5, { answer_call: true })), auto_answer: false },
      ]
      const url = customer.on('/actions', answering({ actions }))
      const call = await bench.ring([{ id: 'ask', type: 'json_call_action', params: { url } }])
      await call.dialog.heard(183)
      await call.hears(hz.low)
      call.press('8')
      await call.hears(hz.middle)
      expect(call.dialog.statuses).to.not.include(200)
      expect(await call.dialog.answered()).to.equal(200)
      await call.over()
      expect(call.tones).to.deep.equal([hz.low, hz.middle, hz.high])
      expect(await call.events('call.ivr_collected')).to.deep.equal([{ digits: '8', status: 'completed' }])
    })

    it('speech that shall not answer, and the refusal behind it', async () => {
      const actions = [
        { action: 'tts', params: { text: 'We are closed.' }, auto_answer: false },
        { ...(await bench.tone(hz.low, 1, { continue_on_play: true })), auto_answer: false },
        { ...(await bench.tone(hz.high, 0.5)), auto_answer: false },
        { action: 'disconnect', params: { cause: 'USER_BUSY' } },
      ]
      const url = customer.on('/closed', answering({ actions }))
      const call = await bench.ring([{ id: 'ask', type: 'json_call_action', params: { url } }])
      expect(await call.dialog.answered()).to.equal(486)
      expect(call.dialog.statuses).to.include(183).and.not.include(200)
      expect(call.samples / 8_000, 'speech and tone').to.be.above(1)
      expect(call.tones.at(-1)).to.equal(hz.high)
      const { record } = await call.over()
      expect(record).to.include({ status: 'busy', sip_code: 486, cost: 0 })
      expect(await call.outcomes()).to.deep.equal([
        ...['tts:completed', 'play:completed', 'play:completed', 'disconnect:completed'],
      ])
    })

    for (const [cause, status] of Object.entries(statuses)) {
      it(`SIP ${status} for ${cause}`, async () => {
        const call = await bench.ring([{ id: 'bye', type: 'disconnect', params: { cause } }])
        expect(await call.dialog.answered()).to.equal(status)
        const { record } = await call.over()
        expect(record).to.include({ hangup_cause: cause, sip_code: status, cost: 0 })
        expect(await call.outcomes()).to.deep.equal(['disconnect:completed'])
      })
    }
  })

  for (const [cause, number] of Object.entries(q850)) {
    it(`at its end ${cause}, as ${number} of Q.850`, async () => {
      const script = [await bench.tone(hz.low, 0.5), { action: 'hangup', params: { cause } }]
      for (const direction of directions) {
        const call = await bench.run(direction, script)
        const { record } = await call.over()
        expect(record).to.include({ status: 'completed', hangup_cause: cause, sip_code: 200 })
        expect(await call.outcomes()).to.deep.equal(['play:completed', 'hangup:completed'])
        expect(reasonOf(call)).to.match(new RegExp(`^Q\\.850;cause=${number};`))
      }
    })
  }
})

/** Why the switch says that it hangs up. */
function reasonOf({ dialog }: TestCall): string | undefined {
  const bye = dialog.received.find((text) => text.startsWith('BYE '))
  return bye && header({ text: bye }, 'Reason')
}
