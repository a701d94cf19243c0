/** Peers that send other packets than they announce, on a real FreeSWITCH: sound passes in real time, both ways. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { InboundBench } from '../support/inbound-bench.js'
import { recordingIs, soundOf, uploadTone } from '../recordings/recorded.js'
import { toneLevel } from '../support/tone.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, heardIn, hears } from '../support/phone-dialog.js'

const aliceHz = 500
const bobHz = 900

/** Milliseconds in each packet; all announce 20. */
const lengths = [30, 40, 60] as const

describe('packets of another length than announced, on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
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
      lengths.map(async (ms) => {
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

  it('hear what a flow plays, and are recorded, in real time', async () => {
    const trunk = InboundBench.on(phones.bench)
    const audio_id = await uploadTone(phones.api, bobHz, 5)
    const click = await uploadTone(phones.api, bobHz, 0.02)
    await trunk.runs([
      { id: 'record', type: 'recording', next: { default: 'play' } },
      { id: 'play', type: 'play', params: { audio_id }, next: { default: 'wait' } },
      { id: 'wait', type: 'menu', params: { audio_id: click, timeout: 30 }, next: { '1': 'wait' } },
    ])
    await Promise.all(
      lengths.map(async (ms) => {
        const caller = await trunk.caller({ toneHz: aliceHz })
        caller.ear.packetLasts(ms)
        const call = caller.call(trunk.number)
        expect(await call.answered()).to.equal(200)
        expect(await pace(call), `at who sends ${ms} ms`).to.be.within(0.9, 1.1)
        expect(hears(call, bobHz), `at who sends ${ms} ms`).to.be.above(0.9)
        await sleep(2_000)
        await call.hangUp()
      }),
    )
    const { body } = await phones.api.get(`/calls?limit=${lengths.length}`)
    for (const { call_id } of body.data as { call_id: string }[]) {
      const { channels, seconds } = await soundOf(phones.api, await recordingIs(phones.api, call_id, 'ready'))
      expect(seconds, 'the recording').to.be.above(5)
      const played = channels[0]!.subarray(12_000, 28_000)
      for (const hz of [aliceHz, bobHz]) expect(toneLevel(played, hz), `${hz} Hz`).to.be.above(0.4)
    }
  })
})
