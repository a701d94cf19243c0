/**
 * The parts of a trial that root starts run as a user without root's rights, as in an installation and in containers: nothing
 * that reads what strangers send has these. Files that only the supervisor writes stay root's.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureUser, giveTo } from './installation/system-user.mjs'
import { Failure, messageOf } from './failure.mjs'
import { FOLDERS } from './parts/freeswitch.mjs'
import { privateFolder } from './private-folder.mjs'
import { chooseRuntime } from './runtime/choose.mjs'
import { ROOT, foldersElsewhere } from './settings.mjs'

/** The user of an installation, too. */
const USER = 'jackfield'

/** @typedef {{name: string, uid: number, gid: number}} User */

/**
 * Chooses the user that the parts run as, and makes it where it is missing.
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 * @returns {{user: User | null, why: string}} `user` is null where the supervisor is not root, and where a user without its
 *   rights cannot read or write what the parts need: `why` says so
 */
export function chooseUser(settings, chosen) {
  if (process.getuid?.() !== 0) return { user: null, why: '' }
  try {
    const user = { name: USER, ...ensureUser(USER, settings.home) }
    const needed = [
      ...[
        chooseRuntime(settings).program,
        join(ROOT, 'server/dist/src/bin/main.js'),
        join(ROOT, 'node_modules'),
        settings.home,
      ],
      ...[settings.configFile, settings['sip.tls_ca_file'], chosen.binary].filter(Boolean),
    ]
    const hidden = needed.find((path) => path && !may(user, '-r', path))
    if (hidden !== undefined) throw new Failure(`the user ${USER} cannot read ${hidden}`)
    const closed = handOverKept(settings, user).find((folder) => !may(user, '-w', folder))
    if (closed !== undefined) throw new Failure(`the user ${USER} cannot write to ${closed}`)
    return { user, why: '' }
  } catch (error) {
    return { user: null, why: `the parts run as root: ${messageOf(error)}` }
  }
}

/** @param {User} user @param {'-r' | '-w'} what @param {string} path */
function may(user, what, path) {
  return spawnSync('setpriv', [...identity(user), 'test', what, path], { stdio: 'ignore' }).status === 0
}

/** @param {User} user */
function identity({ uid, gid }) {
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}

/** What the parts write. Root does not write to the same files again and again: a link there would lead it elsewhere. */
const WRITTEN = ['secrets', 'kamailio/run', 'sandbox', 'log/security', 'freeswitch/cdr-csv']
WRITTEN.push(...FOLDERS.filter((name) => name !== 'conf').map((name) => `freeswitch/${name}`))

/** What they only read. */
const READ = ['kamailio', 'freeswitch', 'acme/challenges']

/**
 * Gives the user what its parts write, and lets it read the rest; what an earlier trial left as root's is taken over.
 * @param {import('./settings.mjs').Settings} settings
 * @param {User} user
 */
export function handOver(settings, user) {
  const { home } = settings
  mkdirSync(join(home, 'log/security'), { recursive: true, mode: 0o750 })
  if (existsSync(join(home, 'freeswitch')))
    mkdirSync(join(home, 'freeswitch/cdr-csv'), { recursive: true, mode: 0o750 })
  for (const name of READ) if (existsSync(join(home, name))) letRead(join(home, name), user)
  for (const path of WRITTEN.map((name) => join(home, name))) if (existsSync(path)) giveTo(path, user)
  chownSync(join(home, 'log'), 0, user.gid)
}

/**
 * Gives the user the folders of audio, recordings and captured SIP, wherever they lie. Once a start: they may hold a million
 * files.
 * @param {import('./settings.mjs').Settings} settings
 * @param {User} user
 * @returns {string[]} these folders
 */
function handOverKept(settings, user) {
  const folders = [...new Set([settings['media.directory'], ...foldersElsewhere(settings)])]
  for (const folder of folders) {
    privateFolder(folder)
    giveTo(folder, user)
  }
  return folders
}

/** @param {string} folder @param {User} user */
function letRead(folder, { gid }) {
  const isWritten = WRITTEN.map((name) => `*/${name}`)
  const pruned = isWritten.flatMap((pattern) => ['-path', pattern, '-prune', '-o'])
  execFileSync('find', [folder, ...pruned, '-type', 'l', '-o', '-exec', 'chown', '-h', `0:${gid}`, '{}', '+'])
  execFileSync('find', [folder, ...pruned, '-type', 'l', '-o', '-exec', 'chmod', 'g+rX,o-rwx', '{}', '+'])
}

/**
 * Variables of the user's own: a home that is not root's, and a security log that it may rotate.
 * @param {import('./settings.mjs').Settings} settings
 * @returns {Record<string, string>}
 */
export function environmentOf({ home }) {
  const file = process.env['JACKFIELD_LOG_SECURITY_FILE'] ?? join(home, 'log/security/security.log')
  return { HOME: home, JACKFIELD_LOG_SECURITY_FILE: file }
}

/**
 * The command, run by the user; the process stays the same, as each program replaces the one before.
 * @param {import('./parts/freeswitch.mjs').Command} command
 * @param {User} user
 * @returns {import('./parts/freeswitch.mjs').Command}
 */
export function asUser({ command, args, env }, user) {
  const rights = ['--inh-caps=-all,+net_bind_service', '--ambient-caps=-all,+net_bind_service']
  rights.push('--bounding-set=-all,+net_bind_service', '--no-new-privs')
  return { command: 'setpriv', args: [...identity(user), ...rights, command, ...args], env }
}
