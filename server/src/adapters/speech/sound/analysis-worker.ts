/**
 * The thread in which the sound of all calls is judged, many streams at once, and freed of noise. Judging comes first:
 * callers are heard in time also when there is more noise than time to take it out.
 */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { AnalysedStream } from './analysed-stream.js'
import type { FromAnalysis, JudgedFrame, ToAnalysis } from './analysis-messages.js'
import { NoiseReduction } from './noise-reduction.js'
import { Rnnoise } from './rnnoise.js'
import { Silero, type SileroInput } from './silero.js'

interface Stream {
  readonly rate: number
  readonly analysed: AnalysedStream
  reduction: NoiseReduction | null
  /** The utterance that is being cleaned. */
  utterance: number
}

/** Frames that wait to be cleaned: more, and text would come too late. It takes 0.5 ms for each of them. */
const maxToClean = 400

const port = parentPort
if (!port) throw new Error('this file is the program of a worker thread')
const streams = new Map<number, Stream>()
const toClean: Extract<ToAnalysis, { kind: 'clean' }>[] = []
const [silero, rnnoise] = await Promise.all([Silero.load(), Rnnoise.load()])
let isWorking = false

port.on('message', (message: ToAnalysis) => {
  if (message.kind === 'open') {
    const { rate } = message
    streams.set(message.stream, { rate, analysed: new AnalysedStream(rate), reduction: null, utterance: 0 })
  } else if (message.kind === 'close') {
    streams.get(message.stream)?.reduction?.close()
    streams.delete(message.stream)
  } else if (message.kind === 'clean') toClean.push(message)
  else for (const frame of message.frames) streams.get(frame.stream)?.analysed.add(frame)
  if (!isWorking) void work()
})
post({ kind: 'ready' })

function post(message: FromAnalysis): void {
  port?.postMessage(message)
}

/** A failure ends the thread. */
async function work(): Promise<void> {
  isWorking = true
  for (;;) {
    while (toClean.length < maxToClean && (await judgeOneOfEach()));
    const isLate = toClean.length >= maxToClean
    const next = toClean.shift()
    if (!next) break
    clean(next, isLate)
    // Frames that have come meanwhile are judged before the next one.
    await othersTurn()
  }
  isWorking = false
}

async function judgeOneOfEach(): Promise<boolean> {
  const frames: { id: number; stream: AnalysedStream; isEcho: boolean; place: number }[] = []
  const inputs: SileroInput[] = []
  for (const [id, { analysed: stream }] of streams) {
    const next = stream.next()
    if (!next) continue
    frames.push({ id, stream, isEcho: next.isEcho, place: next.input ? inputs.push(next.input) - 1 : -1 })
  }
  if (frames.length === 0) return false
  const probabilities = inputs.length > 0 ? await silero.judge(inputs) : []
  const judged = frames.map(({ id, stream, isEcho, place }): JudgedFrame & { stream: number } => ({
    stream: id,
    ...stream.judged(isEcho, probabilities[place]),
  }))
  post({ kind: 'judged', frames: judged })
  return true
}

function clean(
  { stream: id, utterance, samples }: Extract<ToAnalysis, { kind: 'clean' }>,
  isLate: boolean,
): void {
  const stream = streams.get(id)
  if (!stream) return
  stream.reduction ??= new NoiseReduction(rnnoise, stream.rate)
  if (stream.utterance !== utterance) stream.reduction.begin()
  if (isLate) stream.reduction.giveUp()
  stream.utterance = utterance
  // A copy: part of a buffer would be handed over as all of it.
  post({ kind: 'cleaned', stream: id, utterance, samples: stream.reduction.clean(samples).slice() })
}
