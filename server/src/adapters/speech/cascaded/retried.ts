import { setTimeout as delay } from 'node:timers/promises'
import { SpeechModelError } from '../speech-model.js'

/** A server that is overloaded, or starts again, has a moment for it; the caller hardly notices. */
const pauseMs = 250

/**
 * Does something again when it fails in a way that may pass: once, after a moment. (What was slow is not asked again: the caller has waited.)
 * @param mayRepeat asked when it has failed; anything that was said of it already speaks against
 */
export async function retried<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isPassing = error instanceof SpeechModelError && error.kind === 'unreachable'
    if (!isPassing || signal.aborted || !mayRepeat()) throw error
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    return work()
  }
}
