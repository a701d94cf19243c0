import { SpeechModelError } from '../speech-model.js'

/**
 * Does something again when it fails in a way that may pass: once. (What was slow is not asked again: the caller has waited.)
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
    return work()
  }
}
