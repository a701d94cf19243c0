/** The appliance's parts: order of start, options and ports. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CertificateKeeper } from './certificates/keeper.mjs'
import { Failure, messageOf } from './failure.mjs'
import { mysqlLogin } from './mysql-login.mjs'
import {
  checkFreeswitch,
  findFreeswitch,
  freeswitchReady,
  moduleFolder,
  prepareFreeswitch,
  tidyFreeswitch,
} from './parts/freeswitch.mjs'
import { kamailioHealth, kamailioReady, prepareKamailio } from './parts/kamailio.mjs'
import { kamailioRpc } from './parts/kamailio-rpc.mjs'
import { checkMariadb, mariadbReady, prepareMariadb } from './parts/mariadb.mjs'
import { checkSandbox, prepareSandbox, sandboxReady, tidySandbox } from './parts/sandbox.mjs'
import { checkServer, prepareServer, prepareTables, serverReady } from './parts/server.mjs'
import {
  freeswitchOptions,
  kamailioOptions,
  mariadbOptions,
  serverEnvironment,
  switchJournal,
} from './part-options.mjs'
import { privateFolder } from './private-folder.mjs'
import { chooseRuntime } from './runtime/choose.mjs'
import { ROOT, environmentName } from './settings.mjs'

/**
 * @typedef {import('./settings.mjs').Settings} Settings
 * @typedef {import('./secrets.mjs').Secrets} Secrets
 * @typedef {import('./parts/freeswitch.mjs').Command} Command
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} title
 * @property {string[]} after names of the parts that must be up before this one is prepared
 * @property {import('./ports.mjs').Port[]} ports
 * @property {number} deadlineMs for being ready once started
 * @property {() => Promise<Command>} prepare
 * @property {(deadlineMs: number, giveUp: () => string | undefined) => Promise<void>} ready
 * @property {() => Promise<{ok: boolean, detail: string}>} check
 * @property {string[]} [configuration] files and folders that `prepare` writes; while these and the command are the same, a
 *   supervisor may take over the process of another one
 * @property {() => Promise<unknown>} [tidy] rotates its files and renews its certificate; called every minute while it runs
 *
 * @typedef {object} Switch the switch of the appliance
 * @property {'freeswitch' | 'sandbox'} kind
 * @property {string} binary '' for the sandbox
 */

/**
 * The switch to run on: real FreeSWITCH where it is found, else the sandbox, unless the settings say which.
 * @param {Settings} settings
 * @returns {Switch}
 * @throws {Failure} when FreeSWITCH is asked for and not found
 */
export function chooseSwitch(settings) {
  if (settings['switch.kind'] === 'sandbox') return { kind: 'sandbox', binary: '' }
  const binary = findFreeswitch(settings['freeswitch.bin'])
  if (binary) {
    moduleFolder(binary)
    return { kind: 'freeswitch', binary }
  }
  if (settings['switch.kind'] === 'auto') return { kind: 'sandbox', binary: '' }
  throw new Failure(
    'FreeSWITCH is not found: set JACKFIELD_FREESWITCH_BIN to its path, or JACKFIELD_SWITCH_KIND=sandbox',
  )
}

/**
 * All parts in the order of their start.
 * @param {Settings} settings
 * @param {Secrets} secrets
 * @param {Switch} chosen
 * @returns {Part[]}
 */
export function describeParts(settings, secrets, chosen) {
  return [
    ...(settings['database.own'] ? [mariadbPart(settings, secrets)] : []),
    kamailioPart(settings, secrets, chosen),
    chosen.kind === 'freeswitch' ? freeswitchPart(settings, secrets, chosen) : sandboxPart(settings, secrets),
    serverPart(settings, chosen),
  ]
}

/**
 * @param {'tcp' | 'udp'} protocol
 * @param {string} host
 * @param {number} port
 * @param {string} purpose
 * @param {string} setting dotted name of the port's setting
 * @param {string} [hostSetting] dotted name of the address's setting
 * @returns {import('./ports.mjs').Port}
 */
function portOf(protocol, host, port, purpose, setting, hostSetting) {
  const named = { protocol, host, port, purpose, setting: environmentName(setting) }
  return hostSetting ? { ...named, hostSetting: environmentName(hostSetting) } : named
}

