/** Legs whose raw audio ends in this process, on a real FreeSWITCH: who hears what, and what becomes of them. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { readAudioOffer } from '../../src/adapters/freeswitch/audio-sdp.js'
import type { SampleRate } from '../../src/lib/sound/sample-rate.js'
import { eventually } from '../support/api-client.js'
import { AudioBench, type PhoneEnd, type RawEnd } from '../support/audio-bench.js'
import { type BrowserPage, Chromium, findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { tone } from '../support/tone.js'

const rates: readonly SampleRate[] = [8000, 16000, 24000]

const cpuBound = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('raw audio of a leg', function () {
  this.timeout(60_000)
  let bench: AudioBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await AudioBench.start()
  })
  after(async () => bench?.stop())

  /** Joined with a telephone that sends 440 Hz. */
  async function joined(
    sampleRate: SampleRate,
    queuedSeconds?: number,
  ): Promise<{ raw: RawEnd; phone: PhoneEnd }> {
    const [raw, phone] = await Promise.all([bench.raw(sampleRate, {}, queuedSeconds), bench.phone(440)])
    await phone.channel.bridgeTo(raw.channel)
    return { raw, phone }
  }

  async function over({ raw, phone }: { raw: RawEnd; phone: PhoneEnd }): Promise<void> {
    await raw.end()
    await phone.channel.hangUp('NORMAL_CLEARING')
  }

  for (const rate of rates) {
    it(`is heard both ways at the right pitch by telephones (PCMU), at ${rate} Hz`, async () => {
      const { raw, phone } = await joined(rate)
      raw.sing(1000, 20_000)
      await Promise.all([raw.hears(440, 1000), phone.hears(1000, 440)])
      await over({ raw, phone })
    })
  }

  describe('with a browser (Opus)', () => {
    let chromium: Chromium | undefined
    let page: BrowserPage

    before(async function () {
      if (!findChromium()) this.skip()
      chromium = await Chromium.start()
      page = await chromium.page(500)
    })
    after(async () => chromium?.stop())

    for (const rate of rates) {
      it(`is heard both ways at the right pitch, at ${rate} Hz`, async () => {
        const raw = await bench.raw(rate)
        const browser = await bench.browser(page)
        await browser.bridgeTo(raw.channel)
        raw.sing(1000, 30_000)
        await Promise.all([raw.hears(500, 1000), page.hears([1000], [500])])
        await raw.end()
        await browser.hangUp('NORMAL_CLEARING')
      })
    }
  })

  it('stops at once when it is cleared, and goes on with what comes next', async () => {
    for (const rate of rates) {
      const { raw, phone } = await joined(rate)
      raw.sing(1000, 60_000)
      await phone.hears(1000)
      const before = phone.pcm.length
      raw.audio.clear()
      expect(raw.audio.queuedMs).to.equal(0)
      expect(raw.audio.played).to.equal(raw.audio.written)
      await sleep(1_000)
      expect(phone.loudMs(before), `heard after the end, at ${rate} Hz`).to.be.lessThan(250)
      raw.sing(700, 10_000)
      await phone.hears(700, 1000)
      await over({ raw, phone })
    }
  })

  it('is played at the pace of speech, and tells when all of it was', async () => {
    const { raw, phone } = await joined(24000)
    await raw.hears(440)
    const before = phone.pcm.length
    const began = performance.now()
    expect(raw.sing(1000, 1_010)).to.equal(0)
    // A frame that is due is sent at once.
    expect(raw.audio.queuedMs).to.be.within(990, 1_010)
    await once(raw.audio, 'drained', { signal: AbortSignal.timeout(15_000) })
    expect(performance.now() - began).to.be.within(900, 5_000)
    expect(raw.audio.queuedMs).to.equal(0)
    expect(raw.audio.written).to.equal(24_240)
    expect(raw.audio.played).to.equal(24_240)
    await sleep(500)
    expect(phone.loudMs(before)).to.be.within(950, 1_080)
    await over({ raw, phone })
  })

  it('holds no more than it may, and nothing once it is closed', async () => {
    const { raw, phone } = await joined(8000, 2)
    await raw.hears(440)
    const dropped = raw.audio.write(tone(1000, 40_000))
    expect(dropped).to.equal(24_000)
    expect(raw.audio.queuedMs).to.be.within(1_900, 2_000)
    await eventually(
      async () => raw.audio.queuedMs,
      (queued) => queued < 1_500,
      { what: 'room' },
    )
    expect(raw.audio.write(new Int16Array(80))).to.equal(0)
    let ended = 0
    raw.audio.on('ended', () => (ended += 1))
    raw.audio.close()
    raw.audio.close()
    expect(ended).to.equal(1)
    expect(raw.audio.write(new Int16Array(80))).to.equal(80)
    const heard = raw.heard
    await sleep(200)
    expect(raw.heard).to.equal(heard)
    expect(phone.channel.state).to.equal('answered')
    await over({ raw, phone })
  })

  it('stays as late as it was when this process stands still for a while', async () => {
    for (const rate of [8000, 24000] as const) {
      const { raw, phone } = await joined(rate)
      raw.sing(1000, 2_000)
      await phone.hears(1000)
      for (let stalls = 0; stalls < 8; stalls++) {
        cpuBound(150)
        await sleep(100)
      }
      await eventually(
        async () => raw.audio.queuedMs,
        (queued) => queued === 0,
        { what: 'end of what was queued' },
      )
      // A pause, in which the switch forgets what it has kept.
      await sleep(1_500)
      const delays: number[] = []
      for (let round = 0; round < 5; round++) {
        const before = phone.pcm.length
        const began = performance.now()
        raw.sing(1000, 100)
        await eventually(
          async () => phone.loudMs(before),
          (ms) => ms > 0,
          { what: 'a short tone' },
        )
        delays.push(performance.now() - began)
        await sleep(300)
      }
      expect(Math.min(...delays), `delays at ${rate} Hz: ${delays.join(' ')}`).to.be.lessThan(150)
      await over({ raw, phone })
    }
  })

  it('goes on after a hold, with nobody heard meanwhile', async () => {
    const { raw, phone } = await joined(16000)
    raw.sing(1000, 60_000)
    await Promise.all([raw.hears(440), phone.hears(1000)])
    await phone.channel.partFrom(raw.channel)
    await sleep(200)
    raw.forget()
    const before = phone.pcm.length
    await sleep(1_000)
    expect(raw.heard).to.be.lessThan(3)
    expect(phone.loudMs(before)).to.equal(0)
    await raw.channel.bridgeTo(phone.channel)
    await Promise.all([raw.hears(440), phone.hears(1000)])
    expect([raw.channel.state, phone.channel.state]).to.deep.equal(['answered', 'answered'])
    await over({ raw, phone })
  })

  it('ends with its channel, and the channel with a refusal or when nobody waits', async () => {
    const refused = await bench.offered(16000)
    expect(readAudioOffer(refused.offer.sdp)?.sampleRate).to.equal(16000)
    const refusal = once(refused.channel, 'ended', { signal: AbortSignal.timeout(15_000) })
    expect(refused.offer.refuse(503)).to.equal(true)
    expect((await refusal)[0]).to.include({ sipCode: 503, hangupCause: 'NORMAL_TEMPORARY_FAILURE' })

    const aborted = await bench.offered(16000)
    const abortion = once(aborted.channel, 'ended', { signal: AbortSignal.timeout(15_000) })
    await aborted.channel.hangUp('ORIGINATOR_CANCEL')
    await abortion
    await eventually(
      async () => aborted.offer.refuse(503),
      (waited) => !waited,
      { what: 'an offer that is over' },
    )

    const slow = await bench.offered(16000, { ringTimeout: 1 })
    const [end] = await once(slow.channel, 'ended', { signal: AbortSignal.timeout(15_000) })
    expect(end).to.include({ hangupCause: 'NO_ANSWER' })

    const { raw, phone } = await joined(16000)
    await raw.hears(440)
    const gone = once(raw.channel, 'ended', { signal: AbortSignal.timeout(15_000) })
    await raw.channel.hangUp('NORMAL_CLEARING')
    await gone
    await phone.channel.untilParked()
    expect(phone.channel.state).to.equal('answered')
    await over({ raw, phone })
  })

  it('taps what a caller says, what they hear, or both', async () => {
    const { raw, phone } = await joined(8000)
    raw.sing(1000, 60_000)
    await phone.hears(1000)
    const tap = async (track: 'inbound' | 'outbound' | 'both') =>
      bench.raw(8000, { taps: { channelId: phone.channel.id, track } })
    const [inbound, outbound, both] = [await tap('inbound'), await tap('outbound'), await tap('both')]
    await inbound.hears(440, 1000)
    await outbound.hears(1000, 440)
    await Promise.all([both.hearsAll([440, 1000]), inbound.hears(440, 1000), outbound.hears(1000, 440)])
    // What a tap says is heard by nobody.
    inbound.sing(700, 3_000)
    await Promise.all([phone.hears(1000, 700), raw.hears(440, 700)])
    await both.end()
    await Promise.all([phone.hears(1000), raw.hears(440), inbound.hears(440, 1000)])
    const ends = [inbound, outbound].map(async ({ channel }) =>
      once(channel, 'ended', { signal: AbortSignal.timeout(15_000) }),
    )
    await phone.channel.hangUp('NORMAL_CLEARING')
    await Promise.all(ends)
    for (const one of [raw, inbound, outbound]) await one.end()
  })

  it('takes sound from nobody but the switch', async () => {
    const { raw, phone } = await joined(8000)
    phone.phone.ear.hush()
    await raw.hearsNothing()
    const { port } = raw.audio as unknown as { port: number }
    const stranger = createSocket('udp4')
    const packet = Buffer.alloc(12 + 320, 0x40)
    packet[0] = 0x80
    for (let type = 0; type < 128; type++) {
      packet[1] = type
      stranger.send(packet, port, '127.0.0.1')
      stranger.send(packet.subarray(0, type), port, '127.0.0.1')
    }
    await raw.hearsNothing()
    stranger.close()
    await over({ raw, phone })
  })

  it('leaves nothing behind', async () => {
    const open = async () => (await readdir('/proc/self/fd')).length
    const cycle = async () => {
      const raw = await bench.raw(24000)
      raw.sing(1000, 1_000)
      const ended = once(raw.channel, 'ended', { signal: AbortSignal.timeout(15_000) })
      await raw.end()
      await ended
    }
    await cycle()
    const before = await open()
    for (let cycles = 0; cycles < 10; cycles++) await Promise.all(Array.from({ length: 5 }, cycle))
    await eventually(open, (now) => now <= before, { what: `no more than ${before} descriptors` })
    await eventually(
      async () => bench.board.channelIds(),
      (ids) => ids.length === 0,
      { what: 'no channel on the switch' },
    )
  })
})

describe('raw audio of a switch whose audio has another address', function () {
  this.timeout(60_000)

  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)

  for (const [what, host] of [
    ['IPv4', own?.address],
    ['IPv6', '::1'],
  ] as const) {
    it(`is heard all the same: ${what}`, async function () {
      if (!host || !(await findFreeswitch())) this.skip()
      const bench = await AudioBench.start({ rtpHost: host })
      try {
        const raw = await bench.raw(24000)
        const other = await bench.raw(16000)
        await raw.channel.bridgeTo(other.channel)
        raw.sing(1000, 20_000)
        other.sing(700, 20_000)
        await Promise.all([raw.hears(700, 1000), other.hears(1000, 700)])
        await Promise.all([raw.end(), other.end()])
      } finally {
        await bench.stop()
      }
    })
  }
})
