/** Far ends that send nothing, on a real FreeSWITCH: one that holds or is muted keeps its call, one that is gone does not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const aliceHz = 500
const bobHz = 900

/** How long they are silent: longer than a far end may be before it is asked. */
const silentMs = 90_000

/** Forms of hold: RFC 3264, and the address of RFC 2543. */
const forms = {
  sendonly: (sdp: string) => `${sdp}a=sendonly\r\n`,
  inactive: (sdp: string) => `${sdp}a=inactive\r\n`,
  '0.0.0.0': (sdp: string) => sdp.replace(/^c=IN IP4 \S+/m, 'c=IN IP4 0.0.0.0'),
} as const

interface Pair {
  what: string
  silent: PhoneDialog
  other: PhoneDialog
  silentHz: number
  otherHz: number
  isHeld: boolean
}

describe('far ends that send nothing, on the freeswitch', function () {
  this.timeout(180_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    const account = await phones.account('alice')
    alice = await phones.phone(account, { toneHz: aliceHz })
    bob = await phones.phone(await phones.account('bob'), { toneHz: bobHz })
  })
  after(async () => phones?.stop())

  const bridge = async (): Promise<[PhoneDialog, PhoneDialog]> => {
    const had = bob.incoming.length
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    const called = await bob.called(had)
    await called.up()
    return [call, called]
  }
  const hush = ({ phone, media }: PhoneDialog) => phone.ear.leave(media!.host, media!.port)

  it('live for as long as they hold, in each form and on either side, or are muted; the other one hears music', async () => {
    const pairs: Pair[] = []
    const pair = async (what: string, holder: 'alice' | 'bob', isHeld: boolean) => {
      const [call, called] = await bridge()
      const one = holder === 'alice' ? [call, called] : [called, call]
      const [silentHz, otherHz] = holder === 'alice' ? [aliceHz, bobHz] : [bobHz, aliceHz]
      pairs.push({ what: `${what} by ${holder}`, silent: one[0]!, other: one[1]!, silentHz, otherHz, isHeld })
      return one[0]!
    }
    for (const [form, describe] of Object.entries(forms)) {
      for (const holder of ['alice', 'bob'] as const) {
        const silent = await pair(form, holder, true)
        expect(await silent.phone.offer(silent, describe(silent.phone.sdp())), form).to.equal(200)
        hush(silent)
      }
    }
    hush(await pair('mute', 'alice', false))
    hush(await pair('mute', 'bob', false))
    const carol = await phones.phone(await phones.account('carol'), { toneHz: 1300 })
    const toCarol = alice.call('carol')
    expect(await toCarol.answered()).to.equal(200)
    carol.losePower()

    await sleep(2_000)
    const before = new Map(pairs.map(({ what, other }) => [what, packetsTo(other)]))
    await sleep(silentMs)
    for (const { what, silent, other, isHeld } of pairs) {
      expect(silent.state, what).to.equal('up')
      expect(other.state, what).to.equal('up')
      if (isHeld) expect(packetsTo(other) - before.get(what)!, `music for ${what}`).to.be.above(silentMs / 30)
    }
    await eventually(
      async () => toCarol.state,
      (state) => state === 'ended',
      { what: 'end of the call with a phone that is gone' },
    )
    for (const { what, silent, other, silentHz, otherHz } of pairs) {
      expect(await silent.phone.offer(silent), what).to.equal(200)
      silent.phone.ear.playTo(silent.media!.host, silent.media!.port)
      await eventually(
        async () => [hears(other, silentHz), hears(silent, otherHz)],
        (levels) => levels.every((level) => level > 0.9),
        { what: `sound after ${what}` },
      )
    }
  })
})
