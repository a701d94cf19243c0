/** Kamailio's configuration: kamailio-conf with the values of this installation. */
import { createHash, createHmac } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.mjs'

/** @typedef {import('./kamailio.mjs').Settings} Settings */

/** @typedef {import('./kamailio.mjs').Database} Database */

export const TEMPLATES = fileURLToPath(new URL('../../kamailio-conf/', import.meta.url))

const SYSTEM_AUTHORITIES = '/etc/ssl/certs'

/** Kamailio's numbers of log levels. */
const DEBUG = { error: -1, warn: 0, notice: 1, info: 2, debug: 3 }

/**
 * @param {Settings} settings
 * @throws {Failure} naming the option that Kamailio's configuration cannot hold
 */
export function refuseBadOptions(settings) {
  for (const name of /** @type {const} */ ([
    'sipHost',
    'listenHost',
    'privateHost',
    'rpcHost',
    'switchHost',
  ])) {
    const host = settings[name]
    if (name === 'switchHost' && host === '') continue
    if (!isIP(host) || host === '0.0.0.0' || host === '::') {
      throw new Failure(`Kamailio’s ${name} is ${JSON.stringify(host)}: give one IP address of this machine`)
    }
  }
  const edges = [privateAddress(settings), ...settings.otherEdges]
  for (const edge of settings.otherEdges) {
    const [, host = '', port = ''] = /^\[?([^\]]+)\]?:(\d{1,5})$/.exec(edge) ?? []
    if (!isIP(host) || edge !== addressOf(host, Number(port))) {
      throw new Failure(
        `Kamailio’s otherEdges has ${JSON.stringify(edge)}: give the IP address and port of another edge’s private listener`,
      )
    }
  }
  if (new Set(edges.map(edgeId)).size !== edges.length) {
    throw new Failure(
      `Kamailio’s otherEdges, ${settings.otherEdges.join(', ')}, must be others than ${edges[0]}, each once`,
    )
  }
  if (!/^[\w-]{16,}$/.test(settings.rpcSecret)) {
    throw new Failure('Kamailio’s rpcSecret must be at least 16 letters, digits, _ or -')
  }
  if (!/^[a-z0-9.-]+$/.test(settings.sipDomain)) {
    throw new Failure(
      `Kamailio’s sipDomain is ${JSON.stringify(settings.sipDomain)}: give a domain name in lower case`,
    )
  }
  for (const name of /** @type {const} */ (['host', 'user', 'password', 'name'])) {
    if (!/^[\w.:-]+$/.test(settings.database[name])) {
      throw new Failure(
        `Kamailio cannot use this ${name} of the database: it may hold letters, digits, _ and - only`,
      )
    }
  }
  if (!/^[\da-fA-F.:/,]*$/.test(settings.mediaNetworks)) {
    throw new Failure(
      `Kamailio’s mediaNetworks is ${JSON.stringify(settings.mediaNetworks)}: give CIDR blocks with commas between them`,
    )
  }
  if (!/^[\w./+@~-]+$/.test(settings.directory)) {
    throw new Failure(
      `Kamailio cannot work in ${settings.directory}: use a path without spaces or special characters`,
    )
  }
}

/** @param {string} host */
const inUri = (host) => (isIPv6(host) ? `[${host}]` : host)

/** @param {string} host @param {number} port */
const addressOf = (host, port) => `${inUri(host)}:${port}`

/** @param {Settings} settings */
const privateAddress = ({ privateHost, privatePort }) => addressOf(privateHost, privatePort)

/**
 * Number of an edge in the table location: derived from the address, so that edges need not be numbered manually.
 * @param {string} address of its private listener
 * @returns {number} from 1 to 2³¹ - 1
 */
export function edgeId(address) {
  return createHash('sha256').update(address).digest().readUInt32BE() & 0x7fff_ffff || 1
}

/**
 * Values that identify this edge among others. A single edge writes registrations as it did before edges had numbers.
 * @param {Settings} settings
 * @returns {Record<string, string | number>}
 */
function edgeValues(settings) {
  const { otherEdges } = settings
  const named = otherEdges.map((edge) => `WHEN ${edgeId(edge)} THEN '${edge}'`)
  return {
    SERVER_ID: otherEdges.length > 0 ? edgeId(privateAddress(settings)) : 0,
    OTHER_EDGES: otherEdges.length > 0 ? '#!define OTHER_EDGES' : '',
    EDGES_PATTERN: `^(${otherEdges.map((edge) => edge.replace(/[[\].]/g, '[$&]')).join('|') || 'none'})$`,
    EDGES_BY_ID: named.join(' '),
    EDGE_IDS: otherEdges.map(edgeId).join(', '),
  }
}

/**
 * The authorities for carriers' certificates, as lines of tls.cfg. The system's are used as a directory that
 * is searched on each connection: loading them as one file takes a quarter of a second in each process.
 * @param {{tlsVerify: boolean, tlsCaFile: string, tlsOnlyCaFile: boolean}} settings
 * @returns {string}
 */
