/** Code that is loaded when it is needed: what could not be fetched is fetched again when the server is back. */
import { connectionNow, onConnectionChange, serverIsLost } from './connection'

/**
 * @param load `async () => import('./pages/numbers-page')`
 * @throws what `load` throws while the server is reached: a chunk of a version that is gone
 */
export async function fetched<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (await isReached()) throw error
    await back()
    return fetched(load)
  }
}

const reachTimeoutMs = 5_000

async function isReached(): Promise<boolean> {
  try {
    const answer = await fetch('/health/live', {
      signal: AbortSignal.timeout(reachTimeoutMs),
      cache: 'no-store',
    })
    return answer.ok
  } catch {
    serverIsLost()
    return false
  }
}

/** Until the server answers again. */
async function back(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (connectionNow() === 'up') serverIsLost()
    const stop = onConnectionChange(() => {
      if (connectionNow() !== 'up') return
      stop()
      resolve()
    })
  })
}
