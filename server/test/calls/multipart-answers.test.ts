/** Answers of carriers that hold more than a description of media (SIP-I: ITU-T Q.1912.5, RFC 5621). */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

const aliceHz = 500
const bobHz = 900

const isup = [
  'Content-Type: application/ISUP;version=itu-t92+',
  'Content-Disposition: signal;handling=optional',
  '',
  '\t\x01\x02',
]
const part = (sdp: string) => ['Content-Type: application/sdp', '', sdp.replace(/\r\n$/, '')]

const body = (parts: string[][]) =>
  `${parts.map((lines) => `--unit-7f3a\r\n${lines.join('\r\n')}\r\n`).join('')}--unit-7f3a--\r\n`

describe('answers of several parts on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    alice = await phones.phone(await phones.account('alice'), { toneHz: aliceHz })
    bob = await phones.phone(await phones.account('bob'), { toneHz: bobHz })
  })
  after(async () => phones?.stop())

  for (const [what, type, parts] of [
    ['SDP, then ISUP', 'multipart/mixed;boundary=unit-7f3a', (sdp: string) => [part(sdp), isup]],
    ['ISUP, then SDP', 'multipart/mixed;boundary=unit-7f3a', (sdp: string) => [isup, part(sdp)]],
    ['a boundary in quotes', 'multipart/mixed; boundary="unit-7f3a"', (sdp: string) => [part(sdp), isup]],
    ['alternatives', 'multipart/alternative;boundary=unit-7f3a', (sdp: string) => [isup, part(sdp)]],
    ['related parts', 'Multipart/Related;boundary=unit-7f3a', (sdp: string) => [part(sdp), isup]],
  ] as const) {
    it(what, async () => {
      const had = bob.incoming.length
      bob.describes = (sdp) => body(parts(sdp))
      bob.says = [`Content-Type: ${type}`]
      const call = alice.call('bob')
      expect(await call.answered()).to.equal(200)
      const called = await bob.called(had)
      await eventually(
        async () => [hears(call, bobHz), hears(called, aliceHz)],
        (levels) => levels.every((level) => level > 0.9),
        { what: 'sound both ways' },
      )
      await call.hangUp()
    })
  }
})
