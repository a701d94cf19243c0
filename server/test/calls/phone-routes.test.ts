/** Calls of phones over gateways with several addresses, and calls of the API to phones: on a real FreeSWITCH. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { multipart, wavFile } from '../support/audio-files.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench } from '../support/phone-bench.js'
import { digestIsRight } from '../support/sip-message.js'
import { Carrier } from '../support/sipp.js'
import { hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { toneLevel } from '../support/tone.js'

const aliceHz = 500
const carrierHz = 1000

describe('ways of calls to and from phones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start({ carrier: { toneHz: carrierHz } })
    const account = await phones.account('alice')
    await phones.extension('101', account)
    alice = await phones.phone(account, { toneHz: aliceHz })
  })
  after(async () => phones?.stop())

  /** A phone that calls out with a number of its own. */
  async function phoneWith(username: string, national: string): Promise<Telephone> {
    return phones.phone(await phones.account(username, `1${national}`), { toneHz: 700 })
  }

  describe('from a phone over a gateway', () => {
    it('goes on from a dead address to the next', async () => {
      const { bench } = phones
      await bench.connectNumber('2025550151', [bench.deadUri(1), bench.healthyUri(2)])
      const phone = await phoneWith('first', '2025550151')
      const call = phone.call('+12025550100')
      expect(await call.answered()).to.equal(200)
      await sleep(600)
      expect(hears(call, carrierHz)).to.be.above(0.9)
      await call.hangUp()
      const record = await phones.lastCall()
      expect(record.legs.map(({ role, sip_code }) => `${role} ${sip_code}`)).to.deep.equal([
        'caller null',
        'called 408',
        'called null',
      ])
    })

    it('goes on after 503, and tells the last failure', async () => {
      const { bench } = phones
      await bench.connectNumber('2025550152', [bench.healthyUri(1), bench.healthyUri(2)])
      const phone = await phoneWith('second', '2025550152')
      expect(await phone.call('+12025550105').answered()).to.equal(503)
      expect((await phones.lastCall()).legs).to.have.length(3)
      expect(await phone.call('+12025550101').answered(), 'no other address after busy').to.equal(486)
      expect((await phones.lastCall()).legs).to.have.length(2)
    })

    it('gives up between two addresses when the phone does', async () => {
      const { bench } = phones
      await bench.connectNumber('2025550153', [bench.deadUri(1), bench.healthyUri(2)])
      const phone = await phoneWith('third', '2025550153')
      const call = phone.call('+12025550100')
      await call.heard(100)
      await sleep(500)
      phone.cancel(call)
      expect(await call.over()).to.equal('487')
      const record = await phones.lastCall()
      expect(record).to.include({ status: 'canceled', sip_code: 487 })
      expect(record.legs).to.have.length(2)
    })

    it('answers a carrier that demands digest, whatever the password is made of', async () => {
      const strict = await Carrier.start({ scenario: 'carrier-digest' })
      const password = `pa'ss,"w\\ord $x$$y \\$z=^%41;|[a]`
      try {
        await phones.bench.connectNumber(
          '2025550162',
          [{ uri: strict.host, port: strict.port, protocol: 'udp', priority: 1 }],
          { username: 'acme', password },
        )
        const phone = await phoneWith('fourth', '2025550162')
        const call = phone.call('+12025550100')
        expect(await call.answered()).to.equal(200)
        await call.hangUp()
        const [authorized] = await strict.waitFor(
          'authorized INVITE',
          ({ method, text }) => method === 'INVITE' && /Authorization:/i.test(text),
        )
        const authorization = /^(?:Proxy-)?Authorization: *(.*)$/im.exec(authorized!.text)![1]!
        expect(digestIsRight(authorization, 'INVITE', password)).to.equal(true)
        await phones.lastCall()
      } finally {
        await strict.stop()
      }
    })
  })

  describe('to a phone from the API', () => {
    it('rings it by extension and username, and it hears what is played', async () => {
      const audio = await phones.api.request('POST', '/audios', {
        raw: multipart({ title: 'Tone' }, { name: 'tone.wav', content: wavFile(620, 2) }),
      })
      for (const number of ['101', 'alice']) {
        const id = await phones.bench.call(number, [{ action: 'play', params: { audio_id: audio.body.id } }])
        const record = await phones.bench.ended(id)
        expect(record).to.include({ status: 'completed', to: number, cost: 0, sip_code: 200 })
        const dialog = alice.incoming.at(-1)!
        expect(await dialog.over()).to.equal('BYE')
        expect(hears(dialog, 620, 8_000)).to.be.above(0.9)
        expect(dialog.received[0]).to.match(/^From: .*<sip:\+12025550199@sip\.localhost>/m)
      }
    })

    it('joins it with a caller from the telephone network: each hears the other', async () => {
      phones.bench.carrier!.ear.clear()
      for (const phone_number of ['101', `sip:alice@${phones.bench.workspace.id}.sip.localhost`]) {
        const id = await phones.bench.call('+12025550100', [
          { action: 'to_operator', params: { phone_number } },
        ])
        await phones.bench.reaches(id, 'active')
        await sleep(800)
        const dialog = alice.incoming.at(-1)!
        expect(hears(dialog, carrierHz), 'alice hears the caller').to.be.above(0.9)
        const heard = phones.bench.carrier!.ear.heard().at(-1)!.pcm
        expect(toneLevel(heard.subarray(-4_000), aliceHz), 'the caller hears alice').to.be.above(0.9)
        await dialog.hangUp()
        expect(await phones.bench.ended(id)).to.include({ status: 'completed' })
      }
    })

    it('ends as the phone says', async () => {
      alice.onCall = 486
      const record = await phones.bench.ended(await phones.bench.call('101', []))
      expect(record).to.include({ status: 'busy', hangup_cause: 'USER_BUSY', sip_code: 486 })
      alice.onCall = 'answer'
    })
  })
})
