/** Replacement of secrets: which there are, and what must run, or not run, for each. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rotateMasterKey } from './master-key.mjs'
import { secretId } from './secret-id.mjs'
import { isSecret, newSecret, readSecrets, replaceSecret, secretPath } from './secrets.mjs'
import { renewServers } from './server-secrets.mjs'

const OPERATORS = 'operator-token'
const MASTER = 'master-key'
/** Parts read these only at their start. */
const OF_PARTS = ['esl-password', 'rpc-secret', 'db-password', 'kamailio-db-password']

/** Arguments of {@link rotate}. */
export const ROTATED = [MASTER, OPERATORS, ...OF_PARTS]

/**
 * @typedef {object} Surroundings how the appliance runs here
 * @property {() => boolean} serverRuns
 * @property {() => void} requireUp throws a Failure if its database or its server is not running
 * @property {(name: string) => void} requireStopped throws a Failure if a part that uses this secret is running; none starts
 *   afterwards without its new configuration
 * @property {() => Record<string, string>} environment of the server
 */

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {string} name one of {@link ROTATED}
 * @param {Surroundings} here
 * @param {(text: string) => void} report
 * @throws {import('./failure.mjs').Failure}
 */
export async function rotate(settings, name, here, report) {
  readSecrets(settings.home)
  if (name === MASTER) {
    here.requireUp()
    return rotateMasterKey(settings, here.environment(), report)
  }
  if (name === OPERATORS) return rotateToken(settings, here, report)
  if (OF_PARTS.includes(name)) here.requireStopped(name)
  if (!isSecret(name)) throw new Error(name)
  replaceSecret(secretPath(settings.home, name), newSecret(name))
  report('replaced')
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {Surroundings} here
 * @param {(text: string) => void} report
 */
async function rotateToken(settings, here, report) {
  const path = secretPath(settings.home, OPERATORS)
  // Id of a new token that not all servers have yet. A repeated run sends it to them and waits for them.
  const begun = join(settings.home, 'run/token-rotation')
  const idOf = (/** @type {string} */ token) => secretId(token, 'operator token')
  const isBegun = existsSync(begun) && readFileSync(begun, 'utf8') === idOf(readFileSync(path, 'utf8').trim())
  if (!isBegun) {
    const fresh = newSecret(OPERATORS)
    mkdirSync(dirname(begun), { recursive: true })
    writeFileSync(begun, idOf(fresh))
    replaceSecret(path, fresh)
  }
  if (here.serverRuns()) await renewServers(settings, OPERATORS)
  rmSync(begun)
  report('replaced')
}
