import { joinedSamples as joined } from '../../../server/dist/src/lib/sound/joined-samples.js'
import {
  type Speaker,
  amplified,
  asHeard,
  atLevel,
  mixed,
  rate,
  repeated,
  silence,
  spoken,
  synthesised,
  usualDb,
} from './sound.js'

/** Something that is heard, and what of it is a caller's speech. */
export interface Sample {
  readonly name: string
  readonly heard: Int16Array
  /** What is played to the caller meanwhile. */
  readonly sent: Int16Array
  /** From when to when somebody speaks, in seconds. */
  readonly speech: readonly (readonly [number, number])[]
  /** Of sounds that are no speech: how many. */
  readonly sounds: number
}

const callers: readonly (readonly [Speaker, string])[] = [
  [{ program: 'espeak-ng', voice: 'en-us' }, 'Hello, I would like to know when you open on Saturday.'],
  [{ program: 'espeak-ng', voice: 'en-gb' }, 'Yes.'],
  [{ program: 'espeak-ng', voice: 'de' }, 'Guten Tag, ich hätte gern einen Termin am Montag.'],
  [{ program: 'flite', voice: 'slt' }, 'My order number is four seven one one, and it has not arrived yet.'],
  [{ program: 'flite', voice: 'rms' }, 'No, thank you, that is all.'],
  [{ program: 'flite', voice: 'awb' }, 'Could you connect me with somebody from support, please?'],
  [{ program: 'espeak-ng', voice: 'fr' }, 'Bonjour, je voudrais parler à quelqu’un du service clients.'],
  [{ program: 'espeak-ng', voice: 'en-us+f3' }, 'What does it cost to send a parcel to Spain?'],
]

const agentText =
  'Hello, this is the shop. How can I help you? We open at nine in the morning, Monday to Friday, and we close at six. ' +
  'On Saturdays we are open until noon, and on Sundays we are closed all day.'

/** Six of each, four seconds apart: sounds that are no voice. */
const noises: Readonly<Record<string, readonly string[]>> = {
  bark: 'synth 0.18 sawtooth 350-500 fade 0.02 0.18 0.08 gain -6 pad 0 0.15 repeat 2'.split(' '),
  breath: 'synth 1.2 whitenoise bandpass 1200 1500 fade 0.4 1.2 0.5 gain -14'.split(' '),
  cough: 'synth 0.35 pinknoise bandpass 900 800 fade 0.02 0.35 0.25 gain -3'.split(' '),
  DTMF: 'synth 0.25 sine 770 sine 1336 remix - gain -9'.split(' '),
  horn: 'synth 0.8 sawtooth 380 sawtooth 470 remix - gain -10'.split(' '),
  ringing: 'synth 1.5 sine 440 sine 480 remix - tremolo 20 60 gain -12'.split(' '),
  'vacuum cleaner': 'synth 3 pinknoise gain -12'.split(' '),
  door: 'synth 0.12 brownnoise fade 0 0.12 0.1 gain -6'.split(' '),
  keyboard: 'synth 0.03 whitenoise fade 0 0.03 0.02 gain -6 pad 0 0.09 repeat 9'.split(' '),
}

const lastSeconds = 60

function floor(): Int16Array {
  return synthesised('synth', '10', 'whitenoise', 'gain', '-62')
}

/** Noise at the usual level of speech. */
function lastingNoises(): Readonly<Record<string, Int16Array>> {
  const synth = (...kind: string[]) => atLevel(synthesised('synth', String(lastSeconds), ...kind), usualDb)
  const talkers = callers.map(([speaker, text]) => spoken(speaker, text))
  const babble = talkers.reduce((all, talker, index) => {
    // Each of them from another place on.
    const own = repeated(joined([talker.slice(index * 700), talker]), all.length)
    return mixed(all, amplified(own, -14))
  }, silence(lastSeconds))
  return {
    white: synth('whitenoise', 'gain', '-3'),
    pink: synth('pinknoise', 'gain', '-3'),
    brown: synth('brownnoise', 'gain', '-3'),
    music: synth(...'pluck C3 pluck E3 pluck G3 pluck C4 tremolo 2 80 remix - norm -9'.split(' ')),
    babble: atLevel(babble, usualDb),
  }
}

/** All samples, by the table in which they stand. */
export function makeSamples() {
  const line = floor()
  const sample = (name: string, heard: Int16Array, more: Partial<Sample> = {}): Sample => ({
    ...{ name, heard: asHeard(heard, line), sent: silence(0), speech: [], sounds: 0 },
    ...more,
  })
  const speech: [number, number][] = []
  const parts: Int16Array[] = [silence(3)]
  for (const [speaker, text] of callers) {
    const from = lengthOf(parts)
    parts.push(spoken(speaker, text))
    speech.push([from, lengthOf(parts)])
    parts.push(silence(2.5))
  }
  const clean = joined(parts)
  const noise = lastingNoises()
  const agent = spoken({ program: 'flite', voice: 'slt' }, agentText)
  const talk = joined([agent, silence(0.5), agent, silence(2)])
  const words = spoken(
    { program: 'espeak-ng', voice: 'en-gb' },
    'Wait a moment please, I have another question.',
  )
  const echoOf = (decibels: number, ms: number) => amplified(joined([silence(ms / 1_000), talk]), decibels)
  const overTalk = [4, 4 + words.length / rate] as const

  return {
    speech: [
      sample('clean', clean, { speech }),
      ...Object.entries(noise).flatMap(([name, lasting]) =>
        [20, 10, 5].map((ratio) =>
          sample(`${name}, ${ratio} dB`, mixed(clean, amplified(lasting, -ratio)), { speech }),
        ),
      ),
      ...[-43, -49, -55].map((level) =>
        sample(`quiet, ${level} dBFS`, amplified(clean, level - usualDb), { speech }),
      ),
    ],
    sounds: [
      ...Object.entries(noises).map(([name, effects]) => {
        const one = synthesised(...effects)
        const six = [3, 7, 11, 15, 19, 23].reduce((all, at) => mixed(all, one, at), silence(30))
        return sample(name, six, { sounds: 6 })
      }),
      ...Object.entries(noise)
        .filter(([name]) => name !== 'babble')
        .map(([name, lasting]) =>
          sample(`${name}, alone`, joined([silence(3), amplified(lasting, -10)]), { sounds: 1 }),
        ),
    ],
    echo: [
      ...[-6, -10, -20, -30].flatMap((decibels) =>
        [20, 150, 300].map((ms) =>
          sample(`echo ${decibels} dB, ${ms} ms`, echoOf(decibels, ms), { sent: talk, sounds: 1 }),
        ),
      ),
      sample('a caller above echo, -20 dB', mixed(echoOf(-20, 300), words, 4), {
        ...{ sent: talk, speech: [overTalk] },
      }),
      sample('a caller, no echo', mixed(silence(talk.length / rate), words, 4), {
        ...{ sent: talk, speech: [overTalk] },
      }),
      sample('a quiet caller, no echo', mixed(silence(talk.length / rate), amplified(words, -16), 4), {
        ...{ sent: talk, speech: [overTalk] },
      }),
    ],
  }
}

function lengthOf(parts: readonly Int16Array[]): number {
  return parts.reduce((length, part) => length + part.length, 0) / rate
}
