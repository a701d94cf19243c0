/** What is compared: our hearing of callers, the model alone, and loudness. */
import {
  type JudgedFrame,
  soundAnalysis,
} from '../../../server/dist/src/voice-agents/speech/sound/sound-analysis.js'
import { Utterances } from '../../../server/dist/src/voice-agents/speech/cascaded/utterances.js'
import { turnRulesOf, usualTurns } from '../../../server/dist/src/voice-agents/speech/turn-detection.js'
import { Loudness } from './loudness.js'
import type { Sample } from './samples.js'
import { rate } from './sound.js'

/** Speech that a detector has found, in seconds. */
export interface Found {
  readonly from: number
  readonly to: number | null
}

export type Detector = (sample: Sample, judged: readonly JudgedFrame[]) => Found[]

const frameLength = rate / 50
const frameSeconds = 0.02

export function frameOf(samples: Int16Array, index: number): Int16Array {
  const frame = new Int16Array(frameLength)
  frame.set(samples.subarray(index * frameLength, (index + 1) * frameLength))
  return frame
}

/** What the server's thread makes of a sample. */
export async function judge({ heard, sent }: Sample): Promise<JudgedFrame[]> {
  const count = Math.floor(heard.length / frameLength)
  const judged: JudgedFrame[] = []
  let over: (error?: Error) => void = () => undefined
  const isOver = new Promise<void>(
    (resolve, reject) => (over = (error) => (error ? reject(error) : resolve())),
  )
  const stream = await soundAnalysis.open(rate, {
    judged: (frame) => {
      if (judged.push(frame) === count) over()
    },
    cleaned: () => undefined,
    failed: over,
  })
  for (let index = 0; index < count; index++) stream.hear(frameOf(heard, index), frameOf(sent, index))
  await isOver
  stream.close()
  return judged
}

export const detectors: Readonly<Record<string, Detector>> = {
  jackfield: ({ heard }, judged) => {
    const utterances = new Utterances(turnRulesOf(usualTurns), null)
    return foundOf(judged, (frame, index) => {
      const events = utterances.hear(frameOf(heard, index), frame)
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
    return foundOf(judged, (_, index) => loudness.hear(frameOf(heard, index)))
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
