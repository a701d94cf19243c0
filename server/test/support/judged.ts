/** Sound as the server's model judges it. */
import {
  type JudgedFrame,
  type SoundStream,
  soundAnalysis,
} from '../../src/adapters/speech/sound/sound-analysis.js'

export function framesOf(samples: Int16Array, rate: number): Int16Array[] {
  const length = rate / 50
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) =>
    samples.slice(index * length, (index + 1) * length),
  )
}

interface Use {
  /** What is played to the caller meanwhile. */
  readonly sent?: Int16Array | undefined
  /** Takes a frame while its stream is open. */
  use?(stream: SoundStream, frame: Int16Array, one: JudgedFrame): void
  cleaned?(utterance: number, samples: Int16Array): void
  /** The stream is closed after that. */
  end?(): Promise<unknown>
}

/** Each frame, with what it was judged to be. */
export async function judged(samples: Int16Array, rate: number, use: Use = {}): Promise<JudgedFrame[]> {
  const frames = framesOf(samples, rate)
  const sent = framesOf(use.sent ?? new Int16Array(0), rate)
  const results: JudgedFrame[] = []
  let over: (error?: Error) => void = () => undefined
  const isOver = new Promise<void>((resolve, reject) => {
    over = (error) => (error ? reject(error) : resolve())
  })
  const stream: SoundStream = await soundAnalysis.open(rate, {
    judged: (one) => {
      use.use?.(stream, frames[results.length] ?? new Int16Array(0), one)
      if (results.push(one) === frames.length) over()
    },
    cleaned: (utterance, clean) => use.cleaned?.(utterance, clean),
    failed: over,
  })
  for (const [index, frame] of frames.entries()) stream.hear(frame, sent[index] ?? new Int16Array(0))
  await isOver
  await use.end?.()
  stream.close()
  return results
}
