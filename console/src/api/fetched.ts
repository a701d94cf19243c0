/** Code that is loaded when it is needed: what could not be fetched is fetched again when the server is back. */
import { connectionNow, isReached, onConnectionChange, serverIsLost } from './connection'

/** The code that a page needs is of a version that the server has no more. The router knows it by the browser's message. */
export class OldPage extends Error {
  override readonly name = 'OldPage'
}

/**
 * @param load `async () => import('./pages/numbers-page')`
 * @throws {OldPage} while the server is reached
 */
export async function fetched<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (await isReached()) throw new OldPage(error instanceof Error ? error.message : '', { cause: error })
    await back()
    return fetched(load)
  }
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
