/** When a caller speaks, and what of it is an utterance: with speech, noise, and sounds that are no voice. */
import { expect } from 'chai'
import { Utterances } from '../../src/adapters/speech/cascaded/utterances.js'
import { levelOf } from '../../src/adapters/speech/level.js'
import { type TurnDetection, turnRulesOf, usualTurns } from '../../src/adapters/speech/turn-detection.js'
import { joinedSamples as joined } from '../../src/lib/sound/joined-samples.js'
import { judged } from '../support/judged.js'
import { speech, spoken } from '../support/spoken.js'
import { tone } from '../support/tone.js'

const rate = 24_000

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

function mixed(one: Int16Array, other: Int16Array): Int16Array {
  return one.map((sample, index) => sample + (other[index] ?? 0))
}

function lengthMs(samples: Int16Array): number {
  return Math.round((samples.length * 1_000) / rate)
}

interface Event {
  readonly kind: string
  /** Of the sound, until it was told. */
  readonly ms: number
  readonly samples: Int16Array | null
}

interface Heard {
  readonly sent?: Int16Array
  readonly settings?: Partial<TurnDetection>
  readonly noiseReduction?: boolean
}

/** What is told; an utterance is over where it pauses. */
async function eventsOf(samples: Int16Array, { sent, settings, noiseReduction = false }: Heard = {}) {
  const events: Promise<Event>[] = []
  let utterances: Utterances | undefined
  let ms = 0
  await judged(samples, rate, {
    sent,
    use: (stream, frame, one) => {
      utterances ??= new Utterances(
        turnRulesOf({ ...usualTurns, ...settings }),
        noiseReduction ? stream : null,
      )
      ms += 20
      for (const event of utterances.hear(frame, one)) {
        const { kind } = event
        const at = ms
        const sound = 'sound' in event && event.sound ? event.sound() : Promise.resolve(null)
        events.push(sound.then((of) => ({ kind, ms: at, samples: of })))
        if (kind === 'pauses') utterances.close()
      }
    },
    cleaned: (utterance, clean) => utterances?.cleaned(utterance, clean),
    end: async () => Promise.all(events),
  })
  return Promise.all(events)
}

const kindsOf = (events: readonly Event[]) => events.map(({ kind }) => kind)

describe('voice activity', function () {
  this.timeout(20_000)
  const word = spoken('Monday', rate)

  it('begins within 60 to 140 ms of speech, and ends after 600 ms of quiet', async () => {
    const events = await eventsOf(joined([silence(1_000), word, silence(1_200)]))
    expect(kindsOf(events)).to.deep.equal(['begins', 'pauses'])
    const end = 1_000 + lengthMs(word)
    expect(events[0]!.ms).to.be.within(1_060, 1_140)
    expect(events[1]!.ms).to.be.within(end + 560, end + 760)
  })

  it('hears nothing in silence, in comfort noise, and in noise that was always there', async () => {
    for (const quiet of [silence(5_000), noise(5_000, 60), noise(5_000, 200), noise(6_000, 900)]) {
      expect(await eventsOf(quiet)).to.deep.equal([])
    }
  })

  it('takes no click and no tone for speech, and no pause between words for its end', async () => {
    const clicks = joined([silence(500), sine(40), silence(500), sine(20), silence(500), sine(800, 1_000)])
    expect(await eventsOf(clicks)).to.deep.equal([])
    const events = await eventsOf(joined([silence(500), word, silence(350), word, silence(1_000)]))
    expect(kindsOf(events)).to.deep.equal(['begins', 'pauses'])
  })

  it('hears speech above a noisy line as soon, and its end too', async () => {
    const caller = joined([silence(3_000), word, silence(1_200)])
    const events = await eventsOf(mixed(noise(lengthMs(caller) + 1, 900, 3), caller))
    expect(kindsOf(events)).to.deep.equal(['begins', 'pauses'])
    const end = 3_000 + lengthMs(word)
    expect(events[0]!.ms).to.be.within(3_060, 3_240)
    expect(events[1]!.ms).to.be.within(end + 500, end + 900)
  })

  it('takes no sudden noise that stays for speech', async () => {
    expect(await eventsOf(joined([silence(1_000), noise(9_000, 3_000)]))).to.deep.equal([])
  })

  it('hears a spoken sentence as one, from its first sound on', async () => {
    const text = 'Good morning, I would like to book a table for four people, please.'
    const events = await eventsOf(joined([silence(1_000), spoken(text, rate), silence(1_000)]))
    expect(kindsOf(events)).to.deep.equal(['begins', 'pauses'])
    expect(events[0]!.ms).to.be.within(1_060, 1_140)
  })

  it('is as sure as a version wants it to be, and waits as long', async () => {
    const caller = joined([silence(1_000), word, silence(1_500)])
    const settings = { threshold: 0.5, silenceMs: 1_200 }
    const events = await eventsOf(caller, { settings })
    expect(events[1]!.ms - 1_000 - lengthMs(word)).to.be.within(1_160, 1_360)
    expect(await eventsOf(caller, { settings: { threshold: 1 } })).to.deep.equal([])
    expect(await eventsOf(silence(2_000), { settings: { threshold: 0 } })).to.deep.equal([])
  })
})

