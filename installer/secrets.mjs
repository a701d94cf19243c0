/** Secrets of the appliance: created once, readable by its user only, kept until they are replaced. */
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, codeOf, messageOf } from './failure.mjs'

/** Each secret's generator; letters and digits where other programs would have to quote them. */
const MAKERS = {
  'operator-token': () => `op-${randomBytes(24).toString('hex')}`,
  'secret-key': () => randomBytes(32).toString('base64'),
  'esl-password': () => randomBytes(24).toString('hex'),
  'rpc-secret': () => randomBytes(24).toString('hex'),
  'db-password': () => randomBytes(24).toString('hex'),
  'kamailio-db-password': () => randomBytes(24).toString('hex'),
}

/** @typedef {Record<keyof typeof MAKERS, string>} Secrets */

/** @param {string} name @returns {name is keyof Secrets} */
export function isSecret(name) {
  return name in MAKERS
}

/** @param {keyof Secrets} name */
export function newSecret(name) {
  return MAKERS[name]()
}

/**
 * The file of a secret.
 * @param {string} home
 * @param {keyof Secrets | 'secret-key-old'} name
 * @returns {string}
 */
export function secretPath(home, name) {
  return join(home, 'secrets', name)
}

/**
 * Reads all secrets, and creates missing ones.
 * @param {string} home
 * @returns {{secrets: Secrets, made: number}}
 * @throws {Failure} if one cannot be read or written
 */
export function readSecrets(home) {
  mkdirSync(join(home, 'secrets'), { recursive: true, mode: 0o700 })
  let made = 0
  const old = secretPath(home, 'secret-key-old') // empty except while the master key is being replaced
  if (!existsSync(old)) writeFileSync(old, '\n', { mode: 0o600 })
  const entries = Object.entries(MAKERS).map(([name, make]) => {
    const { secret, isNew } = keptSecret(join(home, 'secrets', name), make)
    if (isNew) made += 1
    return [name, secret]
  })
  return { secrets: Object.fromEntries(entries), made }
}

/**
 * Replaces a secret atomically: written to a temporary file and renamed. The owner is that of
 * the folder.
 * @param {string} path
 * @param {string} value
 */
export function replaceSecret(path, value) {
  const aside = `${path}.new`
  // Never an existing file: parts can write to the folder, and a symbolic link could lead root elsewhere.
  rmSync(aside, { force: true })
  writeFileSync(aside, `${value}\n`, { mode: 0o600, flush: true, flag: 'wx' })
  const { uid, gid } = statSync(dirname(path))
  if (process.getuid?.() === 0) lchownSync(aside, uid, gid)
  renameSync(aside, path)
}

/**
 * Reads a secret, or creates it if it is missing.
 * @param {string} path
 * @param {() => string} make
 * @returns {{secret: string, isNew: boolean}}
 * @throws {Failure} if it cannot be read or written
 */
export function keptSecret(path, make) {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret === '') throw new Failure(`${path} is empty: restore it, or delete it to have a new one made`)
    return { secret, isNew: false }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      throw error instanceof Failure ? error : new Failure(`cannot read ${path}: ${messageOf(error)}`)
  }
  const secret = make()
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return { secret, isNew: true }
}
