/**
 * Installs the Node that runs the server: npm has the program in a package for each platform, and `package-lock.json`
 * beside this file says which, with its hash. It is a folder of the checkout, as the packages are: root's, and an upgrade has
 * its own.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../failure.mjs'
import { run } from '../processes.mjs'
import { ROOT } from '../settings.mjs'

/** What is kept between runs; `npm ci` empties it. */
export const CACHE = join(ROOT, 'node_modules/.cache/jackfield')

const HERE = join(ROOT, 'installer/runtime')
const PACKAGE = `node-${process.platform}-${process.arch}`

/** @type {{optionalDependencies: Record<string, string>}} */
const { optionalDependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))

/** A release of the major version that installer/docker ships. */
export const VERSION = Object.values(optionalDependencies)[0] ?? ''

const NAME = `node-${VERSION}`
const FOLDER = join(CACHE, NAME)

/** The program, where it is installed. */
export const PROGRAM = join(FOLDER, 'node_modules', PACKAGE, 'bin/node')

/** Without a network nothing waits for long. */
const PATIENCE = ['--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000']
const INSTALL_MS = 180_000

/** Whether the Node of this process is as new: then nothing is installed. */
export function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= Number(VERSION.split('.')[0])
}

/**
 * Installs it, unless it exists or the machine's own Node is new enough.
 * @param {{log: string, report: (text: string) => void}} options
 * @returns {Promise<string>} why it could not be installed; '' otherwise
 */
export async function installRuntime({ log, report }) {
  if (isNewEnough() || existsSync(PROGRAM)) return ''
  if (optionalDependencies[PACKAGE] === undefined) return `there is none for ${PACKAGE}`
  report(`installing ${VERSION}`)
  const half = `${FOLDER}.${process.pid}`
  try {
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(HERE, name), join(half, name))
    const args = ['ci', '--prefix', half, '--no-audit', '--no-fund', '--loglevel=http', ...PATIENCE]
    const { output } = await run('npm', args, { log, deadlineMs: INSTALL_MS, what: 'npm ci' })
    // A package that cannot be fetched is no failure of npm: it is optional.
    if (!existsSync(join(half, 'node_modules', PACKAGE, 'bin/node')))
      return `${reasonIn(output)} (see ${log})`
    execFileSync('chmod', ['-R', 'a+rX', half]) // whatever umask root has
    rmSync(FOLDER, { recursive: true, force: true })
    renameSync(half, FOLDER)
    return ''
  } catch (error) {
    return messageOf(error)
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

/** Removes other versions, and what killed runs have left; called when nothing runs on them. */
export function removeOldRuntimes() {
  if (!existsSync(CACHE)) return
  for (const name of readdirSync(CACHE))
    if (name.startsWith('node-') && name !== NAME) rmSync(join(CACHE, name), { recursive: true, force: true })
}

/** Of an optional package npm tells only what it asked the registry. @param {string} output */
function reasonIn(output) {
  const failed = output.split('\n').findLast((line) => /failed with |EINTEGRITY| [45]\d\d /.test(line))
  return failed?.replace(/^npm \w+ (fetch )?/, '').trim() ?? 'npm could not fetch it'
}
