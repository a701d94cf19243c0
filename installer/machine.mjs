/** Requirements on the machine. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, codeOf } from './failure.mjs'

/** The oldest version that works. */
export const LEAST_NODE = 'Node 20.19 or newer'

/** @param {string} version `20.19.2` */
export function isLeastNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
}

/**
 * Checks the machine.
 * @param {import('./settings.mjs').Settings} settings
 * @param {string} command as the user types it: `npm run up`
 * @returns {string} what was found
 * @throws {Failure}
 */
export function checkMachine(settings, command) {
  if (process.platform !== 'linux')
    throw new Failure(`this is ${process.platform}: use a Debian 12 or 13 machine`)
  if (!isLeastNode(process.versions.node))
    throw new Failure(`Node ${process.versions.node} is too old: install ${LEAST_NODE}`)
  if (process.getuid?.() !== 0) {
    throw new Failure(`this is not root: run \`sudo ${command}\`, because packages and ports need it`)
  }
  if (!existsSync('/etc/debian_version')) throw new Failure('this Linux is not Debian: use Debian 12 or 13')
  requireDiskSpace(settings.home, settings['disk.min_mb'])
  return `Debian ${readFileSync('/etc/debian_version', 'utf8').trim()}, Node ${process.versions.node}`
}

/**
 * @param {string} home
 * @param {number} needed megabytes
 */
function requireDiskSpace(home, needed) {
  let folder = home
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < needed) {
    throw new Failure(
      `only ${free} MB are free under ${folder} and ${needed} MB are needed: make room, or set JACKFIELD_HOME to another disk`,
    )
  }
}

/**
 * Creates the state folder.
 * @param {string} home
 * @throws {Failure} if it is not writable
 */
export function makeHome(home) {
  try {
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o755 })
    accessSync(home, constants.W_OK)
  } catch (error) {
    throw new Failure(`${home} cannot be written (${codeOf(error)}): set JACKFIELD_HOME to another folder`)
  }
}

/**
 * An installation that systemd runs as its own user must not be started by hand, nor get root's files in its state.
 * @param {string} home
 * @param {string} instead what to do instead
 * @throws {Failure}
 */
export function refuseInstalled(home, instead) {
  if (existsSync(home) && statSync(home).uid !== 0)
    throw new Failure(`${home} is that of an installation: ${instead}`)
}