/** @param {Settings} settings @param {Secrets} secrets @returns {Part} */
function mariadbPart(settings, secrets) {
  const options = mariadbOptions(settings, secrets)
  return {
    name: 'mariadb',
    title: 'MariaDB',
    after: [],
    ports: [portOf('tcp', '127.0.0.1', options.port, 'the database', 'database.port')],
    // Recovery may take long, and it waits a minute if the disk is full; stopping it would start recovery from the beginning.
    deadlineMs: 600_000,
    configuration: ['my.cnf', 'init.sql'].map((name) => join(options.directory, name)),
    prepare: () => prepareMariadb(options),
    ready: (deadlineMs, giveUp) => mariadbReady(options, deadlineMs, giveUp),
    check: () => checkMariadb(options),
  }
}

/** @param {Settings} settings @param {Secrets} secrets @param {Switch} chosen @returns {Part} */
function kamailioPart(settings, secrets, chosen) {
  const options = kamailioOptions(settings, secrets)
  const certificates = new CertificateKeeper(settings, () => kamailioRpc(options, 'tls.reload'))
  return {
    name: 'kamailio',
    title: 'Kamailio',
    after: ['mariadb'],
    ports: [
      portOf('udp', options.listenHost, options.sipPort, 'the SIP edge', 'sip.port', 'sip.host'),
      portOf('tcp', options.listenHost, options.sipPort, 'the SIP edge', 'sip.port', 'sip.host'),
      portOf('tcp', options.listenHost, options.tlsPort, 'SIP over TLS', 'sip.tls_port', 'sip.host'),
      portOf('tcp', options.listenHost, options.wsPort, 'SIP over WebSocket', 'sip.ws_port', 'sip.host'),
      portOf(
        'tcp',
        options.listenHost,
        options.wssPort,
        'SIP over WebSocket with TLS',
        'sip.wss_port',
        'sip.host',
      ),
      portOf(
        'udp',
        options.privateHost,
        options.privatePort,
        'the SIP edge’s private side',
        'edge.sip_port',
        'edge.sip_host',
      ),
      portOf(
        'tcp',
        options.rpcHost,
        options.rpcPort,
        'the SIP edge’s control',
        'edge.rpc_port',
        'edge.rpc_host',
      ),
    ],
    deadlineMs: 20_000,
    configuration: ['kamailio.cfg', 'roles', 'tls.cfg'].map((name) => join(options.directory, name)),
    prepare: async () => {
      if (!settings['database.own']) await requireForeignDatabase(settings)
      await prepareTables({
        environment: serverEnvironment(settings, switchJournal(settings, chosen)),
        log: join(settings.home, 'log/migrate.log'),
        node: chooseRuntime(settings).program,
      })
      certificates.prepare()
      return prepareKamailio(options)
    },
    ready: (deadlineMs, giveUp) => kamailioReady(options, deadlineMs, giveUp),
    check: () => kamailioHealth(options),
    tidy: () => certificates.look(),
  }
}

/** @param {Settings} settings @param {Secrets} secrets @param {Switch} chosen @returns {Part} */
function freeswitchPart(settings, secrets, chosen) {
  const options = { binary: chosen.binary, ...freeswitchOptions(settings, secrets) }
  return {
    name: 'switch',
    title: 'FreeSWITCH',
    after: [],
    ports: [
      portOf('tcp', '127.0.0.1', options.eslPort, 'the switch’s Event Socket', 'switch.port'),
      portOf(
        'udp',
        options.sipHost,
        options.sipPort,
        'the switch’s SIP',
        'switch.sip_port',
        'switch.sip_host',
      ),
      portOf(
        'tcp',
        options.sipHost,
        options.sipPort,
        'the switch’s SIP',
        'switch.sip_port',
        'switch.sip_host',
      ),
    ],
    deadlineMs: 60_000,
    configuration: [join(options.directory, 'conf/freeswitch.xml')],
    prepare: () => prepareFreeswitch(options),
    ready: (deadlineMs, giveUp) => freeswitchReady(options, deadlineMs, giveUp),
    check: () => checkFreeswitch(options),
    tidy: () => tidyFreeswitch(options),
  }
}

/** @param {Settings} settings @param {Secrets} secrets @returns {Part} */
function sandboxPart(settings, secrets) {
  const options = {
    eslPort: settings['switch.port'],
    eslPassword: secrets['esl-password'],
    directory: join(settings.home, 'sandbox'),
    smppPort: settings['sandbox.smpp_port'],
    edgeHost: settings['edge.sip_host'],
  }
  return {
    name: 'switch',
    title: 'sandbox switch',
    after: [],
    ports: [
      portOf('tcp', '127.0.0.1', options.eslPort, 'the switch’s Event Socket', 'switch.port'),
      portOf('tcp', '127.0.0.1', options.smppPort, 'the sandbox’s SMSC', 'sandbox.smpp_port'),
    ],
    deadlineMs: 20_000,
    prepare: () => prepareSandbox({ ...options, node: chooseRuntime(settings).program }),
    ready: (deadlineMs, giveUp) => sandboxReady(options, deadlineMs, giveUp),
    check: () => checkSandbox(options),
    tidy: () => tidySandbox(options),
  }
}

