/** Options of each part, from the settings and the secrets of the appliance. */
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { challengeDirectory } from './certificates/acme.mjs'
import { inForce } from './certificates/in-force.mjs'
import { NO_JOURNAL, journalOf } from './parts/freeswitch.mjs'
import { KAMAILIO_USER } from './parts/mariadb.mjs'
import { sandboxJournal } from './parts/sandbox.mjs'
import { secretPath } from './secrets.mjs'

/** @typedef {import('./settings.mjs').Settings} Settings */

/** @typedef {import('./secrets.mjs').Secrets} Secrets */

/**
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @returns {import('./parts/mariadb.mjs').MariadbOptions}
 */
export function mariadbOptions(settings, secrets) {
  return {
    directory: join(settings.home, 'mariadb'),
    port: settings['database.port'],
    user: settings['database.user'],
    password: secrets['db-password'],
    name: settings['database.name'],
    kamailioPassword: secrets['kamailio-db-password'],
    bufferPoolMb: settings['database.buffer_pool_mb'],
    maxConnections: settings['database.max_connections'],
  }
}

/** @param {Settings} settings @param {Secrets} secrets */
export function kamailioOptions(settings, secrets) {
  return {
    directory: join(settings.home, 'kamailio'),
    sipHost: settings['sip.host'],
    listenHost: settings['sip.listen_host'],
    sipPort: settings['sip.port'],
    tlsPort: settings['sip.tls_port'],
    wsPort: settings['sip.ws_port'],
    wssPort: settings['sip.wss_port'],
    privateHost: settings['edge.sip_host'],
    privatePort: settings['edge.sip_port'],
    rpcHost: settings['edge.rpc_host'],
    rpcPort: settings['edge.rpc_port'],
    rpcSecret: secrets['rpc-secret'],
    switchHost: settings['switch.sip_host'],
    switchPort: settings['switch.sip_port'],
    otherEdges: otherEdges(settings),
    sipDomain: settings['edge.sip_domain'],
    mediaNetworks: settings['sip_trunks.allowed_networks'],
    database: kamailioDatabase(settings, secrets),
    tlsVerify: settings['sip.tls_verify'],
    tlsCaFile: settings['sip.tls_ca_file'],
    tlsOnlyCaFile: settings['sip.tls_only_ca_file'],
    workers: settings['sip.workers'],
    capturePort: settings['sip_capture.port'],
  }
}

