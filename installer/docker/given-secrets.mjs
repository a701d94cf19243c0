/**
 * Secrets that all cells share (docs/operate/cells.md): a machine without them copies those of the first one from a
 * folder of FILES. Existing ones are replaced only by `tools take-secrets`.
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
 * @returns {{name: Shared, given: string, ours: string | null}[]} those that differ from ours
 * @throws {Failure} if one cannot be read, or is empty
 */
export function givenSecrets(home, folder) {
  return SHARED.flatMap((name) => {
    const given = readIfThere(join(folder, name))
    if (given === null) return []
    // there is an old key only while the master key is being replaced
    if (given === '' && name !== 'secret-key-old') throw new Failure(`${join(folder, name)} is empty`)
    const ours = readIfThere(secretPath(home, name))
    return given === ours ? [] : [{ name, given, ours }]
  })
}

/**
 * Copies those that we do not have.
 * @param {string} home
 * @param {string} folder
 * @returns {{taken: Shared[], refused: Shared[]}} `refused`: ours differs, and stays
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
 * Replaces ours with all of them. A server that reads between two files has every previous key and the
 * new ones.
 * @param {string} home
 * @param {string} folder
 * @returns {Shared[]} the changed ones
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

/** @param {string} path @returns {string | null} null without such a file */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new Failure(`cannot read ${path}: ${messageOf(error)}`)
  }
}
