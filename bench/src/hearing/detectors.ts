/** What is compared: our hearing of callers, the model alone, and loudness. */
import type { JudgedFrame } from '../../../server/dist/src/adapters/speech/sound/sound-analysis.js'
import { Utterances } from '../../../server/dist/src/adapters/speech/cascaded/utterances.js'
import { turnRulesOf, usualTurns } from '../../../server/dist/src/adapters/speech/turn-detection.js'
import { framesOf } from '../../../server/dist/test/support/judged.js'
import { Loudness } from './loudness.js'
import type { Sample } from './samples.js'
import { rate } from './sound.js'

/** Speech that a detector has found, in seconds. */
export interface Found {
  readonly from: number
  readonly to: number | null
}

export type Detector = (sample: Sample, judged: readonly JudgedFrame[]) => Found[]

const frameSeconds = 0.02

export const detectors: Readonly<Record<string, Detector>> = {
  jackfield: ({ heard }, judged) => {
    const utterances = new Utterances(turnRulesOf(usualTurns), null)
    const frames = framesOf(heard, rate)
    return foundOf(judged, (frame, index) => {
      const events = utterances.hear(frames[index] ?? new Int16Array(0), frame)
      const begins = events.some(({ kind }) => kind === 'begins')
      const ends = events.some(({ kind }) => kind === 'pauses')
      if (ends) utterances.close()
      return begins ? 'begins' : ends ? 'ends' : null
    })
  },
  'silero alone': (_, judged) => {
    let [isSpeaking, frames] = [false, 0]
    return foundOf(judged, ({ probability }) => {
      const isMatch = isSpeaking ? probability < 0.35 : probability > 0.5
      frames = isMatch ? frames + 1 : 0
      // As in its own examples: two chunks to begin, 600 ms to end.
      if (frames < (isSpeaking ? 30 : 4)) return null
      frames = 0
      isSpeaking = !isSpeaking
      return isSpeaking ? 'begins' : 'ends'
    })
  },
  loudness: ({ heard }, judged) => {
    const loudness = new Loudness()
    const frames = framesOf(heard, rate)
    return foundOf(judged, (_, index) => loudness.hear(frames[index] ?? new Int16Array(0)))
  },
}

function foundOf(
  judged: readonly JudgedFrame[],
  hear: (frame: JudgedFrame, index: number) => 'begins' | 'ends' | null,
): Found[] {
  const found: { from: number; to: number | null }[] = []
  for (const [index, frame] of judged.entries()) {
    const event = hear(frame, index)
    const at = (index + 1) * frameSeconds
    if (event === 'begins') found.push({ from: at, to: null })
    const last = found.at(-1)
    if (event === 'ends' && last?.to === null) last.to = at
  }
  return found
}
