/** The state of an appliance, and its folders. Reproducible files are left out. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSecrets } from '../secrets.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 *
 * @typedef {object} Place one folder of state
 * @property {'home' | 'kamailio' | 'media' | 'recordings'} name its name in a backup
 * @property {string} folder
 * @property {readonly string[]} leftOut names in it that are no state, or are saved in another way
 */

/** In the home: generated at each start, part of the dump, or temporary. */
const NOT_HOME = [
  ...['mariadb', 'log', 'run', 'backups', 'appliance.json', 'media'],
  ...['freeswitch', 'kamailio', 'sandbox', 'redis'],
  // if a setting puts media here: see NOT_MEDIA
  'sip-capture',
]
/** In containers: fingerprint of a part's configuration, written once that is complete. The part waits for it. */
export const CONFIGURED = 'configured'

/**
 * Parts in containers must not start with old passwords: they wait until `setup` has written their configuration again.
 * @param {string} home
 */
export function removeConfigured(home) {
  for (const entry of readdirSync(home, { withFileTypes: true }))
    if (entry.isDirectory()) rmSync(join(home, entry.name, CONFIGURED), { force: true })
}

/** Everything of Kamailio except its certificate. */
const NOT_KAMAILIO = [
  ...['kamailio.cfg', 'roles', 'tls.cfg', 'fork-handler.so', 'run'],
  // in containers
  ...['start', 'health', 'rpc.curl', CONFIGURED],
]
/** Speech can be rendered again; captured SIP is kept for days only, and changes constantly. */
const NOT_MEDIA = ['tts', 'sip-capture']

/** @param {Settings} settings @returns {Place[]} */
export function places(settings) {
  const recordings = settings['recordings.directory']
  return [
    { name: 'home', folder: settings.home, leftOut: NOT_HOME },
    { name: 'kamailio', folder: join(settings.home, 'kamailio'), leftOut: NOT_KAMAILIO },
    { name: 'media', folder: settings['media.directory'], leftOut: NOT_MEDIA },
    ...(recordings ? [/** @type {Place} */ ({ name: 'recordings', folder: recordings, leftOut: [] })] : []),
  ]
}

/**
 * Names of a place that are state. Names starting with a dot are work in progress.
 * @param {Place} place
 * @returns {string[]}
 */
export function stateIn({ folder, leftOut }) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => !name.startsWith('.') && !leftOut.includes(name))
}

/**
 * Whether files are modified in place, so that a hard link would change, too: current recordings of the switch, and
 * the small files of the home.
 * @param {Place['name']} place
 * @param {string} path within it
 */
export function isWrittenInPlace(place, path) {
  return place === 'home' || place === 'kamailio' || path.startsWith('recordings/incoming/')
}

/**
 * The login to the appliance's database.
 * @param {Settings} settings
 * @param {string} [home] where its secrets lie
 * @returns {import('./database.mjs').Login}
 */
export function databaseLogin(settings, home = settings.home) {
  const own = settings['database.own']
  return {
    host: own ? '127.0.0.1' : settings['database.host'],
    port: settings['database.port'],
    user: settings['database.user'],
    password: own ? readSecrets(home).secrets['db-password'] : settings['database.password'],
    name: settings['database.name'],
  }
}

/** @param {Settings} settings @returns {string} default folder of backups */
export function backupFolder(settings) {
  return join(settings.home, 'backups')
}
