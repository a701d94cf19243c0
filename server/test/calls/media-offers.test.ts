/** Descriptions of media as phones and carriers write them, on a real FreeSWITCH and Kamailio: what either side hears. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { uploadTone } from '../recordings/recorded.js'

const aliceHz = 500
const bobHz = 900
const baresipHz = 1700

/** A key of 16 octets and a salt of 14 (RFC 4568). */
const key = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n'
const fingerprint = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}\r\na=setup:actpass\r\n`

const speaks = (types: string, map: string) => (sdp: string) =>
  sdp.replace('RTP/AVP 0 101', `RTP/AVP ${types}`).replace('a=rtpmap:0 PCMU/8000\r\n', map)
const instead = (line: string) => (sdp: string) => sdp.replace(/m=audio (\d+) RTP[^]*/, line)

describe('descriptions of media on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let trunk: InboundBench
  let alice: Telephone
  let bob: Telephone
  let bobsExtension: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    trunk = InboundBench.on(phones.bench)
    alice = await phones.phone(await phones.account('alice'), { toneHz: aliceHz })
    const account = await phones.account('bob')
    bobsExtension = await phones.extension('102', account)
    bob = await phones.phone(account, { toneHz: bobHz })
  })
  afterEach(() => {
    alice.describes = bob.describes = (sdp) => sdp
  })
  after(async () => phones?.stop())

  const talk = async (): Promise<[PhoneDialog, PhoneDialog]> => {
    const had = bob.incoming.length
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    const called = await bob.called(had)
    await called.up()
    return [call, called]
  }

  /** Both hear each other, in what comes from now on. */
  const bothHear = async (both: readonly [PhoneDialog, PhoneDialog], when: string) => {
    const had = both.map(packetsTo)
    await eventually(
      async () => both.every((one, index) => packetsTo(one) - had[index]! > 30),
      (all) => all,
      { withinMs: 5_000, what: `sound both ways ${when}` },
    )
    expect(hears(both[0], bobHz, 3_000), `the caller ${when}`).to.be.above(0.9)
    expect(hears(both[1], aliceHz, 3_000), `the called phone ${when}`).to.be.above(0.9)
  }

  describe('keys in a stream of plain RTP, where encryption is a wish', () => {
    for (const [what, wishes] of [
      ['a=crypto', (sdp: string) => sdp + key],
      ['a=fingerprint', (sdp: string) => sdp + fingerprint],
      ['a=fingerprint for all streams', (sdp: string) => sdp.replace('t=0 0\r\n', `$&${fingerprint}`)],
    ] as const) {
      it(`${what} of the caller`, async () => {
        alice.describes = wishes
        const both = await talk()
        expect(both[0].received.find((text) => text.startsWith('SIP/2.0 200'))).to.not.match(
          /a=(crypto|fingerprint)/,
        )
        await bothHear(both, 'in the call')
        await both[0].hangUp()
      })

      it(`${what} of the called phone`, async () => {
        bob.describes = wishes
        const both = await talk()
        await bothHear(both, 'in the call')
        await both[0].hangUp()
      })
    }
  })

  describe('baresip that wishes for encryption', () => {
    const proxy = (): string => {
      const { sipHost, sipPort } = phones.bench.appliance.kamailio!.options
      return `sip:${sipHost}:${sipPort};transport=udp`
    }

    const registered = async ({ username, domain }: Account): Promise<void> => {
      await eventually(
        async () =>
          phones.bench.appliance
            .kamailio!.rpc('ul.lookup', ['location', `${username}@${domain}`])
            .catch(() => null),
        (found) => found !== null,
        { what: `registration of ${username}` },
      )
    }

    it('is called', async () => {
      const account = await phones.account('carol')
      const baresip = await Baresip.start(
        { ...account, password, proxy: proxy() },
        { codec: 'g711', encrypts: 'srtp' },
      )
      try {
        await registered(account)
        const call = alice.call('carol')
        expect(await call.answered(), baresip.output).to.equal(200)
        await eventually(
          async () => hears(call, aliceHz),
          (level) => level > 0.8,
          { what: 'its echo' },
        )
        await call.hangUp()
      } finally {
        await baresip.stop()
      }
    })

    it('calls', async () => {
      const account = await phones.account('dora')
      const had = bob.incoming.length
      const baresip = await Baresip.start(
        { ...account, password, proxy: proxy() },
        { codec: 'g711', encrypts: 'srtp', dial: 'bob', toneHz: baresipHz },
      )
      try {
        const called = await bob.called(had)
        await called.up()
        await eventually(
          async () => hears(called, baresipHz),
          (level) => level > 0.8,
          { what: 'its tone' },
        )
        await called.hangUp()
      } finally {
        await baresip.stop()
      }
    })
  })

  describe('a re-INVITE that is refused: the call goes on', () => {
    for (const [what, changed] of [
      ['G.722 alone', speaks('9', 'a=rtpmap:9 G722/8000\r\n')],
      ['AMR', speaks('97 101', 'a=rtpmap:97 AMR/8000\r\n')],
      ['keys of a telephone alone', speaks('101', '')],
      ['fax', instead('m=image $1 udptl t38\r\n')],
      ['a picture alone', instead('m=video $1 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n')],
    ] as const) {
      it(what, async () => {
        const both = await talk()
        await bothHear(both, 'before')
        for (const offerer of both) {
          expect(await offerer.phone.offer(offerer, changed(offerer.phone.sdp()))).to.equal(488)
          await bothHear(both, `after it, by ${offerer.phone.uri}`)
        }
        expect(await alice.offer(both[0])).to.equal(200)
        await bothHear(both, 'after a valid one')
        await both[0].hangUp()
      })
    }
  })

  describe('an INVITE without SDP', () => {
    it('of a carrier gets our offer in the answer, and both hear each other', async () => {
      await trunk.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id: bobsExtension } }])
      const carrier = await trunk.caller({ toneHz: aliceHz })
      carrier.offersLate = true
      const had = bob.incoming.length
      const call = carrier.call(trunk.number)
      expect(await call.answered()).to.equal(200)
      expect(call.statuses.filter((status) => status > 100)).to.deep.equal([180, 200])
      await bothHear([call, await bob.called(had)], 'in the call')
      await call.hangUp()
      expect(await trunk.lastCall()).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    })

    it('of a phone', async () => {
      alice.offersLate = true
      try {
        const both = await talk()
        await bothHear(both, 'in the call')
        await both[0].hangUp()
      } finally {
        alice.offersLate = false
      }
    })

    it('whose answer is never acknowledged holds up no other call', async () => {
      const audio_id = await uploadTone(phones.api, baresipHz, 5)
      await trunk.runs([{ id: 'play', type: 'play', params: { audio_id } }])
      const mute = await trunk.caller({ acknowledges: false })
      mute.offersLate = true
      expect(await mute.call(trunk.number).answered()).to.equal(200)
      const began = Date.now()
      const other = await trunk.caller()
      const call = await trunk.answeredCall(other)
      expect(Date.now() - began).to.be.below(3_000)
      await eventually(
        async () => hears(call, baresipHz),
        (level) => level > 0.9,
        { what: 'the tone of the flow' },
      )
      await call.hangUp()
    })
  })
})
