/** When a caller speaks, and what of it is an utterance: with tones, noise, clicks, and speech. */
import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { HighPass } from '../../src/voice-agents/speech/cascaded/high-pass.js'
import { levelOf } from '../../src/voice-agents/speech/cascaded/level.js'
import { withoutNoise } from '../../src/voice-agents/speech/cascaded/noise-reduction.js'
import { type HeardOf, Utterances } from '../../src/voice-agents/speech/cascaded/utterances.js'
import { VoiceActivity } from '../../src/voice-agents/speech/cascaded/voice-activity.js'
import { samplesOf } from '../support/audio-files.js'
import { resampled } from '../support/resampled.js'
import { tone, toneLevel } from '../support/tone.js'

const rate = 24_000
const frameLength = rate / 50

function silence(ms: number): Int16Array {
  return new Int16Array((rate * ms) / 1_000)
}

/** The same each time. */
function noise(ms: number, amplitude: number, seed = 7): Int16Array {
  let state = seed
  return Int16Array.from({ length: (rate * ms) / 1_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.round((state / 1_073_741_824 - 1) * amplitude)
  })
}

function sine(ms: number, hz = 440, amplitude = 8_000): Int16Array {
  return tone(hz, (rate * ms) / 1_000, rate, amplitude)
}

function joined(...parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

function mixed(one: Int16Array, other: Int16Array): Int16Array {
  return one.map((sample, index) => sample + (other[index] ?? 0))
}

function speech(text: string): Int16Array {
  const wav = execFileSync('espeak-ng', ['-v', 'en', '-s', '150', '--stdout', text])
  return resampled(samplesOf(wav), wav.readUInt32LE(24), rate)
}

function framesOf(samples: Int16Array): Int16Array[] {
  const count = Math.floor(samples.length / frameLength)
  return Array.from({ length: count }, (_, index) =>
    samples.subarray(index * frameLength, (index + 1) * frameLength),
  )
}

/** What is told, and after how many milliseconds. */
function eventsOf(samples: Int16Array, activity = new VoiceActivity()): [string, number][] {
  return framesOf(samples).flatMap((frame, index): [string, number][] => {
    const event = activity.hear(frame)
    return event ? [[event, (index + 1) * 20]] : []
  })
}

describe('voice activity', () => {
  it('begins within 60 to 80 ms of speech, and ends after 600 ms of quiet', () => {
    const events = eventsOf(joined(silence(1_000), sine(800), silence(1_000)))
    expect(events.map(([event]) => event)).to.deep.equal(['begins', 'ends'])
    expect(events[0]![1]).to.be.within(1_060, 1_080)
    expect(events[1]![1]).to.be.within(2_400, 2_440)
  })

  it('hears nothing in silence, in comfort noise, and in noise that was always there', () => {
    for (const quiet of [silence(5_000), noise(5_000, 60), noise(5_000, 200)]) {
      expect(eventsOf(quiet)).to.deep.equal([])
    }
  })

  it('takes no click for speech, and no pause between words for its end', () => {
    expect(eventsOf(joined(silence(500), sine(40), silence(500), sine(20), silence(500)))).to.deep.equal([])
    const events = eventsOf(joined(silence(500), sine(300), silence(400), sine(300), silence(1_000)))
    expect(events.map(([event]) => event)).to.deep.equal(['begins', 'ends'])
  })

  it('hears speech above a noisy line as soon, and its end too', () => {
    const activity = new VoiceActivity()
    const street = noise(6_000, 900)
    // The noise itself begins suddenly, and is heard as speech until it has lasted for a while.
    eventsOf(street, activity)
    expect(activity.isSpeaking).to.equal(false)
    const events = eventsOf(
      mixed(noise(2_500, 900, 3), joined(silence(1_000), sine(500, 300, 9_000), silence(1_000))),
      activity,
    )
    expect(events.map(([event]) => event)).to.deep.equal(['begins', 'ends'])
    expect(events[0]![1]).to.be.within(1_060, 1_100)
    expect(events[1]![1]).to.be.within(2_100, 2_200)
  })

  it('lets a sudden noise that stays be speech for six seconds at most', () => {
    const events = eventsOf(joined(silence(1_000), noise(9_000, 3_000)))
    expect(events.map(([event]) => event)).to.deep.equal(['begins', 'ends'])
    expect(events[1]![1]).to.be.below(7_000)
  })

  it('hears a spoken sentence as one, from its first sound on', () => {
    const spoken = speech('Good morning, I would like to book a table for four people, please.')
    const first = framesOf(spoken).findIndex((frame) => levelOf(frame) > -40) * 20
    const events = eventsOf(joined(silence(1_000), spoken, silence(1_000)))
    expect(events.map(([event]) => event)).to.deep.equal(['begins', 'ends'])
    expect(events[0]![1]).to.be.within(1_000 + first + 40, 1_000 + first + 100)
  })
})

describe('utterances', () => {
  function heardOf(samples: Int16Array, noiseReduction = false): HeardOf[] {
    const utterances = new Utterances(rate, noiseReduction)
    return framesOf(samples).flatMap((frame) => utterances.hear(frame) ?? [])
  }

  it('hold the speech, 300 ms before it, and 200 ms behind it', () => {
    const heard = heardOf(joined(silence(1_000), sine(800), silence(1_000)))
    expect(heard.map(({ kind }) => kind)).to.deep.equal(['begins', 'ends'])
    const [, end] = heard
    const samples = end?.kind === 'ends' ? end.samples! : new Int16Array(0)
    expect(samples.length / rate).to.be.within(1.2, 1.4)
    expect(toneLevel(samples, 440, rate)).to.be.above(0.9)
    expect(samples.findIndex((sample) => sample !== 0) / rate).to.be.within(0.2, 0.3)
  })

  it('leave out what is too short for a word', () => {
    expect(heardOf(joined(silence(500), sine(100), silence(1_000)))).to.deep.equal([
      { kind: 'begins' },
      { kind: 'ends', samples: null },
    ])
  })

  it('are cut when they are longer than 30 s, and nothing of them is lost', () => {
    const syllables = Array.from({ length: 100 }, () => [sine(300), silence(100)]).flat()
    const heard = heardOf(joined(...syllables, silence(1_000)))
    expect(heard.map(({ kind }) => kind)).to.deep.equal(['begins', 'part', 'ends'])
    const lengths = heard.map((one) => (one.kind === 'begins' ? 0 : (one.samples?.length ?? 0)))
    expect(lengths[1]! / rate).to.equal(30)
    expect((lengths[1]! + lengths[2]!) / rate).to.be.within(40, 40.4)
  })

  it('lose their hum and most of the noise between words when noise is to be reduced', () => {
    // So long that it is known what the line sounds like.
    const before = 8_000
    const clean = joined(silence(before), sine(500), silence(400), sine(500), silence(1_000))
    const noisy = mixed(mixed(clean, noise(10_400, 250)), sine(10_400, 50, 2_000))
    const end = heardOf(noisy, true).at(-1)
    const samples = end?.kind === 'ends' ? end.samples! : new Int16Array(0)
    const at = (ms: number) => (rate * ms) / 1_000
    const pause = samples.subarray(at(950), at(1_050))
    const noisyPause = noisy.subarray(at(before + 650), at(before + 750))
    expect(levelOf(pause)).to.be.within(-90, levelOf(noisyPause) - 25)
    expect(toneLevel(samples.subarray(at(350), at(750)), 440, rate)).to.be.above(0.95)
  })
})

describe('noise reduction', () => {
  it('takes 50 Hz down by 11 dB and more, and leaves what a voice is made of', () => {
    const through = (hz: number) => {
      const passed = new HighPass(rate, 100).filter(sine(1_000, hz))
      return levelOf(passed.subarray(rate / 2)) - levelOf(sine(1_000, hz).subarray(rate / 2))
    }
    expect(through(50)).to.be.below(-11)
    expect(through(200)).to.be.above(-0.5)
    expect(through(1_000)).to.be.above(-0.1)
  })

  it('closes on nothing that never rests', () => {
    const all = sine(1_000)
    expect(levelOf(withoutNoise(all, rate))).to.be.closeTo(levelOf(all), 0.1)
  })
})