describe('utterances', function () {
  this.timeout(20_000)
  const word = spoken('Monday', rate)

  it('hold the speech, 300 ms before it, and 200 ms behind it', async () => {
    const heard = await eventsOf(joined([silence(1_000), word, silence(1_200)]))
    expect(kindsOf(heard)).to.deep.equal(['begins', 'pauses'])
    const samples = heard[1]!.samples!
    expect(lengthMs(samples) - lengthMs(word)).to.be.within(350, 560)
    const first = samples.findIndex((sample) => sample !== 0)
    expect((first * 1_000) / rate).to.be.within(150, 280)
    expect(samples.subarray(first, first + word.length)).to.deep.equal(word.subarray(word.findIndex(Boolean)))
  })

  it('leave out what is too short for a word', async () => {
    const heard = await eventsOf(joined([silence(1_000), word.subarray(0, rate / 10), silence(1_000)]))
    expect(heard.map(({ samples }) => samples)).to.deep.equal(heard.map(() => null))
  })

  it('are cut when they are longer than 30 s, and nothing of them is lost', async () => {
    const heard = await eventsOf(joined([silence(1_000), speech(40_000, rate), silence(1_000)]))
    expect(kindsOf(heard)).to.deep.equal(['begins', 'part', 'pauses'])
    const [, part, rest] = heard.map(({ samples }) => (samples?.length ?? 0) / rate)
    expect(part).to.equal(30)
    expect(part! + rest!).to.be.within(40, 40.6)
  })

  it('lose their hum and most of their noise while they are spoken, and nothing of the speech', async () => {
    const clean = joined([
      silence(3_000),
      speech(2_000, rate),
      silence(400),
      speech(2_000, rate),
      silence(1_000),
    ])
    const length = lengthMs(clean)
    const noisy = mixed(mixed(clean, noise(length, 400)), sine(length, 50, 1_500))
    const [, end] = await eventsOf(noisy, { noiseReduction: true })
    const samples = end!.samples!
    const at = (ms: number) => (rate * ms) / 1_000
    // The utterance begins about 220 ms before the speech: what is behind the first two seconds is a pause.
    const pause = samples.subarray(at(2_380), at(2_500))
    const noisyPause = noisy.subarray(at(5_160), at(5_280))
    expect(levelOf(pause)).to.be.within(-96, levelOf(noisyPause) - 15)
    const spokenLevel = levelOf(samples.subarray(at(300), at(2_100)))
    expect(spokenLevel).to.be.within(levelOf(speech(2_000, rate)) - 3, levelOf(speech(2_000, rate)) + 1)
  })
})
