/**
 * Replaces the master key in two steps: every server first learns the new key for reading, and only when all
 * have it, the first one seals with it. Files record the progress, and hold both keys at every point: a repeated run continues it.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceSecret } from './secrets.mjs'

/**
 * @param {string} folder of the secrets: `secret-key` seals, `secret-key-old` has further keys for reading
 * @param {{fresh: () => string, confirm: (keys: string[]) => Promise<void>}} how `fresh` generates a key; `confirm` returns
 *   when every server has exactly these keys, the sealing one first
 * @returns {Promise<string>} the new sealing key; previous ones are still in `secret-key-old`
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
