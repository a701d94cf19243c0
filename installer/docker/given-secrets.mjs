/**
 * Secrets that all cells share (docs/operate/cells.md): a machine that has none yet takes those of the first one, which lie in a
 * folder of FILES. Another one is taken only when `tools take-secrets` says so.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, codeOf, messageOf } from '../failure.mjs'
import { replaceSecret, secretPath } from '../secrets.mjs'

const SHARED = /** @type {const} */ (['secret-key-old', 'secret-key', 'operator-token', 'rpc-secret'])

/** @typedef {(typeof SHARED)[number]} Shared */

/**
 * @param {string} home
 * @param {string} folder
 * @returns {{name: Shared, given: string, ours: string | null}[]} those that are not what we have
 * @throws {Failure} when one cannot be read, or is empty
 */
export function givenSecrets(home, folder) {
  return SHARED.flatMap((name) => {
    const given = readIfThere(join(folder, name))
    if (given === null) return []
    // no old key is what there is but while the master key is replaced
    if (given === '' && name !== 'secret-key-old') throw new Failure(`${join(folder, name)} is empty`)
    const ours = readIfThere(secretPath(home, name))
    return given === ours ? [] : [{ name, given, ours }]
  })
}

/**
 * Takes those that we have none of.
 * @param {string} home
 * @param {string} folder
 * @returns {{taken: Shared[], refused: Shared[]}} `refused`: ours is another, and stays
 */
export function takeMissing(home, folder) {
  const differing = givenSecrets(home, folder)
  const missing = differing.filter(({ ours }) => ours === null)
  if (missing.length > 0) mkdirSync(join(home, 'secrets'), { recursive: true, mode: 0o700 })
  for (const { name, given } of missing) replaceSecret(secretPath(home, name), given)
  const named = (/** @type {typeof differing} */ some) => some.map(({ name }) => name)
  return { taken: named(missing), refused: named(differing.filter(({ ours }) => ours !== null)) }
}

/**
 * Takes all of them in the place of ours. A server that reads between two files has every key that it had, and those that
 * come.
 * @param {string} home
 * @param {string} folder
 * @returns {Shared[]} what has changed
 */
export function takeAll(home, folder) {
  const differing = givenSecrets(home, folder)
  const [current, old] = [secretPath(home, 'secret-key'), secretPath(home, 'secret-key-old')]
  const before = readIfThere(current)
  const key = readIfThere(join(folder, 'secret-key')) ?? before
  if (key !== null && differing.some(({ name }) => name === 'secret-key' || name === 'secret-key-old')) {
    const readWith = readIfThere(join(folder, 'secret-key-old')) ?? ''
    replaceSecret(old, [key, readWith, before].filter(Boolean).join())
    replaceSecret(current, key)
    replaceSecret(old, readWith)
  }
  for (const { name, given } of differing)
    if (name === 'operator-token' || name === 'rpc-secret') replaceSecret(secretPath(home, name), given)
  return differing.map(({ name }) => name)
}

/** @param {string} path @returns {string | null} null where there is no such file */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Failure(`cannot read ${path}: ${messageOf(error)}`)
  }
}
