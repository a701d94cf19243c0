/**
 * FreeSWITCH as a part of the appliance: finds the binary, renders freeswitch-conf/freeswitch.xml and
 * defines how to start it. Everything it writes is below the given directory.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isIPv6 } from 'node:net'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eslApi } from '../esl.mjs'
import { Failure, messageOf } from '../failure.mjs'
import { until } from '../waiting.mjs'

/**
 * @typedef {object} FreeswitchOptions
 * @property {string} binary path of the `freeswitch` program
 * @property {string} directory where its configuration, database, logs and journal go
 * @property {string} [sipHost] address of its SIP profile [127.0.0.1]
 * @property {number} sipPort UDP and TCP port of its SIP profile
 * @property {string} [rtpHost] address that carriers send audio to [127.0.0.1]
 * @property {string} [rtpListenHost] address of this machine that a router sends what comes to rtpHost to [rtpHost]
 * @property {number} rtpStart first RTP port
 * @property {number} rtpEnd last RTP port
 * @property {string} [eslHost] address of its Event Socket [127.0.0.1]
 * @property {number} eslPort TCP port of its Event Socket
 * @property {string} eslPassword
 * @property {string} edgeHost Kamailio's private address; SIP from other sources is refused, except for
 * @property {string[]} [otherEdgeHosts] the private addresses of other edges [[]]
 * @property {string} [logLevel] debug, info, notice, warning, err [warning]
 * @property {string} [switchName] its name in events [jackfield]
 * @property {number} [maxSessions] channels at once [3000, or as many as there are ports for]
 * @property {number} [sessionsPerSecond] new channels a second [500]
 */

/**
 * @typedef {object} Command how to start a part
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} env added to the environment of the supervisor
 */

/** Modules without which no call works; an installation that lacks one is refused. */
export const REQUIRED_MODULES = [
  'mod_console',
  'mod_event_socket',
  'mod_commands',
  'mod_dptools',
  'mod_dialplan_xml',
  'mod_sofia',
  'mod_sndfile',
  'mod_tone_stream',
]

/** Loaded if they exist: Opus for browsers and apps, the journal of ended channels, G.722 for desk phones. */
export const OPTIONAL_MODULES = ['mod_opus', 'mod_cdr_csv', 'mod_spandsp']

/** For a FreeSWITCH without mod_cdr_csv: consequence and advice. */
export const NO_JOURNAL = {
  message:
    'FreeSWITCH lacks mod_cdr_csv and keeps no journal: what ends while the server is down is charged only to when it was last heard of',
  advice:
    'install the module (Debian: freeswitch-mod-cdr-csv) and run npm run up, or systemctl restart jackfield',
}

/**
 * The columns of the journal of ended channels, in order, separated by commas. Times are microseconds
 * since 1970, 0 if it did not happen. A variable that was never set has an empty column. New columns are appended:
 * the journal may have lines from before an upgrade.
 */
export const JOURNAL_COLUMNS = [
  'uuid',
  'jackfield_call',
  'jackfield_role',
  'hangup_cause',
  'sip_invite_failure_status',
  'sip_term_status',
  'start_uepoch',
  'answer_uepoch',
  'end_uepoch',
  'direction',
  // Set when the ACK of an answered caller arrives, see the dialplan.
  'sip_to_tag',
]

const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'err', 'crit', 'alert']

const STDBUF = '/usr/bin/stdbuf'

const TEMPLATE = fileURLToPath(new URL('../../freeswitch-conf/freeswitch.xml', import.meta.url))

/**
 * Path of the `freeswitch` program: the configured one, else the first on PATH or at a usual place.
 * @param {string} [configured] path from the settings; empty means search
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | null} absolute path, or null when there is none
 * @throws {Failure} when the configured path is not a program
 */
