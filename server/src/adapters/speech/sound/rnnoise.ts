/**
 * RNNoise (https://jmvalin.ca/demo/rnnoise/, BSD), as WebAssembly with SIMD from @sapphi-red/web-noise-suppressor: of
 * those on npm it takes the least time, and has no glue that wants a browser.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Its only sample rate. */
export const rnnoiseRate = 48_000

/** Samples that it takes at once: 10 ms. It answers with those of 10 ms ago. */
export const rnnoiseLength = 480

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  __wasm_call_ctors(): void
  malloc(bytes: number): number
  free(address: number): void
  /** 0 when its memory is used up. */
  rnnoise_create(model: number): number
  rnnoise_destroy(state: number): void
  rnnoise_process_frame(state: number, output: number, input: number): number
}

/** WebAssembly as Node has it, which is not in TypeScript's library without that of a browser. */
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>
}

export class Rnnoise {
  private constructor(
    private readonly wasm: Exports,
    /** Address of the buffer for samples. */
    private readonly buffer: number,
  ) {}

  static async load(): Promise<Rnnoise> {
    const file = createRequire(import.meta.url).resolve('@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm')
    const loaded: { wasm?: Exports } = {}
    const env = {
      // Returns nothing: WebAssembly would make a number of it.
      emscripten_memcpy_big: (to: number, from: number, length: number) => {
        if (loaded.wasm) new Uint8Array(loaded.wasm.memory.buffer).copyWithin(to, from, from + length)
      },
      emscripten_resize_heap: () => 0,
      __assert_fail: () => {
        throw new Error('an assertion of RNNoise failed')
      },
    }
    const { instance } = await WebAssembly.instantiate(await readFile(file), { env })
    const wasm = (loaded.wasm = instance.exports as Exports)
    wasm.__wasm_call_ctors()
    return new Rnnoise(wasm, wasm.malloc(4 * rnnoiseLength))
  }

  /** @returns null when there are too many: 16 MB are enough for 590 */
  open(): RnnoiseState | null {
    const state = this.wasm.rnnoise_create(0)
    if (state === 0) return null
    return {
      clean: (samples) => {
        const shared = new Float32Array(this.wasm.memory.buffer, this.buffer, rnnoiseLength)
        for (let index = 0; index < rnnoiseLength; index++) shared[index] = samples[index] ?? 0
        this.wasm.rnnoise_process_frame(state, this.buffer, this.buffer)
        return Int16Array.from(shared, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value))))
      },
      close: () => this.wasm.rnnoise_destroy(state),
    }
  }
}

export interface RnnoiseState {
  /** @param samples `rnnoiseLength` of them */
  clean(samples: Int16Array): Int16Array
  close(): void
}
