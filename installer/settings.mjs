/**
 * The installer's settings: one table, read from the environment and an optional JSON file.
 *
 * The scheme is the server's: `http.port` is read from `JACKFIELD_HTTP_PORT`, else from the file that
 * `JACKFIELD_CONFIG` names (default `<home>/config.json`), else its default. Settings that only the server
 * knows pass through to it untouched.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, messageOf } from './failure.mjs'
import {
  address,
  addressesAndPorts,
  choice,
  domain,
  flag,
  integer,
  ownAddress,
  port,
  text,
} from './setting-kinds.mjs'

/** The checkout's root folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const switchKinds = /** @type {const} */ (['auto', 'freeswitch', 'sandbox'])
const logLevels = /** @type {const} */ (['trace', 'debug', 'info', 'warn', 'error', 'silent'])

/** All settings of the installer, by their dotted names. */
export const SETTINGS = {
  'http.host': {
    ...text('address the API listens on', '127.0.0.1'),
    rule: 'an IP address',
    read: (/** @type {string} */ value) => (isIP(value) ? value : undefined),
  },
  'http.port': port('TCP port of the API', 8080),
  'http.tls_port': integer(0, 65535, 'TCP port of HTTPS on http.host; 0: none', 0),
  base_domain: domain('workspaces are <id>.<base_domain>, the operator is admin.<base_domain>', 'localhost'),
  'sip.host': address('address at which carriers and phones reach Kamailio', '127.0.0.1'),
  'sip.listen_host': ownAddress(
    'this machine’s address, where a router with 1:1 NAT sends packets for sip.host; empty: sip.host itself',
  ),
  'sip.port': port('UDP and TCP port of SIP', 5060),
  'sip.tls_port': port('TCP port of SIP over TLS', 5061),
  'sip.ws_port': port('TCP port of SIP over WebSocket', 5066),
  'sip.wss_port': port('TCP port of SIP over WebSocket with TLS', 5067),
  'rtp.host': text('address that carriers and phones send audio to; empty: sip.host', ''),
  'rtp.listen_host': ownAddress(
    'this machine’s address, where a router with 1:1 NAT sends packets for rtp.host; empty: as for SIP',
  ),
  'rtp.start': integer(1024, 65535, 'first UDP port of audio', 16384),
  'rtp.end': integer(1024, 65535, 'last UDP port of audio', 20479),
  'edge.sip_host': address('Kamailio’s private address, to which the switch sends calls', '127.0.0.2'),
  'edge.sip_port': port('UDP port of Kamailio’s private listener', 5060),
  'edge.others': addressesAndPorts(
    'private listeners of the other edges when there are several cells: <edge.sip_host>:<edge.sip_port> of each; empty: none',
  ),
  'edge.rpc_host': address(
    'address of Kamailio’s JSON-RPC and events; with several cells one that the other servers can reach',
    '127.0.0.1',
  ),
  'edge.rpc_port': port('TCP port of Kamailio’s JSON-RPC and events on edge.rpc_host', 5070),
  'sip_capture.port': integer(
    0,
    65535,
    'UDP port on 127.0.0.1 to which Kamailio copies SIP, as HEP 3; 0: nothing is captured',
    5072,
  ),
  'sip_capture.directory': text(
    'directory of captured SIP, readable by the server’s user only; empty: sip-capture/ in the media directory',
    '',
  ),
  'metrics.host': address('address on which metrics are read without a token', '127.0.0.1'),
  'metrics.port': integer(0, 65535, 'TCP port of metrics.host; 0: none', 0),
  'edge.sip_domain': domain(
    'domain in the From of our calls; SIP accounts are at <workspace>.<edge.sip_domain>, agents at agents--<workspace>.<edge.sip_domain>',
    'sip.localhost',
  ),
  'edge.database_user': text(
    'database user of Kamailio when database.own is false; empty: database.user',
    '',
  ),
  'edge.database_password': text('password of edge.database_user', ''),
  'sip.workers': integer(
    1,
    64,
    'processes of Kamailio for each UDP listener, besides a spare one, and for all TCP',
    4,
  ),
  'sip.tls_verify': flag('whether the TLS certificate of a carrier is verified', true),
  'sip.tls_ca_file': text('PEM file of authorities to trust for carriers, besides the system’s', ''),
  'sip.tls_only_ca_file': flag(
    'whether only the authorities of sip.tls_ca_file are trusted for carriers',
    false,
  ),
  'sip_trunks.allowed_networks': {
    ...text(
      'private networks that gateways may lead to, and in which carriers and phones may have media',
      '',
    ),
    rule: 'CIDR blocks with commas between them',
    read: (/** @type {string} */ value) =>
      /^[\da-fA-F.:/, ]*$/.test(value) ? value.replaceAll(' ', '') : undefined,
  },
  'tls.certificate_file': text(
    'PEM file of the certificate of SIP and HTTPS, with its intermediates; empty: a self-signed one',
    '',
  ),
  'tls.key_file': text('PEM file of the key of tls.certificate_file', ''),
  'tls.acme': flag('whether the certificate is fetched and renewed by ACME (RFC 8555)', false),
  'tls.acme_server': text('URL of the ACME directory', 'https://acme-v02.api.letsencrypt.org/directory'),
  'tls.acme_ca_file': text(
    'PEM file of the authority of tls.acme_server’s own certificate; empty: a public one',
    '',
  ),
  'tls.acme_email': text('e-mail address for the authority’s notices; empty: none', ''),
  'tls.names': {
    ...text('names in the certificate; empty: the names of the domains', ''),
    rule: 'domain names with commas between them',
    read: (/** @type {string} */ value) =>
      /^$|^(\*\.)?[a-z0-9.-]+( *, *(\*\.)?[a-z0-9.-]+)*$/.test(value) ? value : undefined,
  },
  'tls.dns_hook': text(
    'program that publishes TXT records, for wildcards; empty: names are proven over HTTP',
    '',
  ),
  'switch.kind': choice(
    switchKinds,
    'which switch runs; auto: FreeSWITCH where it is found, otherwise the sandbox',
    'auto',
  ),
  'switch.port': port('TCP port of the switch’s Event Socket on 127.0.0.1', 8021),
  'switch.sip_host': address(
    'SIP address of FreeSWITCH; with several cells one that all edges can reach',
    '127.0.0.1',
  ),
  'switch.sip_port': port('SIP port of FreeSWITCH', 5080),
  'switch.app_port': port(
    'TCP port of the server on 127.0.0.1, to which the switch sends the legs of apps',
    5090,
  ),
  'sandbox.smpp_port': port('TCP port of the sandbox’s SMSC on 127.0.0.1', 2775),
  'freeswitch.bin': text('path of the freeswitch program; empty: it is searched for', ''),
  'node.bin': text(
    'path of the node program that runs the server, 20.19 or newer; empty: the newest LTS, which is installed from npm where the machine’s own is older',
    '',
  ),
  'database.own': flag(
    'true: the appliance runs its own MariaDB; false: it uses the server at database.host',
    true,
  ),
  'database.host': text('host of the database when database.own is false', '127.0.0.1'),
  'database.port': integer(
    0,
    65535,
    'TCP port of the database; 0: 13306 for the appliance’s own, 3306 for another',
    0,
  ),
  'database.user': text('database user', 'jackfield'),
  'database.name': {
    ...text('database name', 'jackfield'),
    rule: 'letters, digits and _',
    read: (/** @type {string} */ value) => (/^[A-Za-z0-9_]{1,64}$/.test(value) ? value : undefined),
  },
  'database.password': text('password of database.user when database.own is false', ''),
  'database.buffer_pool_mb': integer(
    16,
    1_000_000,
    'megabytes of memory for the buffer pool of the appliance’s own MariaDB',
    256,
  ),
  'database.max_connections': integer(
    20,
    10_000,
    'connections that the appliance’s own MariaDB accepts',
    200,
  ),
  'media.directory': text(
    'directory of audio, recordings, pictures and files of messages; a path without blanks; empty: <home>/media',
    '',
  ),
  'recordings.directory': text('directory of recordings; empty: recordings/kept in media.directory', ''),
  'log.level': choice(logLevels, 'lowest level that the server logs', 'info'),
  'log.max_mb': integer(1, 10_000, 'megabytes at which a log file is rotated; three old files are kept', 20),
  cell: {
    ...text('cell of this machine: its switch, and the servers that may drive it', 'one'),
    rule: '1 to 32 of a-z, 0-9 and hyphens',
    read: (/** @type {string} */ value) => (/^[a-z0-9-]{1,32}$/.test(value) ? value : undefined),
  },
  'disk.min_mb': integer(
    0,
    100_000_000,
    'megabytes that must be free under <home> to start, and for the server to accept files (otherwise it answers 503)',
    1024,
  ),
}

