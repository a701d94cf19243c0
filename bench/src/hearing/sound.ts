/** Sound of the benchmark: speech of two synthesisers, noise, and what is heard in rooms, as a telephone brings it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { levelOf } from '../../../server/dist/src/adapters/speech/level.js'
import { samplesOf } from '../../../server/dist/test/support/audio-files.js'
import { resampled } from '../../../server/dist/test/support/resampled.js'
import { decodeMulaw, encodeMulaw } from '../../../server/dist/test/support/tone.js'

/** Samples a second of everything here. */
export const rate = 8_000

/** The usual level of speech, dBFS. */
export const usualDb = -24

const folder = mkdtempSync(join(tmpdir(), 'hearing-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

function soundOf(file: string): Int16Array {
  const wav = readFileSync(file)
  return resampled(samplesOf(wav), wav.readUInt32LE(24), rate)
}

export interface Speaker {
  readonly program: 'espeak-ng' | 'flite'
  readonly voice: string
}

/** Somebody says it, at the usual level, without silence before and behind. */
export function spoken({ program, voice }: Speaker, text: string): Int16Array {
  const file = join(folder, 'spoken.wav')
  if (program === 'espeak-ng') execFileSync(program, ['-v', voice, '-s', '150', '-w', file, text])
  else execFileSync(program, ['-voice', voice, '-t', text, '-o', file])
  const samples = soundOf(file)
  const top = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const isSound = (sample: number) => Math.abs(sample) > top / 100
  return atLevel(samples.slice(samples.findIndex(isSound), samples.findLastIndex(isSound) + 1), usualDb)
}

/** What sox makes, for example `synth 0.35 pinknoise`: at its own level. */
export function synthesised(...effects: string[]): Int16Array {
  const file = join(folder, 'made.wav')
  execFileSync('sox', ['-R', '-n', '-r', String(rate), '-c', '1', '-b', '16', file, ...effects], {
    stdio: 'ignore',
  })
  return soundOf(file)
}

/** @param decibels dBFS of all of it */
export function atLevel(samples: Int16Array, decibels: number): Int16Array {
  return amplified(samples, decibels - levelOf(samples))
}

export function amplified(samples: Int16Array, decibels: number): Int16Array {
  const gain = 10 ** (decibels / 20)
  return samples.map((sample) => clipped(sample * gain))
}

export function silence(seconds: number): Int16Array {
  return new Int16Array(Math.round(seconds * rate))
}

/** @param at seconds at which the other one begins */
export function mixed(one: Int16Array, other: Int16Array, at = 0): Int16Array {
  const from = Math.round(at * rate)
  return one.map((sample, index) => clipped(sample + (other[index - from] ?? 0)))
}

/** As long as another sound: from its beginning again and again. */
export function repeated(samples: Int16Array, length: number): Int16Array {
  return Int16Array.from({ length }, (_, index) => samples[index % samples.length] ?? 0)
}

/** Through PCMU, with the noise of a quiet line. */
export function asHeard(samples: Int16Array, floor: Int16Array): Int16Array {
  return samples.map((sample, index) =>
    decodeMulaw(encodeMulaw(clipped(sample + (floor[index % floor.length] ?? 0)))),
  )
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)))
}
