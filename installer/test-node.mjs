/**
 * The Node of most tests: 24, as in the image. If the machine's is older, a copy for the tests is installed
 * from npm; suites with `machineNode` use the machine's own, so that one run proves both.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './processes.mjs'
import { ROOT } from './settings.mjs'

/** A release of the major version that installer/docker ships. */
const VERSION = '24.21.0'

/** What runs of the tests keep for the next. */
export const CACHE = join(ROOT, 'node_modules/.cache/jackfield')
const FOLDER = join(CACHE, `node-${VERSION}`)
const INSTALL_MS = 300_000

/** V8's compile cache: every server of a test would compile the same thousand modules again. */
const COMPILED = join(CACHE, 'compiled')

/** npm has the program in a package for each platform. */
const PACKAGE = `node-${process.platform}-${process.arch}`
const PROGRAM = join(FOLDER, 'node_modules', PACKAGE, 'bin/node')

/**
 * Installs it, unless it exists or the machine's own Node is new enough.
 * @param {{log: string, report: (text: string) => void}} options
 */
export async function installTestNode({ log, report }) {
  if (isNewEnough() || existsSync(PROGRAM)) return report(`${VERSION} is there`)
  const half = `${FOLDER}.half`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  const args = ['install', '--prefix', half, '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`]
  const { code } = await run('npm', args, { log, deadlineMs: INSTALL_MS, what: 'npm install' })
  if (code !== 0) return report(`none for ${PACKAGE}: the tests run on ${process.version}`)
  rmSync(FOLDER, { recursive: true, force: true })
  renameSync(half, FOLDER)
  report(`${VERSION} installed`)
}

/** The program to run tests with. @param {{machineNode?: boolean}} suite */
export function nodeOf({ machineNode = false }) {
  return machineNode || isNewEnough() || !existsSync(PROGRAM) ? process.execPath : PROGRAM
}

/** Its environment variables; an older Node ignores them. */
export const NODE_ENVIRONMENT = { NODE_COMPILE_CACHE: COMPILED }

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= Number(VERSION.split('.')[0])
}
