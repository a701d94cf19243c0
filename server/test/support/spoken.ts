/** Speech for tests, by espeak-ng: what a model takes for a voice, which no tone is. */
import { execFileSync } from 'node:child_process'
import { samplesOf } from './audio-files.js'
import { resampled } from './resampled.js'

/** Made once in a process. */
const made = new Map<string, Int16Array>()

/** A sample from here on is sound. */
const audible = 200

/** A text as speech, without silence before and after it. */
export function spoken(text: string, rate = 8_000, voice = 'en'): Int16Array {
  const name = `${voice} ${rate} ${text}`
  const known = made.get(name)
  if (known) return known
  const wav = execFileSync('espeak-ng', ['-v', voice, '-s', '150', '--stdout', text])
  const all = resampled(samplesOf(wav), wav.readUInt32LE(24), rate)
  const from = all.findIndex((sample) => Math.abs(sample) > audible)
  const to = all.findLastIndex((sample) => Math.abs(sample) > audible)
  const speech = all.slice(from, to + 1)
  made.set(name, speech)
  return speech
}

/** Speech of this length: a text that is repeated from its beginning. */
export function speech(ms: number, rate = 8_000): Int16Array {
  const text = spoken(
    'Good morning, I would like to know whether you have rye bread today, and what it costs, and how long you are open.',
    rate,
  )
  return Int16Array.from({ length: (rate * ms) / 1_000 }, (_, index) => text[index % text.length] ?? 0)
}

/**
 * How well a recording holds this speech, at the place where it fits best: 1 exactly, 0.2 and less not at all.
 * @param samples at the rate of `said`
 */
export function holds(samples: Int16Array, said: Int16Array): number {
  let most = 0
  const last = samples.length - said.length
  for (let at = 0; at <= last; at += 2) most = Math.max(most, likeness(samples, said, at, 16))
  return most
}

/** The correlation of the speech with the recording at a place, of every `step`-th sample. */
function likeness(samples: Int16Array, said: Int16Array, at: number, step: number): number {
  let [both, one, other] = [0, 0, 0]
  for (let index = 0; index < said.length; index += step) {
    const [a, b] = [samples[at + index] ?? 0, said[index] ?? 0]
    both += a * b
    one += a * a
    other += b * b
  }
  return one === 0 || other === 0 ? 0 : both / Math.sqrt(one * other)
}
