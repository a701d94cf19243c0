/** The certificate and key of SIP and HTTPS: one pair, from any source. */
import { X509Certificate, createPrivateKey } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, messageOf } from '../failure.mjs'

/**
 * @typedef {object} Pair paths of two PEM files
 * @property {string} certificate with its intermediate certificates
 * @property {string} key
 */

/**
 * @param {string} home
 * @returns {Pair} self-signed by Kamailio's part if there is no other
 */
export function inForce(home) {
  return { certificate: join(home, 'kamailio/tls/server.crt'), key: join(home, 'kamailio/tls/server.key') }
}

/**
 * Installs a pair after validating it: a half-written renewal must break nothing.
 * @param {Pair} source
 * @param {Pair} target
 * @param {number} [now] milliseconds since 1970
 * @returns {boolean} whether it has changed
 * @throws {Failure} naming the file and the problem; the target is unchanged
 */
export function putInForce(source, target, now = Date.now()) {
  const certificate = read(source.certificate)
  const key = read(source.key)
  if (existsSync(target.certificate) && existsSync(target.key)) {
    if (read(target.certificate) === certificate && read(target.key) === key) return false
  }
  refuseUnlessPair(source, certificate, key, now)
  mkdirSync(dirname(target.key), { recursive: true, mode: 0o700 })
  write(target.key, key)
  write(target.certificate, certificate)
  return true
}

/** @param {Pair} source @param {string} certificate @param {string} key @param {number} now */
function refuseUnlessPair(source, certificate, key, now) {
  /** @type {X509Certificate} */
  let parsed
  try {
    parsed = new X509Certificate(certificate)
  } catch (error) {
    throw new Failure(`${source.certificate} is no certificate in PEM: ${messageOf(error)}`)
  }
  try {
    if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new Error('it belongs to another one')
  } catch (error) {
    throw new Failure(`${source.key} is not the key of ${source.certificate}: ${messageOf(error)}`)
  }
  if (Date.parse(parsed.validTo) < now)
    throw new Failure(`${source.certificate} has ended on ${parsed.validTo}`)
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${messageOf(error)}`)
  }
}

/** @param {string} path @param {string} text */
function write(path, text) {
  const aside = `${path}.${process.pid}`
  // Readable by the folder's group if it can read the folder: parts of a trial do not run as root.
  const { uid, gid, mode } = statSync(dirname(path))
  writeFileSync(aside, text, { mode: (mode & 0o040) === 0 ? 0o600 : 0o640 })
  if (process.getuid?.() === 0) chownSync(aside, uid, gid)
  renameSync(aside, path)
}
