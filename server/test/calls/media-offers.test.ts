/** Descriptions of media as phones and carriers write them, on a real FreeSWITCH and Kamailio: what either side hears. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { findFreeswitch, hasModule } from '../support/freeswitch.js'
import { g722Alone, g722Type, hearsWide, wideTone } from '../support/g722.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type Account, PhoneBench, password } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'
import { encodeMulaw, tone, toneLevel } from '../support/tone.js'
import { rate, recordingIs, soundOf, uploadTone } from '../recordings/recorded.js'

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

  const bridge = async (): Promise<[PhoneDialog, PhoneDialog]> => {
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
        const both = await bridge()
        expect(both[0].received.find((text) => text.startsWith('SIP/2.0 200'))).to.not.match(
          /a=(crypto|fingerprint)/,
        )
        await bothHear(both, 'in the call')
        await both[0].hangUp()
      })

      it(`${what} of the called phone`, async () => {
        bob.describes = wishes
        const both = await bridge()
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

  describe('codecs that the switch does not have', () => {
    const codecs = [
      ['G.729', '18', 'a=rtpmap:18 G729/8000\r\n'],
      ['AMR', '97', 'a=rtpmap:97 AMR/8000\r\n'],
    ] as const

    it('beside PCMU are left out, in front of it or behind', async () => {
      for (const [, type, map] of codecs)
        for (const types of [`${type} 0 101`, `0 ${type} 101`]) {
          alice.describes = (sdp) =>
            sdp.replace('RTP/AVP 0 101', `RTP/AVP ${types}`).replace('a=rtpmap:0', `${map}$&`)
          const both = await bridge()
          await bothHear(both, types)
          await both[0].hangUp()
        }
    })

    it('alone are refused, and the answer says why', async () => {
      for (const [codec, type, map] of codecs) {
        alice.describes = speaks(`${type} 101`, map)
        const call = alice.call('bob')
        expect(await call.answered(), codec).to.equal(488)
        expect(call.received.at(-1)).to.match(/Reason: Q.850;cause=88;text="INCOMPATIBLE_DESTINATION"/)
      }
    })
  })

  describe('a re-INVITE that is refused: the call goes on', () => {
    for (const [what, changed] of [
      ['iLBC alone', speaks('98', 'a=rtpmap:98 iLBC/8000\r\n')],
      ['G.729 alone', speaks('18', 'a=rtpmap:18 G729/8000\r\n')],
      ['AMR', speaks('97 101', 'a=rtpmap:97 AMR/8000\r\n')],
      ['keys of a telephone alone', speaks('101', '')],
      ['fax over TCP', instead('m=image $1 tcp t38\r\n')],
      ['a picture alone', instead('m=video $1 RTP/AVP 96\r\na=rtpmap:96 VP8/90000\r\n')],
    ] as const) {
      it(what, async () => {
        const both = await bridge()
        await bothHear(both, 'before')
        for (const offerer of both) {
          expect(await offerer.phone.offer(offerer, changed(offerer.phone.sdp()))).to.equal(488)
          expect(offerer.received.findLast((text) => text.startsWith('SIP/2.0 488'))).to.include(
            'Warning: 305 ',
          )
          await bothHear(both, `after it, by ${offerer.phone.uri}`)
        }
        expect(await alice.offer(both[0])).to.equal(200)
        await bothHear(both, 'after a valid one')
        await both[0].hangUp()
      })
    }
  })

  describe('G.722', () => {
    const highHz = { wanda: 5_000, willi: 6_200 }
    let wanda: Telephone
    let willi: Telephone
    let williAccount: Account

    before(async function () {
      if (!(await hasModule('mod_spandsp'))) this.skip()
      const wide = async (name: 'wanda' | 'willi', account: Account) => {
        const phone = await phones.phone(account)
        phone.ear.useCodec(g722Type, wideTone(highHz[name]))
        phone.describes = g722Alone
        return phone
      }
      wanda = await wide('wanda', await phones.account('wanda'))
      williAccount = await phones.account('willi')
      willi = await wide('willi', williAccount)
    })

    const hearsTone = async (dialog: PhoneDialog, hz: number) =>
      eventually(
        async () => hears(dialog, hz),
        (level) => level > 0.9,
        { what: `${hz} Hz` },
      )

    it('alone, of two phones, who hear each other in wideband, also after one held the call', async () => {
      const call = wanda.call('willi')
      expect(await call.answered()).to.equal(200)
      const called = await willi.called(0)
      await hearsWide(call, highHz.willi)
      await hearsWide(called, highHz.wanda)
      expect(await wanda.offer(call, `${wanda.sdp()}a=sendonly\r\n`)).to.equal(200)
      expect(await wanda.offer(call)).to.equal(200)
      wanda.ear.clear()
      wanda.ear.playTo(call.media!.host, call.media!.port)
      await hearsWide(call, highHz.willi)
      await call.hangUp()
    })

    it('alone, of a phone that a carrier with PCMU reaches: both hear each other', async () => {
      willi.ear.useCodec(g722Type, wideTone(bobHz))
      const extension_id = await phones.extension('109', williAccount)
      await trunk.runs([{ id: 'ring', type: 'go_to_extension', params: { extension_id } }])
      const had = willi.incoming.length
      const call = await trunk.answeredCall(await trunk.caller({ toneHz: aliceHz }))
      const called = await willi.called(had)
      await hearsTone(call, bobHz)
      await hearsWide(called, aliceHz)
      await call.hangUp()
      willi.ear.useCodec(g722Type, wideTone(highHz.willi))
    })

    it('alone, of who calls a flow: it is played to, and recorded', async () => {
      const audio_id = await uploadTone(phones.api, baresipHz, 2)
      await trunk.runs([
        { id: 'record', type: 'recording', params: { stereo: true }, next: { default: 'play' } },
        { id: 'play', type: 'play', params: { audio_id } },
      ])
      const caller = await trunk.caller({ describes: g722Alone })
      caller.ear.useCodec(g722Type, wideTone(aliceHz))
      const call = await trunk.answeredCall(caller)
      await hearsWide(call, baresipHz)
      await call.over()
      const { call_id } = await trunk.lastCall()
      const { channels } = await soundOf(phones.api, await recordingIs(phones.api, call_id, 'ready'))
      expect(toneLevel(channels[0]!.subarray(rate / 2), aliceHz)).to.be.above(0.8)
    })

    it('alone, within a call of PCMU: both hear each other', async () => {
      const both = await bridge()
      await bothHear(both, 'before')
      alice.ear.useCodec(g722Type, wideTone(aliceHz))
      expect(await alice.offer(both[0], g722Alone(alice.sdp()))).to.equal(200)
      await hearsWide(both[0], bobHz)
      await hearsTone(both[1], aliceHz)
      alice.ear.useCodec(0, Buffer.from(Uint8Array.from(tone(aliceHz, 8_000), encodeMulaw)))
      expect(await alice.offer(both[0])).to.equal(200)
      await bothHear(both, 'after it')
      await both[0].hangUp()
    })

    it('first of two: the called phone is offered it first, too; behind PCMU it is offered behind it', async () => {
      for (const [types, first] of [
        ['9 0 101', '9'],
        ['0 9 101', '0'],
      ] as const) {
        alice.describes = (sdp) =>
          sdp.replace('0 101', types).replace('a=rtpmap:0', 'a=rtpmap:9 G722/8000\r\n$&')
        const had = bob.incoming.length
        const call = alice.call('bob')
        expect(await call.answered()).to.equal(200)
        const called = await bob.called(had)
        expect(/m=audio \d+ RTP\/AVP (\d+) /.exec(called.received[0]!)?.[1]).to.equal(first)
        await call.hangUp()
      }
    })
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
        const both = await bridge()
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