/** @param {Settings} settings @param {Secrets} secrets */
export function freeswitchOptions(settings, secrets) {
  return {
    directory: join(settings.home, 'freeswitch'),
    sipHost: settings['switch.sip_host'],
    sipPort: settings['switch.sip_port'],
    rtpHost: settings['rtp.host'],
    rtpListenHost: settings['rtp.listen_host'],
    rtpStart: settings['rtp.start'],
    rtpEnd: settings['rtp.end'],
    eslPort: settings['switch.port'],
    eslPassword: secrets['esl-password'],
    edgeHost: settings['edge.sip_host'],
    otherEdgeHosts: otherEdges(settings).map((edge) => edge.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')),
  }
}

/** @param {Settings} settings @returns {string[]} `host:port` of their private listeners */
function otherEdges(settings) {
  return settings['edge.others'].split(',').filter(Boolean)
}

/**
 * Address of this server's switch for the edges of other cells.
 * @param {Settings} settings
 * @returns {string} `host:port`, '' if no other machine reaches it
 */
function switchAddress(settings) {
  const host = settings['switch.sip_host']
  if (host.startsWith('127.') || host === '::1') return ''
  return `${inUri(host)}:${settings['switch.sip_port']}`
}

/** @param {string} host */
const inUri = (host) => (isIPv6(host) ? `[${host}]` : host)

/**
 * Kamailio's own login, with minimal privileges.
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @returns {import('./parts/kamailio.mjs').Database}
 */
function kamailioDatabase(settings, secrets) {
  const port = settings['database.port']
  const name = settings['database.name']
  if (settings['database.own'])
    return { host: '127.0.0.1', port, name, user: KAMAILIO_USER, password: secrets['kamailio-db-password'] }
  const own = settings['edge.database_user'] !== ''
  return {
    ...{ host: settings['database.host'], port, name },
    user: own ? settings['edge.database_user'] : settings['database.user'],
    password: own ? settings['edge.database_password'] : settings['database.password'],
  }
}

/**
 * The path of the switch's journal of ended channels.
 * @param {Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 * @returns {string} '' if there is none
 */
export function switchJournal(settings, chosen) {
  return chosen.kind === 'freeswitch'
    ? journalOf(chosen.binary, join(settings.home, 'freeswitch'))
    : sandboxJournal({ directory: join(settings.home, 'sandbox') })
}

/**
 * Warning of `up` and `setup` about the journal.
 * @param {Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 * @returns {string[]} a line if there is no journal
 */
export function journalLines(settings, chosen) {
  return switchJournal(settings, chosen) === ''
    ? [`  Journal    none: ${NO_JOURNAL.message}; ${NO_JOURNAL.advice}`]
    : []
}

/**
 * The server's settings that derive from ours. Others come from the environment and the settings file.
 * @param {Settings} settings
 * @param {string} journal path of the switch's journal of ended channels; '' if there is none
 * @returns {Record<string, string>}
 */
export function serverEnvironment(settings, journal) {
  const { home } = settings
  const own = settings['database.own']
  return {
    JACKFIELD_HOME: home,
    ...(settings.configFile ? { JACKFIELD_CONFIG: settings.configFile } : {}),
    JACKFIELD_HTTP_HOST: settings['http.host'],
    JACKFIELD_HTTP_PORT: String(settings['http.port']),
    JACKFIELD_HTTP_TLS_PORT: String(settings['http.tls_port']),
    JACKFIELD_HTTP_TLS_CERTIFICATE_FILE: inForce(home).certificate,
    JACKFIELD_HTTP_TLS_KEY_FILE: inForce(home).key,
    JACKFIELD_HTTP_CHALLENGE_DIRECTORY: challengeDirectory(home),
    JACKFIELD_CELL: settings.cell,
    JACKFIELD_BASE_DOMAIN: settings['base_domain'],
    JACKFIELD_OPERATOR_TOKEN_FILE: secretPath(home, 'operator-token'),
    JACKFIELD_SECRET_KEY_FILE: secretPath(home, 'secret-key'),
    JACKFIELD_SECRET_KEY_OLD_FILE: secretPath(home, 'secret-key-old'),
    JACKFIELD_DATABASE_HOST: own ? '127.0.0.1' : settings['database.host'],
    JACKFIELD_DATABASE_PORT: String(settings['database.port']),
    JACKFIELD_DATABASE_USER: settings['database.user'],
    JACKFIELD_DATABASE_NAME: settings['database.name'],
    ...(own
      ? { JACKFIELD_DATABASE_PASSWORD_FILE: secretPath(home, 'db-password'), JACKFIELD_DATABASE_SOCKET: '' }
      : { JACKFIELD_DATABASE_PASSWORD: settings['database.password'] }),
    JACKFIELD_SWITCH_HOST: '127.0.0.1',
    JACKFIELD_SWITCH_SIP_ADDRESS: switchAddress(settings),
    JACKFIELD_SWITCH_OWN_SIP_ADDRESS: `${inUri(settings['switch.sip_host'])}:${settings['switch.sip_port']}`,
    JACKFIELD_SWITCH_PORT: String(settings['switch.port']),
    JACKFIELD_SWITCH_PASSWORD_FILE: secretPath(home, 'esl-password'),
    JACKFIELD_SWITCH_JOURNAL: journal,
    JACKFIELD_SWITCH_APP_PORT: String(settings['switch.app_port']),
    JACKFIELD_EDGE_PUBLIC_HOST: settings['sip.host'],
    JACKFIELD_EDGE_PUBLIC_PORT: String(settings['sip.port']),
    JACKFIELD_EDGE_PUBLIC_TLS_PORT: String(settings['sip.tls_port']),
    JACKFIELD_EDGE_PUBLIC_WSS_PORT: String(settings['sip.wss_port']),
    JACKFIELD_EDGE_PUBLIC_RTP_HOST: settings['rtp.host'],
    JACKFIELD_EDGE_SIP_HOST: settings['edge.sip_host'],
    JACKFIELD_EDGE_SIP_PORT: String(settings['edge.sip_port']),
    JACKFIELD_EDGE_SIP_DOMAIN: settings['edge.sip_domain'],
    JACKFIELD_EDGE_DATABASE_ACCOUNT: own ? `${KAMAILIO_USER}@127.0.0.1` : '',
    JACKFIELD_EDGE_OTHERS: settings['edge.others'],
    JACKFIELD_EDGE_RPC_URL: `http://${inUri(settings['edge.rpc_host'])}:${settings['edge.rpc_port']}/RPC`,
    JACKFIELD_METRICS_HOST: settings['metrics.host'],
    JACKFIELD_METRICS_PORT: String(settings['metrics.port']),
    JACKFIELD_SIP_CAPTURE_PORT: String(settings['sip_capture.port']),
    JACKFIELD_EDGE_RPC_SECRET_FILE: secretPath(home, 'rpc-secret'),
    JACKFIELD_MEDIA_DIRECTORY: settings['media.directory'],
    JACKFIELD_LOG_LEVEL: settings['log.level'],
    JACKFIELD_LOG_SECURITY_FILE: process.env['JACKFIELD_LOG_SECURITY_FILE'] ?? join(home, 'log/security.log'),
  }
}