export function findFreeswitch(configured = '', environment = process.env) {
  const named = configured || environment['FREESWITCH_BIN'] || ''
  if (named) {
    if (isExecutable(named)) return resolve(named)
    throw new Failure(`${named} is not a program: set JACKFIELD_FREESWITCH_BIN to the path of freeswitch`)
  }
  const folders = [
    ...(environment['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/')),
    '/usr/bin',
    '/usr/local/freeswitch/bin',
    '/opt/freeswitch/bin',
  ]
  return folders.map((folder) => join(folder, 'freeswitch')).find(isExecutable) ?? null
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder of the modules that belong to a `freeswitch` program.
 * @param {string} binary
 * @returns {string}
 * @throws {Failure} when none is found
 */
export function moduleFolder(binary) {
  const prefix = dirname(dirname(binary))
  const candidates = [
    join(prefix, 'lib/freeswitch/mod'),
    join(prefix, 'mod'),
    join(prefix, 'lib/x86_64-linux-gnu/freeswitch/mod'),
    join(prefix, 'lib/aarch64-linux-gnu/freeswitch/mod'),
  ]
  const found = candidates.find((folder) => existsSync(join(folder, 'mod_sofia.so')))
  if (found) return found
  throw new Failure(
    `FreeSWITCH at ${binary} has no module folder with mod_sofia.so (looked in ${candidates.join(', ')})`,
  )
}

/**
 * The path of the journal of ended channels (mod_cdr_csv chooses the two last names itself).
 * @param {string} binary
 * @param {string} directory the part's directory
 * @returns {string} '' where this FreeSWITCH has no mod_cdr_csv
 */
export function journalOf(binary, directory) {
  return existsSync(join(moduleFolder(binary), 'mod_cdr_csv.so')) ? journalIn(directory) : ''
}

/**
 * Where mod_cdr_csv keeps the journal.
 * @param {string} directory the part's directory
 * @returns {string}
 */
export function journalIn(directory) {
  return join(resolve(directory), 'cdr-csv/Master.csv')
}

/**
 * Writes the configuration and makes the directories.
 * @param {FreeswitchOptions} options
 * @returns {Promise<Command & {journal: string}>} `journal` is '' where this FreeSWITCH has no mod_cdr_csv
 * @throws {Failure} if the installation lacks a required module
 */
export async function prepareFreeswitch(options) {
  const directory = resolve(options.directory)
  const modules = moduleFolder(options.binary)
  const missing = REQUIRED_MODULES.filter((name) => !existsSync(join(modules, `${name}.so`)))
  if (missing.length > 0) {
    throw new Failure(
      `FreeSWITCH at ${options.binary} lacks ${missing.join(', ')} in ${modules}: install these modules`,
    )
  }
  const loaded = [
    ...REQUIRED_MODULES,
    ...OPTIONAL_MODULES.filter((name) => existsSync(join(modules, `${name}.so`))),
  ]
  writeFreeswitch(options, loaded)
  const args = ['-mod', modules, ...freeswitchArguments(directory)]
  return {
    // stdbuf execs FreeSWITCH: without it warnings reach the log only in blocks of 4 kB
    ...(existsSync(STDBUF)
      ? { command: STDBUF, args: ['-oL', options.binary, ...args] }
      : { command: options.binary, args }),
    env: {},
    journal: journalOf(options.binary, directory),
  }
}

/** Folders of FreeSWITCH's own, each with an argument that names it. */
export const FOLDERS = ['conf', 'log', 'db', 'run', 'scripts', 'certs', 'storage', 'recordings', 'sounds']
FOLDERS.push('temp', 'grammar', 'htdocs')

/**
 * Writes the configuration and makes the folders.
 * @param {Omit<FreeswitchOptions, 'binary'>} options
 * @param {string[]} modules to load
 */
export function writeFreeswitch(options, modules) {
  const directory = resolve(options.directory)
  for (const name of FOLDERS) mkdirSync(join(directory, name), { recursive: true, mode: 0o750 })
  const file = join(directory, 'conf/freeswitch.xml')
  writeFileSync(file, render(options, directory, modules), { mode: 0o600 })
  chmodSync(file, 0o600) // it has the Event Socket's password; the mode above applies to new files only
}

/**
 * @param {string} directory the part's
 * @returns {string[]} of every FreeSWITCH, beside the folder of its modules
 */
export function freeswitchArguments(directory) {
  return ['-nf', '-nonat', ...FOLDERS.flatMap((name) => [`-${name}`, join(directory, name)])]
}

const MOST_SESSIONS = 3000

/**
 * Each channel with audio takes two ports, for RTP and RTCP. FreeSWITCH must refuse calls before they run out:
 * monitoring compares its channels with its maximum.
 * @param {Pick<FreeswitchOptions, 'rtpStart' | 'rtpEnd'>} options
 */
function portPairs({ rtpStart, rtpEnd }) {
  return Math.floor((rtpEnd - rtpStart + 1) / 2)
}

/**
 * @param {Omit<FreeswitchOptions, 'binary'>} options
 * @param {string} directory
 * @param {string[]} modules
 */
function render(options, directory, modules) {
  const logLevel = options.logLevel ?? 'warning'
  const rtpHost = options.rtpHost ?? '127.0.0.1'
  const rtpListenHost = options.rtpListenHost ?? rtpHost
  const values = {
    SWITCH_NAME: options.switchName ?? 'jackfield',
    LOG_LEVEL: logLevel,
    // All levels: the log level, which can be changed at runtime, filters.
    LOG_LEVELS: LOG_LEVELS.join(','),
    MAX_SESSIONS: options.maxSessions ?? Math.min(MOST_SESSIONS, portPairs(options)),
    SESSIONS_PER_SECOND: options.sessionsPerSecond ?? 500,
    RTP_START: options.rtpStart,
    RTP_END: options.rtpEnd,
    ESL_HOST: options.eslHost ?? '127.0.0.1',
    ESL_PORT: options.eslPort,
    ESL_PASSWORD: options.eslPassword,
    SIP_HOST: options.sipHost ?? '127.0.0.1',
    SIP_PORT: options.sipPort,
    RTP_LISTEN_HOST: rtpListenHost,
    RTP_HOST: rtpHost,
    JOURNAL_BASE: directory,
    JOURNAL_LINE: JOURNAL_COLUMNS.map((name) => `\${${name}}`).join(','),
  }
  const template = readFileSync(TEMPLATE, 'utf8').replace(
    /<!--NAT-->(.*?)<!--\/NAT-->/gs,
    rtpListenHost === rtpHost ? '' : '$1',
  )
  const edges = [options.edgeHost, ...(options.otherEdgeHosts ?? [])].map(
    (host) => `<node type="allow" cidr="${host}/${isIPv6(host) ? 128 : 32}"/>`,
  )
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`@@${name}@@`, () => escapeXml(String(value))),
    template,
  )
  return filled
    .replace('@@EDGES@@', edges.join('\n          '))
    .replace('@@MODULES@@', modules.map((name) => `<load module="${name}"/>`).join('\n        '))
}

