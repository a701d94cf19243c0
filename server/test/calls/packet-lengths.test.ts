/** Peers that send other packets than they announce, on a real FreeSWITCH: sound passes in real time, both ways. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
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
})
