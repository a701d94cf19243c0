/**
 * Makes the server reload its secrets when they are replaced: the replacing process is in another container, and cannot
 * send it a signal.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { secretPath } from '../secrets.mjs'

const READ_ANEW = /** @type {const} */ (['secret-key', 'secret-key-old', 'operator-token'])
const LOOK_EVERY_MS = 1000

/**
 * @param {string} home
 * @returns {() => void} stops watching
 */
export function followSecrets(home) {
  const paths = READ_ANEW.map((name) => secretPath(home, name))
  for (const path of paths)
    watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, () => {
      // Before the server has read them once it has no signal handler: a signal would end it.
      process.emit('SIGHUP', 'SIGHUP')
    })
  return () => {
    for (const path of paths) unwatchFile(path)
  }
}