/**
 * @typedef {{[K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback']}} SettingValues
 * @typedef {SettingValues & {home: string, configFile: string}} Settings
 *   `home` is the state folder; `configFile` is '' if there is none
 */

/**
 * The environment variable of a setting: `http.port` → `JACKFIELD_HTTP_PORT`.
 * @param {string} name
 * @returns {string}
 */
export function environmentName(name) {
  return `JACKFIELD_${name.replaceAll('.', '_').toUpperCase()}`
}

/**
 * Reads and checks all settings.
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {Settings}
 * @throws {Failure} naming every setting that breaks its rule
 */
export function readSettings(environment = process.env) {
  const home = followed(resolve(environment['JACKFIELD_HOME'] || join(ROOT, 'var')))
  const named = environment['JACKFIELD_CONFIG']
  const configFile = named
    ? resolve(named)
    : existsSync(join(home, 'config.json'))
      ? join(home, 'config.json')
      : ''
  const file = readConfigFile(configFile)
  /** @type {string[]} */
  const problems = []
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const given =
      environment[environmentName(name)] ?? readSecretFile(environment, name, problems) ?? inFile(file, name)
    const value = given === undefined ? setting.fallback : setting.read(given)
    if (value === undefined)
      problems.push(`${environmentName(name)} (${name}) must be ${setting.rule}, not "${given}"`)
    values[name] = value
  }
  const settings = /** @type {Settings} */ ({ ...values, home, configFile })
  if (problems.length === 0) {
    if (settings['rtp.host'] === '') settings['rtp.host'] = settings['sip.host']
    if (settings['rtp.listen_host'] === '') {
      const follows = settings['sip.listen_host'] !== '' && settings['rtp.host'] === settings['sip.host']
      settings['rtp.listen_host'] = settings[follows ? 'sip.listen_host' : 'rtp.host']
    }
    if (settings['sip.listen_host'] === '') settings['sip.listen_host'] = settings['sip.host']
    if (settings['database.port'] === 0) settings['database.port'] = settings['database.own'] ? 13306 : 3306
    if (settings['media.directory'] === '') settings['media.directory'] = join(home, 'media')
    if (isIP(settings['rtp.host']) === 0) problems.push('JACKFIELD_RTP_HOST (rtp.host) must be an IP address')
    problems.push(...tlsProblems(settings))
    if (settings['rtp.end'] < settings['rtp.start'] + 100) {
      problems.push('JACKFIELD_RTP_END (rtp.end) must be at least 100 above JACKFIELD_RTP_START (rtp.start)')
    }
  }
  if (problems.length > 0) throw new Failure(problems.join('; '))
  return settings
}

