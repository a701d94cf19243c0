/** Peers that send other packets than they sign, on a real FreeSWITCH: sound passes in real time, both ways. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, heardIn, hears } from '../support/phone-dialog.js'
import { recordingIs, soundOf, uploadTone } from '../recordings/recorded.js'
import { toneLevel } from '../support/tone.js'

const aliceHz = 500
const bobHz = 900
const promptHz = 1300

/** Milliseconds in each packet; all sign 20. */
const lengths = [10, 30, 40, 60] as const

describe('packets of another length than was signed, on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let trunk: InboundBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    trunk = InboundBench.on(phones.bench)
  })
  after(async () => phones?.stop())

  /** Seconds of sound that come in a second of wall clock. */
  const pace = async (dialog: PhoneDialog): Promise<number> => {
    await sleep(1_500)
    const [from, at] = [heardIn(dialog).length, Date.now()]
    await sleep(3_000)
    return (heardIn(dialog).length - from) / 8 / (Date.now() - at)
  }

  it('pass between two phones in real time', async () => {
    const bob = await phones.phone(await phones.account('bob'), { toneHz: bobHz })
    await Promise.all(
      lengths.slice(1).map(async (ms) => {
        const account = await phones.account(`alice${ms}`)
        const alice = await phones.phone(account, { toneHz: aliceHz })
        alice.ear.packetLasts(ms)
        const call = alice.call('bob')
        expect(await call.answered()).to.equal(200)
        expect(await pace(call), `at who sends ${ms} ms`).to.be.within(0.85, 1.1)
        expect(hears(call, bobHz), `at who sends ${ms} ms`).to.be.above(0.9)
      }),
    )
    const paces = await Promise.all(bob.incoming.map(pace))
    for (const [index, called] of bob.incoming.entries()) {
      expect(paces[index], `at the far end of ${called.remote}`).to.be.within(0.85, 1.1)
      expect(hears(called, aliceHz), `at the far end of ${called.remote}`).to.be.above(0.9)
    }
    await Promise.all(bob.incoming.map(async (called) => called.hangUp()))
  })

  it('do not slow down what a flow plays and records', async () => {
    const audio_id = await uploadTone(phones.api, promptHz, 20)
    await trunk.runs([
      { id: 'record', type: 'recording', next: { default: 'play' } },
      { id: 'play', type: 'play', params: { audio_id } },
    ])
    await Promise.all(
      lengths.map(async (ms) => {
        const carrier = await trunk.caller({ toneHz: aliceHz, username: `+121255501${ms}` })
        carrier.ear.packetLasts(ms)
        const call = await trunk.answeredCall(carrier)
        expect(await pace(call), `${ms} ms`).to.be.within(0.85, 1.1)
        expect(hears(call, promptHz), `${ms} ms`).to.be.above(0.9)
        await call.hangUp()
      }),
    )
    const { body } = await phones.api.get('/calls?limit=10')
    for (const ms of lengths) {
      const made = body.data as { call_id: string; from: string }[]
      const record = await phones.bench.ended(made.find(({ from }) => from.endsWith(`01${ms}`))!.call_id)
      const { channels, seconds } = await soundOf(
        phones.api,
        await recordingIs(phones.api, record.call_id, 'ready'),
      )
      const talked = (Date.parse(record.ended_at!) - Date.parse(record.answered_at!)) / 1000
      expect(seconds, `of ${talked} s, ${ms} ms`).to.be.within(talked - 1, talked + 0.1)
      expect(toneLevel(channels[0]!.subarray(4_000), aliceHz), `${ms} ms`).to.be.above(0.4)
    }
  })
})
