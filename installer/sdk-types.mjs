/**
 * What the SDK has of the server, generated and not committed: `sdk/src/openapi.ts`, the types of its OpenAPI document, and
 * `sdk/src/carrier-kinds.ts`, the forms of SMS carriers. Everything that compiles or checks the SDK, or what uses it, calls
 * {@link generateSdkTypes} first: it does nothing where nothing changed.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Failure, messageOf } from './failure.mjs'
import { ROOT } from './settings.mjs'
import { transpile } from './transpile.mjs'

const SOURCES = 'server/src'
/** Versions of the server, and of the generator. */
const MANIFESTS = ['server/package.json', 'package-lock.json']
const DEADLINE_MS = 60_000
const DOCUMENT_BYTES = 64e6

/**
 * @param {{ifMissing?: boolean, sdk?: string}} [options] `ifMissing`: leave files alone that are there, however old; `sdk`: the
 *   SDK's folder
 * @returns {Promise<boolean>} whether a file has changed
 * @throws {Failure} where the server's sources do not compile, or its document cannot be printed
 */
export async function generateSdkTypes({ ifMissing = false, sdk = join(ROOT, 'sdk') } = {}) {
  const types = join(sdk, 'src/openapi.ts')
  const kinds = join(sdk, 'src/carrier-kinds.ts')
  // The document that the types were generated from; its date says when that was looked at.
  const document = join(sdk, 'dist/openapi.json')
  const isThere = existsSync(types) && existsSync(kinds)
  if (isThere && (ifMissing || changedAt(document) > newest())) return false
  const began = new Date()
  await transpile([SOURCES])
  const [described, carriers] = await Promise.all([
    printed('bin/print-openapi.js'),
    printed('bin/print-carrier-kinds.js'),
  ])
  const hasOtherKinds = put(kinds, carriers)
  if (existsSync(types) && textOf(document) === described) {
    utimesSync(document, began, began)
    return hasOtherKinds
  }
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const text = `// Generated from the server's OpenAPI document (installer/sdk-types.mjs); not committed.\n\n${astToString(await openapiTS(described))}`
  const hasOtherTypes = put(types, text)
  put(document, described)
  utimesSync(document, began, began)
  return hasOtherTypes || hasOtherKinds
}

/** @param {string} name of a program that prints what the server has @returns {Promise<string>} */
async function printed(name) {
  const program = join(ROOT, 'server/dist/src', name)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      ...{ cwd: ROOT, maxBuffer: DOCUMENT_BYTES, timeout: DEADLINE_MS },
    })
    return stdout
  } catch (error) {
    throw new Failure(`the SDK’s types cannot be generated: ${messageOf(error).slice(0, 2000)}`)
  }
}

/** @returns {number} when a source was changed last, or a file of the folders was added or removed */
function newest() {
  const names = readdirSync(join(ROOT, SOURCES), { recursive: true, encoding: 'utf8' })
  const paths = [SOURCES, ...names.map((name) => join(SOURCES, name)), ...MANIFESTS]
  return Math.max(...paths.map((path) => changedAt(join(ROOT, path))))
}

/** @param {string} path @returns {number} 0 where it is not there */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** @param {string} path @returns {string | null} */
function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

/**
 * Replaces the file at once, as another run may read it in this moment.
 * @param {string} path @param {string} text @returns {boolean} whether it had another text
 */
function put(path, text) {
  if (textOf(path) === text) return false
  const aside = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(aside, text)
  renameSync(aside, path)
  return true
}