/**
 * State folders that the settings put elsewhere, for example on another disk.
 * @param {Settings} settings
 */
export function foldersElsewhere(settings) {
  const names = /** @type {const} */ (['media.directory', 'recordings.directory', 'sip_capture.directory'])
  const folders = names.map((name) => settings[name])
  return folders.filter((folder) => folder !== '' && !folder.startsWith(`${settings.home}/`))
}

/** @param {Settings} settings @returns {string[]} */
function tlsProblems(settings) {
  const files = [settings['tls.certificate_file'], settings['tls.key_file']].filter((path) => path !== '')
  const wildcards = settings['tls.names'].includes('*')
  return [
    ...(files.length === 1
      ? ['JACKFIELD_TLS_CERTIFICATE_FILE and JACKFIELD_TLS_KEY_FILE are needed together']
      : []),
    ...(files.length > 0 && settings['tls.acme']
      ? ['JACKFIELD_TLS_ACME and JACKFIELD_TLS_CERTIFICATE_FILE exclude each other']
      : []),
    ...(wildcards && settings['tls.acme'] && settings['tls.dns_hook'] === ''
      ? ['JACKFIELD_TLS_NAMES (tls.names) has a wildcard, which needs JACKFIELD_TLS_DNS_HOOK (tls.dns_hook)']
      : []),
  ]
}

/**
 * An installation's `var` is a link to its state: all programs must use the same name of the folder.
 * @param {string} path
 */
function followed(path) {
  return existsSync(path) ? realpathSync(path) : path
}

/**
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} name
 * @param {string[]} problems
 * @returns {string | undefined}
 */
function readSecretFile(environment, name, problems) {
  const variable = `${environmentName(name)}_FILE`
  const path = environment[variable]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${variable}: cannot read ${path}: ${messageOf(error)}`)
    return undefined
  }
}

/**
 * @param {string} path
 * @returns {unknown}
 */
function readConfigFile(path) {
  if (path === '') return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`cannot read the settings file ${path} (JACKFIELD_CONFIG): ${messageOf(error)}`)
  }
}

/**
 * @param {unknown} file
 * @param {string} name dotted
 * @returns {string | undefined}
 */
function inFile(file, name) {
  /** @type {unknown} */
  let here = file
  for (const key of name.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined
    here = /** @type {Record<string, unknown>} */ (here)[key]
  }
  return here === undefined || here === null ? undefined : String(here)
}
