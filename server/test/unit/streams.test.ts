/** The sound of streams as it is cut, raised and read, and where their servers are called. */
import { expect } from 'chai'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import { FrameCutter, SampleReader, bytesOf } from '../../src/features/calls/media-streams/pcm.js'
import { settingProblems, streamUrl } from '../../src/features/calls/media-streams/stream-settings.js'
import { Resampler } from '../../src/lib/sound/resampler.js'
import { tone, toneLevel } from '../support/tone.js'

/** In frames of 20 ms, as they come from the switch. */
function raised(samples: Int16Array): Int16Array {
  const resampler = new Resampler(8_000, 16_000, 1)
  const frames: number[] = []
  for (let start = 0; start < samples.length; start += 160) {
    frames.push(...resampler.push(samples.subarray(start, start + 160)))
  }
  return Int16Array.from(frames)
}

function power(samples: Int16Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
}

describe('sound of streams', () => {
  for (const hz of [200, 300, 1000, 2000, 3000, 3400]) {
    it(`of ${hz} Hz is the same at 16,000 samples a second, with nothing above it`, () => {
      const before = tone(hz, 8_000)
      // Its first samples have no past, and the last no future.
      const after = raised(before).subarray(640)
      expect(toneLevel(after, hz, 16_000)).to.be.above(0.995)
      expect(toneLevel(after, 8_000 - hz, 16_000)).to.be.below(0.0001)
      expect(Math.sqrt(power(after) / power(before))).to.be.within(0.98, 1.02)
    })
  }

  it('does not turn over where it is as loud as can be', () => {
    const loud = Int16Array.from({ length: 1_600 }, (_, index) => (index % 16 < 8 ? 32_767 : -32_768))
    const after = raised(loud).subarray(640)
    for (let index = 0; index + 1 < after.length; index++) {
      expect(Math.abs(after[index + 1]! - after[index]!)).to.be.below(50_000)
    }
  })

  it('is raised without a seam between frames, 2 ms later', () => {
    const whole = tone(440, 1_600)
    expect(raised(whole)).to.deep.equal(new Resampler(8_000, 16_000, 1).push(whole))
    const impulse = raised(Int16Array.from({ length: 160 }, (_, index) => (index === 40 ? 10_000 : 0)))
    // What is to come still is what it is late by.
    expect(impulse.indexOf(10_000)).to.equal(2 * 40)
    expect(impulse.length).to.equal(2 * (160 - 16))
  })

  it('is read from bytes that are cut anywhere, and written as it was', () => {
    const samples = Int16Array.from([1, -1, 256, -32_768, 32_767, 0, 513])
    const bytes = bytesOf(samples)
    expect([...bytes.subarray(0, 6)]).to.deep.equal([1, 0, 255, 255, 0, 1])
    for (const size of [1, 2, 3, 5, 14]) {
      const reader = new SampleReader()
      const read: number[] = []
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)))
      expect(read, `pieces of ${size}`).to.deep.equal([...samples])
    }
  })

  it('is cut into frames of one length', () => {
    const cutter = new FrameCutter(4)
    const frames = [3, 1, 9, 0, 3].flatMap((length) => cutter.cut(Int16Array.from({ length }, (_, i) => i)))
    expect(frames.map((frame) => [...frame])).to.deep.equal([
      [0, 1, 2, 0],
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 0, 1, 2],
    ])
  })
})

describe('servers of streams', () => {
  const call = {
    ...{ id: 'call_1', workspace_id: 'acme', to_number: '+12025550199' },
    ...{ from_number: '+12125550123', from_name: 'Anna & Ben' },
  } as Call
  const told =
    'call_id=call_1&workspace_id=acme&caller_number=%2B12125550123&caller_name=Anna+%26+Ben' +
    '&destination_number=%2B12025550199&stream_type=platform_stream'

  for (const [given, called] of [
    ['wss://a.test', `wss://a.test/?${told}`],
    ['ws://a.test:8080/x?', `ws://a.test:8080/x?${told}`],
    ['wss://a.test/x?q=%20a+b&call_id=1#part', `wss://a.test/x?q=%20a+b&call_id=1&${told}`],
  ] as const) {
    it(`${given} are told whose call it is, besides what stands there`, () => {
      expect(streamUrl(given, call)).to.equal(called)
    })
  }

  it('are not given headers that are the handshake’s own', () => {
    const problems = (headers: Record<string, string>) =>
      settingProblems({ ws_url: 'ws://x', headers }, () => undefined).map(({ field }) => field)
    for (const name of ['Host', 'connection', 'UPGRADE', 'Content-Length', 'Sec-WebSocket-Protocol']) {
      expect(problems({ [name]: 'x', 'X-Mine': 'x' })).to.deep.equal([`headers.${name}`])
    }
    expect(problems({ Authorization: 'Bearer x', Cookie: 'a=b', Origin: 'https://a.test' })).to.deep.equal([])
    expect(problems({ 'X-Name': 'Łódź' })).to.deep.equal(['headers.X-Name'])
  })
})
