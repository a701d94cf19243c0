/**
 * What is taken for a caller's speech: samples that this benchmark makes, as a telephone brings them, judged by
 * Jackfield, by its model alone, and by loudness. Then as many calls at once as `BENCH_CALLS` (50), all of which speak.
 */
import { judged } from '../../../server/dist/test/support/judged.js'
import { machine, median, percentile, printTable, say, printFigure } from '../figures.js'
import { manyCalls } from './calls.js'
import { type Found, detectors } from './detectors.js'
import { type Sample, makeSamples } from './samples.js'
import { rate } from './sound.js'

/** What a detector made of a sample. */
interface Score {
  /** Of the sounds that are no speech, or beside speech. */
  wrong: number
  heard: number
  /** Seconds from the first sound of speech, and from the last, until it was detected. */
  begins: number[]
  ends: number[]
}

/** Noise may be heard as speech for a moment before it and behind it. */
const tolerance = 0.2

function scoreOf({ speech }: Sample, found: readonly Found[]): Score {
  const isOf = ([from, to]: readonly [number, number], one: Found) =>
    one.from < to + tolerance && (one.to ?? Infinity) > from
  const matches = speech.map((part) => found.filter((one) => isOf(part, one)))
  const score: Score = {
    wrong: found.filter((one) => !speech.some((part) => isOf(part, one))).length,
    ...{ heard: matches.filter(({ length }) => length > 0).length, begins: [], ends: [] },
  }
  for (const [index, [from, to]] of speech.entries()) {
    const [first, last] = [matches[index]?.[0], matches[index]?.at(-1)]
    if (first) score.begins.push(Math.max(0, first.from - from))
    if (last?.to) score.ends.push(last.to - to)
  }
  return score
}

const ms = (seconds: readonly number[], share: number) =>
  seconds.length === 0
    ? ''
    : String(Math.round((share === 0.5 ? median(seconds) : percentile(seconds, share)) * 1_000))

async function compare(samples: readonly Sample[]): Promise<Map<string, Score[]>> {
  const scores = new Map<string, Score[]>(Object.keys(detectors).map((name) => [name, []]))
  for (const sample of samples) {
    const { heard, sent } = sample
    const frames = await judged(heard, rate, { sent })
    for (const [name, detector] of Object.entries(detectors))
      scores.get(name)?.push(scoreOf(sample, detector(sample, frames)))
  }
  return scores
}

function table(
  samples: readonly Sample[],
  scores: Map<string, Score[]>,
  cell: (one: Score, sample: Sample) => string,
) {
  const names = [...scores.keys()]
  printTable(
    ['', ...names],
    samples.map((sample, index) => [
      sample.name,
      ...names.map((name) => {
        const score = scores.get(name)?.[index]
        return score ? cell(score, sample) : ''
      }),
    ]),
  )
}

say(`bench/hearing: ${machine()}`)
const { speech, sounds, echo } = makeSamples()

const ofSounds = await compare(sounds)
say('taken for speech: sounds that are none')
table(sounds, ofSounds, ({ wrong }, sample) => `${wrong} of ${sample.sounds}`)
const wrongOf = (scores: readonly Score[] = []) => scores.reduce((sum, { wrong }) => sum + wrong, 0)
const count = sounds.reduce((sum, sample) => sum + sample.sounds, 0)
printFigure(
  `of ${count} sounds that are no speech, taken for speech`,
  wrongOf(ofSounds.get('jackfield')),
  { atMost: 0 },
  0,
)

const ofSpeech = await compare(speech)
say()
say('utterances that are detected, and false ones; median delay of their beginning and their end, ms')
table(
  speech,
  ofSpeech,
  ({ heard, wrong, begins, ends }, sample) =>
    `${heard} of ${sample.speech.length}, ${wrong}; ${ms(begins, 0.5)} ${ms(ends, 0.5)}`,
)
const atTen = speech.flatMap(({ name }, index) => {
  const isSteady = name.endsWith(', 10 dB') && !name.startsWith('babble')
  return isSteady ? (ofSpeech.get('jackfield')?.[index]?.ends ?? []) : []
})
printFigure(
  'ms until the end of a turn is detected at 10 dB above noise, p90',
  percentile(atTen, 0.9) * 1_000,
  { atMost: 900 },
  0,
)

const ofEcho = await compare(echo)
say()
say('while the voice agent talks: interruptions by its own echo, and by callers (ms until they stop it)')
table(echo, ofEcho, ({ wrong, heard, begins }, sample) =>
  sample.speech.length === 0
    ? String(wrong)
    : heard > 0
      ? `${ms(begins, 0.5)}${wrong > 0 ? `, ${wrong} wrong` : ''}`
      : 'missed',
)
const own = (ofEcho.get('jackfield') ?? []).filter((_, index) => echo[index]?.speech.length === 0)
printFigure('interruptions of the voice agent by its own echo', wrongOf(own), { atMost: 0 }, 0)

say()
await manyCalls(speech[0]?.heard ?? new Int16Array(0))
process.exit(0)
