/** Waiting until the caller has heard what the voice agent has said, before something is done. */
import { once } from 'node:events'
import { withTimeout } from '../../../lib/with-timeout.js'
import type { ToolContext } from './tool-runner.js'

/** The longest speech in one breath: longer speech is cut. */
const longestMs = 20_000

/** Returns also when the session ends, or `before` is aborted. */
export async function untilHeard(
  { heard, signal }: Pick<ToolContext, 'heard' | 'signal'>,
  before?: AbortSignal,
): Promise<void> {
  const ends = before ? AbortSignal.any([signal, before]) : signal
  await withTimeout(longestMs, ends, async (over) => {
    if (over.aborted) return
    await Promise.race([heard().catch(() => undefined), once(over, 'abort')])
  })
}