/** @param {Settings} settings @param {Switch} chosen @returns {Part} */
function serverPart(settings, chosen) {
  const options = { host: settings['http.host'], port: settings['http.port'] }
  return {
    name: 'server',
    title: 'server',
    after: ['mariadb', 'kamailio', 'switch'],
    ports: [
      portOf('tcp', options.host, options.port, 'the API', 'http.port', 'http.host'),
      ...(settings['http.tls_port'] > 0
        ? [portOf('tcp', options.host, settings['http.tls_port'], 'the API over HTTPS', 'http.tls_port')]
        : []),
      portOf('tcp', '127.0.0.1', settings['switch.app_port'], 'apps’ legs of calls', 'switch.app_port'),
      ...(settings['metrics.port'] > 0
        ? [
            portOf(
              'tcp',
              settings['metrics.host'],
              settings['metrics.port'],
              'measurements',
              'metrics.port',
              'metrics.host',
            ),
          ]
        : []),
      ...(settings['sip_capture.port'] > 0
        ? [portOf('udp', '127.0.0.1', settings['sip_capture.port'], 'captured SIP', 'sip_capture.port')]
        : []),
    ],
    deadlineMs: 60_000,
    prepare: async () => {
      privateFolder(settings['media.directory'])
      return prepareServer({
        ...options,
        environment: serverEnvironment(settings, switchJournal(settings, chosen)),
        node: chooseRuntime(settings).program,
      })
    },
    ready: (deadlineMs, giveUp) => serverReady(options, deadlineMs, giveUp),
    check: () => checkServer(options),
  }
}

/** @param {Settings} settings */
async function requireForeignDatabase(settings) {
  const {
    'database.host': host,
    'database.port': port,
    'database.user': user,
    'database.password': password,
  } = settings
  try {
    await mysqlLogin({ host, port, user, password })
  } catch (error) {
    throw new Failure(
      `the database at ${host}:${port} refuses: ${messageOf(error)}: correct JACKFIELD_DATABASE_HOST, _PORT, _USER or _PASSWORD`,
    )
  }
}

/** Environment variables of the server; others with the prefix JACKFIELD_ belong to the CLI or the tests. */
const SERVER_SETTING =
  /^JACKFIELD_(HTTP|BASE_DOMAIN|CELL|OPERATOR_TOKEN|SECRET_KEY|DATABASE|SWITCH|EDGE|SIP_TRUNKS|HTTP_CLIENT|SIP_CAPTURE|MEDIA|RECORDINGS|CALLS|MESSAGES|VOICE_AGENTS|RATE_LIMITS|LIMITS|WEBHOOKS|REDIS|STREAM|AUDIT_LOG|MAIL|PUSH|METRICS|CLIENT_TOKENS|STIR|ALERTS|TRACES|LOG)(_|$)/

/**
 * Fingerprint of what runs: it changes when code, configuration templates, settings or the switch change.
 * @param {Settings} settings
 * @param {Switch} chosen
 * @returns {string}
 */
export function fingerprint(settings, chosen) {
  const hash = createHash('sha256')
  hash.update(
    JSON.stringify([
      settings,
      chosen,
      switchJournal(settings, chosen),
      process.version,
      chooseRuntime(settings).version,
      settings.configFile && readFileSync(settings.configFile, 'utf8'),
    ]),
  )
  for (const [name, value] of Object.entries(process.env).sort()) {
    if (SERVER_SETTING.test(name)) hash.update(`${name}=${value}\n`)
  }
  hash.update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const folder of ['installer', 'freeswitch-conf', 'kamailio-conf', 'server/dist/src'])
    hashFolder(join(ROOT, folder), hash)
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} folder @param {import('node:crypto').Hash} hash */
function hashFolder(folder, hash) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'test' && entry.name !== 'dist') hashFolder(path, hash)
    else if (/\.(mjs|js|xml|cfg|c)$/.test(entry.name)) hash.update(path).update(readFileSync(path))
  }
}
