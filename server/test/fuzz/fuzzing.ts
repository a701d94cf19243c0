/**
 * Fuzzing for a bounded time: made-up input, as long as there is time for it. What fails is made smaller and printed with
 * its seed; `JACKFIELD_FUZZ_SEED=… JACKFIELD_FUZZ_SECONDS=600` does the same again, or for longer.
 */
import fc, { type Arbitrary } from 'fast-check'
import { malice } from '../api/malice.js'

/** Of one test. */
const seconds = Number(process.env['JACKFIELD_FUZZ_SECONDS'] ?? 10)
const seed = process.env['JACKFIELD_FUZZ_SEED']

/** For mocha: what a test may take. */
export const fuzzTimeoutMs = seconds * 1_000 + 60_000

/** Tries as many values as there is time for. @throws with the smallest value that fails, and the seed */
export async function fuzz<T>(values: Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(values, holds), {
    numRuns: Number.MAX_SAFE_INTEGER,
    plugins: [fc.interruptAfterTimeLimit(seconds * 1_000)],
    ...(seed !== undefined && { seed: Number(seed) }),
  })
}

/** Any bytes. */
export const bytes = fc.uint8Array({ maxLength: 2_000 }).map((array) => Buffer.from(array))

/** Any text, often such as breaks software. */
export const text = fc.oneof(fc.constantFrom(...malice), fc.string({ unit: 'binary', maxLength: 200 }))

/** One line of text, often of the length or the characters that break parsers of lines. */
export const line = text.map((any) => any.replace(/[\r\n]/g, ' ').slice(0, 2_000))

interface Edit {
  at: number
  length: number
  text: string
}

/** A text with a few places of it cut out, doubled or replaced. */
export function mutated(original: Arbitrary<string>): Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 30 }),
    text: fc.oneof(
      text,
      fc.constantFrom('', '\r\n', '\r\n\r\n', ':', ';', ',', '<', '"', '@', '\u0000', '4294967296'),
    ),
  })
  return fc
    .tuple(original, fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([whole, edits]) => edits.reduce(applied, whole))
}

function applied(whole: string, { at, length, text: inserted }: Edit): string {
  const from = Math.floor(at * whole.length)
  return whole.slice(0, from) + inserted + whole.slice(from + length)
}
