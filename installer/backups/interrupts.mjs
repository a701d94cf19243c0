/** Handles Ctrl-C, `kill` and a lost connection during work that must not stop half way. */
import { Failure } from '../failure.mjs'
import { endRunning } from '../processes.mjs'

/**
 * @typedef {object} Interrupts
 * @property {() => void} goOn called between two steps. Throws {Failure} after an interrupt
 * @property {() => void} hold ignores interrupts from now on. Throws as `goOn` does
 */

/**
 * @param {string} what name of the work, for messages: `an upgrade`
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
