/** What a Ctrl-C, a `kill` and a connection that breaks off do to work that must not end half way. */
import { Failure } from '../failure.mjs'
import { endRunning } from '../processes.mjs'

/**
 * @typedef {object} Interrupts
 * @property {() => void} goOn between two steps. Throws {Failure} when somebody has interrupted
 * @property {() => void} hold from now on nobody interrupts. Throws as `goOn` does
 */

/**
 * @param {string} what that is not interrupted, for a person: `an upgrade`
 * @returns {Interrupts}
 */
export function watchInterrupts(what) {
  let isInterrupted = false
  let isHeld = false
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      if (isHeld) {
        process.stderr.write(`${what} is not interrupted half way: wait for its end\n`)
        return
      }
      isInterrupted = true
      endRunning()
    })
  }
  // a terminal that is gone
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const goOn = () => {
    if (isInterrupted) throw new Failure('interrupted: nothing has changed')
  }
  return {
    goOn,
    hold() {
      goOn()
      isHeld = true
    },
  }
}
