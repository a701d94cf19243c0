/** Another secret takes the place of one: which there are, and what must run, or not run, meanwhile. */
import { readFileSync } from 'node:fs'
import { rotateMasterKey } from './master-key.mjs'
import { isSecret, newSecret, readSecrets, replaceSecret, secretPath } from './secrets.mjs'
import { renewServers } from './server-secrets.mjs'

const OPERATORS = 'operator-token'
const MASTER = 'master-key'
/** Parts know these from their start on. */
const OF_PARTS = ['esl-password', 'rpc-secret', 'db-password', 'kamailio-db-password']

/** What {@link rotate} takes. */
export const ROTATED = [MASTER, OPERATORS, ...OF_PARTS]

/**
 * @typedef {object} Surroundings how the appliance runs here
 * @property {() => boolean} serverRuns
 * @property {() => void} requireUp throws a Failure where its database, or its server, is not there
 * @property {(name: string) => void} requireStopped throws a Failure where a part runs that knows this secret; none starts
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
  if (OF_PARTS.includes(name)) here.requireStopped(name)
  if (!isSecret(name)) throw new Error(name)
  const path = secretPath(settings.home, name)
  const before = readFileSync(path, 'utf8').trim()
  replaceSecret(path, newSecret(name))
  if (name === OPERATORS && here.serverRuns()) await renewServers(settings, { refused: before })
  report('replaced')
}
