/** What of an appliance is state, and where it lies. What can be made again is left out. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readSecrets } from '../secrets.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 *
 * @typedef {object} Place one folder of state
 * @property {'home' | 'kamailio' | 'media' | 'recordings'} name its name in a backup
 * @property {string} folder
 * @property {readonly string[]} leftOut names in it that are no state, or are kept in another way
 */

/** In the home: made again at every start, kept by the dump, or of this moment only. */
const NOT_HOME = [
  ...['mariadb', 'log', 'run', 'backups', 'appliance.json', 'media'],
  ...['freeswitch', 'kamailio', 'sandbox', 'redis'],
  // where a setting leads it here: see NOT_MEDIA
  'sip-capture',
]
/** In containers: what the configuration of a part was made of, written when that is whole. The part waits for it. */
export const CONFIGURED = 'configured'

/**
 * Parts in containers must not start with the passwords of before: they wait until `setup` has configured them anew.
 * @param {string} home
 */
export function removeConfigured(home) {
  for (const entry of readdirSync(home, { withFileTypes: true }))
    if (entry.isDirectory()) rmSync(join(home, entry.name, CONFIGURED), { force: true })
}

/** All of Kamailio’s but its certificate. */
const NOT_KAMAILIO = [
  ...['kamailio.cfg', 'roles', 'tls.cfg', 'fork-handler.so', 'run'],
  // in containers
  ...['start', 'health', 'rpc.curl', CONFIGURED],
]
/** Speech is rendered again; captured SIP is kept for some days only, and is written all the time. */
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
 * Names of a place that are state. Those with a dot before them are work under way.
 * @param {Place} place
 * @returns {string[]}
 */
export function stateIn({ folder, leftOut }) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => !name.startsWith('.') && !leftOut.includes(name))
}

/**
 * Whether files are written in place, so that a link to one would go on changing: what the switch records now, and the
 * small files of the home.
 * @param {Place['name']} place
 * @param {string} path within it
 */
export function isWrittenInPlace(place, path) {
  return place === 'home' || place === 'kamailio' || path.startsWith('recordings/incoming/')
}

/**
 * The way into the appliance's database.
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

/** @param {Settings} settings @returns {string} where backups go unless told otherwise */
export function backupFolder(settings) {
  return join(settings.home, 'backups')
}