function authorities({ tlsVerify, tlsCaFile, tlsOnlyCaFile }) {
  if (!tlsVerify) return ''
  if (tlsCaFile && !existsSync(tlsCaFile)) {
    throw new Failure(`there is no file ${tlsCaFile}: set JACKFIELD_SIP_TLS_CA_FILE right`)
  }
  if (tlsOnlyCaFile && !tlsCaFile) {
    throw new Failure('JACKFIELD_SIP_TLS_ONLY_CA_FILE is true without a file: set JACKFIELD_SIP_TLS_CA_FILE')
  }
  const lines = [
    ...(existsSync(SYSTEM_AUTHORITIES) && !tlsOnlyCaFile ? [`ca_path = ${SYSTEM_AUTHORITIES}`] : []),
    ...(tlsCaFile ? [`ca_list = ${resolve(tlsCaFile)}`] : []),
  ]
  if (lines.length > 0) return lines.join('\n')
  throw new Failure(
    'no authorities to verify carriers with: install ca-certificates or set JACKFIELD_SIP_TLS_CA_FILE',
  )
}

/**
 * Writes the configuration: every file of kamailio-conf with its `@@VALUES@@` replaced.
 * @param {Settings} settings
 * @throws {Failure} if there are no CAs to verify carriers with
 */
export function writeConfiguration(settings) {
  /** The advertised address, if it differs from the listen address. @param {number} port */
  const advertise = (port) =>
    settings.listenHost === settings.sipHost ? '' : ` advertise ${inUri(settings.sipHost)}:${port}`
  /** @type {Record<string, string | number>} */
  const values = {
    DIRECTORY: settings.directory,
    LISTEN_HOST: inUri(settings.listenHost),
    PUBLIC_HOST: inUri(settings.sipHost),
    ADVERTISE_SIP: advertise(settings.sipPort),
    ADVERTISE_TLS: advertise(settings.tlsPort),
    ADVERTISE_WS: advertise(settings.wsPort),
    ADVERTISE_WSS: advertise(settings.wssPort),
    SIP_PORT: settings.sipPort,
    TLS_PORT: settings.tlsPort,
    WS_PORT: settings.wsPort,
    WSS_PORT: settings.wssPort,
    PRIVATE_HOST: inUri(settings.privateHost),
    PRIVATE_PORT: settings.privatePort,
    RPC_HOST: inUri(settings.rpcHost),
    RPC_PORT: settings.rpcPort,
    RPC_SECRET: settings.rpcSecret,
    CAPTURE: settings.capturePort > 0 ? 1 : 0,
    CAPTURE_PORT: settings.capturePort || 9,
    OWN_SWITCH: settings.switchHost ? '#!define OWN_SWITCH' : '',
    SWITCH_HOST: inUri(settings.switchHost),
    SWITCH_PORT: settings.switchPort,
    ...edgeValues(settings),
    SIP_DOMAIN_PATTERN: `^[a-z0-9-]{1,63}[.]${settings.sipDomain.replaceAll('.', '[.]')}$`,
    MEDIA_NETWORKS: settings.mediaNetworks,
    DATABASE_URL: databaseUrl(settings.database),
    // derived, so that calls survive a restart of Kamailio without a further secret
    DIALOG_KEY: createHmac('sha256', settings.rpcSecret).update('dialog').digest('hex'),
    NONCE_KEY: createHmac('sha256', settings.rpcSecret).update('nonce').digest('hex'),
    WORKERS: settings.workers,
    UDP_WORKERS: settings.workers + 1,
    DEBUG: DEBUG[settings.logLevel],
    TLS_DEBUG: settings.logLevel === 'info' || settings.logLevel === 'debug' ? DEBUG[settings.logLevel] : -2,
    PARSER_DEBUG:
      settings.logLevel === 'info' || settings.logLevel === 'debug' ? DEBUG[settings.logLevel] : -2,
    TLS_VERIFY: settings.tlsVerify ? 'yes' : 'no',
    TLS_AUTHORITIES: authorities(settings),
  }
  const roles = readdirSync(join(TEMPLATES, 'roles')).filter((name) => name.endsWith('.cfg'))
  for (const name of ['kamailio.cfg', 'tls.cfg', ...roles.map((role) => `roles/${role}`)]) {
    const text = readFileSync(join(TEMPLATES, name), 'utf8').replace(/@@(\w+)@@/g, (whole, key) =>
      String(values[key] ?? whole),
    )
    writePrivately(join(settings.directory, name), text)
  }
}

/** @param {Database} database @returns {string} */
function databaseUrl({ host, port, user, password, name }) {
  return `mysql://${user}:${password}@${isIPv6(host) ? `[${host}]` : host}:${port}/${name}`
}

/**
 * Written to a temporary file and renamed: not readable for other users, and never seen half-written.
 * @param {string} file
 * @param {string} text
 */
function writePrivately(file, text) {
  const aside = `${file}.${process.pid}`
  rmSync(aside, { force: true })
  writeFileSync(aside, text, { mode: 0o600 })
  renameSync(aside, file)
}
