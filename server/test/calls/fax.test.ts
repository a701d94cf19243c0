/** Fax (ITU-T T.38) within calls, on a real FreeSWITCH and Kamailio: who is offered it, what passes, and what both hear. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { FaxEnd, attributes, faxDescription } from '../support/fax-end.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { PhoneBench } from '../support/phone-bench.js'
import { type PhoneDialog, hears, packetsTo } from '../support/phone-dialog.js'
import { Telephone } from '../support/telephone.js'
import { recordingIs, uploadTone } from '../recordings/recorded.js'

type Both = readonly [caller: PhoneDialog, called: PhoneDialog]

const toneHz = { caller: 500, called: 900, flow: 1700 }
const key = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz\r\n'

/** Streams of a description in place of its sound; `$1` is the port of that. */
const instead = (streams: string) => (sdp: string) => sdp.replace(/m=audio (\d+) RTP[^]*/, streams)
const streamsOf = (text: string) => text.match(/m=\S+ \d+/g)?.map((line) => line.replace(/ [1-9]\d*$/, ' N'))

describe('fax on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let trunk: InboundBench
  let carrier: Telephone
  let alice: Telephone
  let bob: Telephone
  let machines: [caller: FaxEnd, called: FaxEnd]
  let bobsExtension: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    trunk = InboundBench.on(phones.bench)
    carrier = await trunk.caller({ toneHz: toneHz.caller })
    alice = await phones.phone(await phones.account('alice'), { toneHz: toneHz.caller })
    const account = await phones.account('bob')
    bobsExtension = await phones.extension('102', account)
    bob = await phones.phone(account, { toneHz: toneHz.called })
    machines = [await FaxEnd.open(), await FaxEnd.open()]
  })
  beforeEach(async () => trunk.runs([ring()]))
  afterEach(() => {
    for (const phone of [carrier, alice, bob]) {
      phone.describes = (sdp) => sdp
      phone.refusesFax = false
    }
  })
  after(async () => {
    machines?.forEach((machine) => machine.close())
    await phones?.stop()
  })

  const ring = () => ({ id: 'ring', type: 'go_to_extension', params: { extension_id: bobsExtension } })

  /** A call that both hear each other in. */
  const bridge = async (caller = carrier, called = bob): Promise<Both> => {
    const had = called.incoming.length
    const call = caller === carrier ? await trunk.answeredCall(caller) : caller.call('bob')
    expect(await call.answered()).to.equal(200)
    const both = [call, await called.called(had)] as const
    await bothHear(both, 'before')
    return both
  }

  /** What both hear from now on. */
  const bothHear = async (both: Both, when: string) => {
    const had = both.map(packetsTo)
    await eventually(
      async () => [
        ...both.map((one, index) => Math.min(1, (packetsTo(one) - had[index]!) / 25)),
        hears(both[0], toneHz.called, 3_000),
        hears(both[1], toneHz.caller, 3_000),
      ],
      (levels) => levels.every((level) => level > 0.9),
      { withinMs: 5_000, what: `sound both ways ${when}` },
    )
  }

  /** Has one end offer fax to the other. @returns the status, and where the offer was not refused by the edge its answer */
  const becomesFax = async (both: Both, by: 0 | 1): Promise<number> => {
    const [offerer, other] = [both[by], both[by === 0 ? 1 : 0]]
    if (!other.phone.refusesFax) other.phone.describes = machines[by === 0 ? 1 : 0].describes
    return offerer.phone.offer(offerer, machines[by].describes(offerer.phone.sdp()))
  }

  /** @param strayMs how long each still sends its sound, from another port */
  const passes = async (both: Both, strayMs = 0) => {
    await sleep(strayMs)
    for (const { phone, media } of both) phone.ear.leave(media!.host, media!.port)
    const sent = await Promise.all(both.map(async (dialog, index) => machines[index]!.send(dialog)))
    for (const [index, packets] of sent.entries()) {
      const to = machines[index === 0 ? 1 : 0]
      await eventually(
        async () => to.got(packets),
        (got) => got.length === packets.length,
        { withinMs: 3_000, what: `the packets of end ${index}` },
      )
    }
  }

  const calls: [what: string, begin: () => Promise<Both>][] = [
    ['a carrier and a phone that a flow rings', async () => bridge()],
    ['two phones', async () => bridge(alice)],
    [
      'a carrier and another one that a flow calls',
      async () => {
        const far = await Telephone.open({
          ...{ username: 'far', domain: 'carrier.test', server: '127.0.0.1:1', toneHz: toneHz.called },
        })
        after(async () => far.close())
        const { port } = far
        const uri = { uri: '127.0.0.1', port, protocol: 'udp' as const, priority: 1 }
        await phones.bench.connectNumber('2025550106', [uri])
        const params = { phone_number: '+12025550177', from: '+12025550106' }
        await trunk.runs([{ id: 'out', type: 'to_operator', params }])
        return bridge(carrier, far)
      },
    ],
  ]
  for (const [what, begin] of calls) {
    it(`between ${what}: it is offered with its attributes, packets pass both ways, and it stays fax`, async () => {
      const both = await begin()
      expect(await becomesFax(both, 1)).to.equal(200)
      for (const one of both) {
        const lines = faxDescription(one).split('\r\n')
        expect(lines).to.include.members(attributes)
        expect(lines.filter((line) => line.startsWith('m='))).to.have.length(1)
      }
      await passes(both, 150)
      // The switch cannot take a channel back to sound.
      for (const { phone } of both) phone.describes = (sdp) => sdp
      for (const one of both) expect(await one.phone.offer(one)).to.equal(488)
      await passes(both)
      await both[0].hangUp()
      await both[1].over()
    })
  }

  it('offered by the caller, with sound that is refused before it or behind it: answered in that order', async () => {
    for (const isBefore of [true, false]) {
      bob.describes = (sdp) => sdp
      const both = await bridge()
      const [fax, sound] = [machines[0].stream, 'm=audio 0 RTP/AVP 0\r\n']
      bob.describes = machines[1].describes
      const offer = instead(isBefore ? sound + fax : fax + sound)(carrier.sdp())
      expect(await carrier.offer(both[0], offer)).to.equal(200)
      const inOrder = isBefore ? ['m=audio 0', 'm=image N'] : ['m=image N', 'm=audio 0']
      expect(streamsOf(faxDescription(both[0]))).to.deep.equal(inOrder)
      expect(streamsOf(faxDescription(both[1]))).to.deep.equal(['m=image N'])
      await passes(both)
      await both[0].hangUp()
    }
  })

  it('of version 3 is version 0 to both', async () => {
    const both = await bridge()
    bob.describes = machines[1].describes
    const offer = machines[0].describes(carrier.sdp()).replace('Version:0', 'Version:3')
    expect(await carrier.offer(both[0], offer)).to.equal(200)
    for (const one of both) expect(faxDescription(one)).to.include('a=T38FaxVersion:0\r\n')
    await both[0].hangUp()
  })

  it('that the other end refuses: the call goes on in sound, whoever offers something next', async () => {
    for (const by of [0, 1] as const) {
      const both = await bridge()
      for (const { phone } of both) phone.refusesFax = true
      const other = both[by === 0 ? 1 : 0]
      const had = other.received.length
      expect(await becomesFax(both, by)).to.equal(488)
      // The switch offers its sound again to the end that refused.
      await eventually(
        async () => other.received.slice(had).filter((text) => /^INVITE[^]*m=audio [1-9]/.test(text)),
        (found) => found.length > 0,
        { what: 'offer of sound' },
      )
      await bothHear(both, 'after it')
      for (const one of both) {
        const answered = one.received.length
        expect(await one.phone.offer(one)).to.equal(200)
        expect(one.received.slice(answered).join('')).to.match(/m=audio [1-9]/)
        await bothHear(both, `after the next offer of ${one.phone.uri}`)
      }
      expect(await becomesFax(both, by), 'asked again').to.equal(488)
      await both[0].hangUp()
      for (const { phone } of both) phone.refusesFax = false
    }
  })

  it('beside sound, before it or behind it, in the first INVITE and later: the sound is taken, fax has port 0', async () => {
    for (const isBefore of [true, false]) {
      const [fax, sound] = [machines[0].stream, 'm=audio $1 RTP/AVP 0\r\n']
      const offer = instead(isBefore ? fax + sound : sound + fax)
      const inOrder = isBefore ? ['m=image 0', 'm=audio N'] : ['m=audio N', 'm=image 0']
      carrier.describes = offer
      const both = await bridge()
      const answer = both[0].received.findLast((text) => text.startsWith('SIP/2.0 200'))
      expect(streamsOf(answer!)).to.deep.equal(inOrder)
      expect(both[1].received[0]).to.not.include('m=image')
      carrier.describes = (sdp) => sdp
      for (const one of both) {
        expect(await one.phone.offer(one, offer(one.phone.sdp()))).to.equal(200)
        expect(streamsOf(one.received.findLast((text) => text.startsWith('SIP/2.0 200'))!)).to.deep.equal(
          inOrder,
        )
      }
      await bothHear(both, 'after it')
      await both[0].hangUp()
    }
  })

  it('alone in the first INVITE is refused', async () => {
    carrier.describes = machines[0].describes
    expect(await carrier.call(trunk.number).answered()).to.equal(488)
  })

  it('over anything but UDPTL, or to a port that is none, is refused, and both hear each other', async () => {
    const both = await bridge()
    bob.describes = machines[1].describes
    for (const stream of [
      'm=image 0 udptl t38',
      'm=image 40000 tcp t38',
      'm=image 40000 RTP/AVP 98\r\na=rtpmap:98 t38/8000',
      'm=image 80 udptl t38',
      'm=image 99999 udptl t38',
      'm=image 40000 udptl other',
    ])
      expect(await carrier.offer(both[0], instead(`${stream}\r\n`)(carrier.sdp())), stream).to.equal(488)
    await bothHear(both, 'after it')
    await both[0].hangUp()
  })

  it('with broken attributes, none, two streams, or an address that leads nowhere harms no other call', async () => {
    const other = await bridge(alice)
    for (const [stream, host] of [
      [''],
      ['c=IN IP6 2001:db8::1\r\n'],
      ['c=IN IP4 10.1.2.3\r\n'],
      [
        'a=T38FaxVersion\r\na=T38MaxBitRate:-1\r\na=T38FaxMaxBuffer:99999999999999999999\r\na=T38FaxRateManagement\r\n',
      ],
      [`a=T38FaxVersion:${'9'.repeat(300)}\r\na=T38FaxUdpEC:${'x'.repeat(1_500)}\r\n`],
      ['m=image 40002 udptl t38\r\n'],
    ]) {
      const both = await bridge()
      bob.describes = machines[1].describes
      const sdp = instead(`m=image 40000 udptl t38\r\n${stream}`)(carrier.sdp())
      expect(await carrier.offer(both[0], sdp), stream).to.equal(200)
      expect(faxDescription(both[0]), host).to.match(/a=T38MaxBitRate:/)
      await both[0].hangUp()
      bob.describes = (own) => own
    }
    await bothHear(other, 'in the other call')
    await other[0].hangUp()
  })

  it('of a caller whom a flow plays to is refused at once, and it hears the flow', async () => {
    const audio_id = await uploadTone(phones.api, toneHz.flow, 3)
    await trunk.runs([{ id: 'play', type: 'play', params: { audio_id } }])
    const call = await trunk.answeredCall(carrier)
    const began = Date.now()
    expect(await carrier.offer(call, machines[0].describes(carrier.sdp()))).to.equal(488)
    expect(Date.now() - began).to.be.below(1_500)
    await eventually(
      async () => hears(call, toneHz.flow),
      (level) => level > 0.9,
      { what: 'the tone of the flow' },
    )
    await call.hangUp()
  })

  it('of a caller whose called end has left is refused at once', async () => {
    const audio_id = await uploadTone(phones.api, toneHz.flow, 3)
    await trunk.runs([
      { ...ring(), next: { default: 'play' } },
      { id: 'play', type: 'play', params: { audio_id } },
    ])
    const both = await bridge()
    await both[1].hangUp()
    await eventually(
      async () => hears(both[0], toneHz.flow),
      (level) => level > 0.9,
      { what: 'the tone of the flow' },
    )
    expect(await becomesFax(both, 0)).to.equal(488)
    await both[0].hangUp()
  })

  it('in an encrypted call is refused, since UDPTL is not encrypted', async () => {
    alice.describes = (sdp) => sdp.replace('RTP/AVP', 'RTP/SAVP') + key
    const had = bob.incoming.length
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    const called = await bob.called(had)
    await called.up()
    await eventually(
      async () => hears(called, toneHz.caller) || packetsTo(call),
      (count) => count > 25,
      { what: 'sound' },
    )
    for (const by of [0, 1] as const) expect(await becomesFax([call, called], by)).to.equal(488)
    await call.hangUp()
  })

  it('in a recorded call passes, and the recording has the sound before it', async () => {
    await trunk.runs([
      { id: 'record', type: 'recording', params: { stereo: true }, next: { default: 'ring' } },
      ring(),
    ])
    const both = await bridge()
    expect(await becomesFax(both, 1)).to.equal(200)
    await passes(both)
    await both[1].hangUp()
    await both[0].over()
    const { call_id, hangup_cause } = await trunk.lastCall()
    expect(hangup_cause).to.equal('NORMAL_CLEARING')
    await recordingIs(phones.api, call_id, 'ready')
  })
})
