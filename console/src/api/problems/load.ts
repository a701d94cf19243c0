/** The words for the API's errors come when the first error does: most visits see none. */
import type * as Words from './words'

let words: typeof Words | undefined

/** Called before an error reaches a page. Where the words cannot be had, general ones do. */
export async function loadErrorWords(): Promise<void> {
  words ??= await import('./words').catch(() => undefined)
}

/** Undefined until {@link loadErrorWords} is through. */
export function errorWords(): typeof Words | undefined {
  return words
}
