/**
 * Has the server read its secrets anew when they are replaced: whoever does that is in another container, from which no
 * signal comes here.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { secretPath } from '../secrets.mjs'

const READ_ANEW = /** @type {const} */ (['secret-key', 'secret-key-old', 'operator-token'])
const LOOK_EVERY_MS = 1000

/**
 * @param {string} home
 * @returns {() => void} ends it
 */
export function followSecrets(home) {
  const paths = READ_ANEW.map((name) => secretPath(home, name))
  for (const path of paths)
    watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, () => {
      // Nobody listens before the server has read them for the first time: a signal would end it.
      process.emit('SIGHUP', 'SIGHUP')
    })
  return () => {
    for (const path of paths) unwatchFile(path)
  }
}
