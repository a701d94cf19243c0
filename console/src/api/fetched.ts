/** Chunks loaded on demand: one that could not be fetched is fetched again when the server is back. */
import { connectionNow, isReached, onConnectionChange, serverIsLost } from './connection'
import { announceWait } from './waits'

/** The page needs a chunk of a version that the server no longer has. The router detects it by the browser's message. */
export class OldPage extends Error {
  override readonly name = 'OldPage'
}

/** Retries for a file that the server refuses. */
const maxTries = 12
const waitSeconds = 5
const soonSeconds = 1
const answerMs = 30_000
/** The rate limit's window. */
const longestWaitSeconds = 60
/** Jitter: files refused together are not retried at the same moment. */
const spreadMs = 1_500

/**
 * @param load `async () => import('./pages/numbers-page')`
 * @throws {OldPage} when the server has no such file, or has not answered it for long
 */
export async function fetched<Module>(load: () => Promise<Module>, tries = 1): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!(await isReached())) {
      await back()
      return fetched(load, tries)
    }
    const refusal = await refusalOf(error)
    if (!refusal || tries >= maxTries)
      throw new OldPage(error instanceof Error ? error.message : '', { cause: error })
    const waitMs = Math.min(refusal.seconds, longestWaitSeconds) * 1_000 + Math.random() * spreadMs
    announceWait(refusal.status === 429 ? 'limited' : 'failed', waitMs)
    await new Promise((goOn) => setTimeout(goOn, waitMs))
    return fetched(load, tries + 1)
  }
}

/**
 * Why the server refused the file that the browser's message names: null where it has no such file, or none is named. One that
 * it answers now is loaded again soon: a file that it imports may have been refused in its place.
 */
async function refusalOf(error: unknown): Promise<{ status: number; seconds: number } | null> {
  const path = /\/assets\/[\w.-]+/.exec(error instanceof Error ? error.message : '')?.[0]
  const answer =
    path &&
    (await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(answerMs) }).catch(() => undefined))
  if (!answer || answer.status === 404) return null
  const seconds = answer.ok ? soonSeconds : Number(answer.headers.get('retry-after')) || waitSeconds
  return { status: answer.status, seconds }
}

/** Until the server answers again. */
async function back(): Promise<void> {
  serverIsLost()
  await new Promise<void>((resolve) => {
    const stop = onConnectionChange(() => {
      if (connectionNow() !== 'up') return
      stop()
      resolve()
    })
  })
}
