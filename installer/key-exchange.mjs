/**
 * Another master key takes the place of one, in two steps: every server learns it as one to read with, and only when all
 * have it, the first seals with it. Files tell how far it is, and hold both keys at every point: run again, it goes on.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceSecret } from './secrets.mjs'

/**
 * @param {string} folder of the secrets: `secret-key` seals, `secret-key-old` are those that are read with beside it
 * @param {{fresh: () => string, confirm: (keys: string[]) => Promise<void>}} how `fresh` makes a key; `confirm` returns
 *   when every server has just these keys, the one that seals first
 * @returns {Promise<string>} the key that seals from now on; those before it are in `secret-key-old` still
 */
export async function exchangeKeys(folder, { fresh, confirm }) {
  const path = (/** @type {string} */ name) => join(folder, name)
  const [current, old, next] = [path('secret-key'), path('secret-key-old'), path('secret-key-next')]
  const text = (/** @type {string} */ path) => readFileSync(path, 'utf8').trim()
  const isSwapped = text(old) !== '' && !existsSync(next)
  if (!isSwapped) {
    if (!existsSync(next)) replaceSecret(next, fresh())
    const [before, after] = [text(current), text(next)]
    if (before !== after) {
      replaceSecret(old, after)
      await confirm([before, after])
      replaceSecret(old, `${after},${before}`)
      replaceSecret(current, after)
    }
    replaceSecret(
      old,
      keysIn(text(old))
        .filter((key) => key !== after)
        .join(),
    )
    rmSync(next)
  }
  await confirm([text(current), ...keysIn(text(old))])
  return text(current)
}

/** @param {string} text @returns {string[]} */
function keysIn(text) {
  return text.split(',').filter(Boolean)
}