/** Size from which the journal is rotated: about 400,000 ended channels. */
const JOURNAL_MOST_BYTES = 64e6

/**
 * Rotates a journal that has grown too large and keeps one old file.
 * Must not run twice within a second: mod_cdr_csv names old files by the second and would overwrite the first.
 * @param {FreeswitchOptions} options
 * @param {number} [mostBytes]
 * @returns {Promise<boolean>} whether it was rotated
 */
export async function tidyFreeswitch(options, mostBytes = JOURNAL_MOST_BYTES) {
  return tidyJournal(journalOf(options.binary, options.directory), options, mostBytes)
}

/**
 * The same for a FreeSWITCH in another container.
 * @param {string} journal its path; '' if there is none
 * @param {Pick<FreeswitchOptions, 'eslHost' | 'eslPort' | 'eslPassword'>} options
 * @param {number} [mostBytes]
 * @returns {Promise<boolean>} whether it was rotated
 */
export async function tidyJournal(journal, options, mostBytes = JOURNAL_MOST_BYTES) {
  if (!journal || (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) <= mostBytes) return false
  const target = {
    host: options.eslHost ?? '127.0.0.1',
    port: options.eslPort,
    password: options.eslPassword,
  }
  await eslApi(target, 'cdr_csv rotate')
  const old = readdirSync(dirname(journal)).filter((name) => name.startsWith(`${basename(journal)}.`))
  for (const name of old.sort().slice(0, -1)) rmSync(join(dirname(journal), name))
  return true
}

/** @param {string} text */
function escapeXml(text) {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Waits until FreeSWITCH accepts commands and its SIP profile runs.
 * @param {FreeswitchOptions} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once
 */
export async function freeswitchReady(options, deadlineMs, giveUp) {
  await until(
    async () => {
      const { ok, detail } = await checkFreeswitch(options)
      if (!ok) throw new Error(detail)
    },
    { deadlineMs, what: 'FreeSWITCH being ready', ...(giveUp ? { giveUp } : {}) },
  )
}

/**
 * Health check of FreeSWITCH.
 * @param {FreeswitchOptions} options
 * @returns {Promise<{ok: boolean, detail: string}>}
 */
export async function checkFreeswitch(options) {
  try {
    const target = {
      host: options.eslHost ?? '127.0.0.1',
      port: options.eslPort,
      password: options.eslPassword,
    }
    const profile = await eslApi(target, 'sofia status profile edge')
    return /\bURL\s+sip:/.test(profile)
      ? { ok: true, detail: `Event Socket ${target.port}, SIP ${options.sipPort}` }
      : { ok: false, detail: `its SIP profile does not run (UDP port ${options.sipPort} taken?)` }
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}
