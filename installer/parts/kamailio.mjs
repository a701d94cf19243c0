/**
 * Kamailio as a part of the appliance: renders kamailio-conf, makes a certificate, compiles the fork handler
 * where it is needed and says how to start it. Everything it writes lies under the directory given.
 */
import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { codeOf, Failure, messageOf } from '../failure.mjs'
import { until } from '../waiting.mjs'

/**
 * @typedef {object} KamailioOptions
 * @property {string} directory where its configuration, certificates and fork handler go
 * @property {string} [sipHost] address for the world; one address, not a wildcard [127.0.0.1]
 * @property {number} sipPort UDP and TCP port for the world
 * @property {number} tlsPort TLS port for the world
 * @property {number} wsPort TCP port of SIP over WebSocket, for the world
 * @property {number} wssPort TCP port of SIP over WebSocket with TLS, for the world
 * @property {string} [privateHost] address for the switch [127.0.0.2]
 * @property {number} privatePort UDP port for the switch
 * @property {string} [rpcHost] address of JSON-RPC and metrics over HTTP [127.0.0.1]
 * @property {number} rpcPort
 * @property {string} rpcSecret bearer token of JSON-RPC: at least 16 of A-Z a-z 0-9 _ -
 * @property {string} switchHost address that the switch sends SIP from; all others are refused on the private listener
 * @property {number} switchPort UDP port on which the switch takes the calls of phones
 * @property {string} sipDomain SIP accounts belong to `<workspace>.<sipDomain>`
 * @property {Database} database the server's, its tables made
 * @property {boolean} [tlsVerify] whether carriers reached over TLS must show a certificate that verifies [true]
 * @property {string} [tlsCaFile] PEM file of authorities trusted besides the system's ['']
 * @property {number} [workers] processes for each UDP listener, and for all TCP [4]
 * @property {string} [binary] the `kamailio` program [kamailio]
 * @property {'error' | 'warn' | 'notice' | 'info' | 'debug'} [logLevel] [notice]
 */

/**
 * @typedef {object} Database
 * @property {string} host
 * @property {number} port
 * @property {string} user may read `subscriber` and `version`, and write `location`
 * @property {string} password
 * @property {string} name
 */

/** @typedef {Required<KamailioOptions>} Settings */

/**
 * @typedef {object} Command how to start a part
 * @property {string} command
 * @property {string[]} args
 * @property {Record<string, string>} env added to the environment of the supervisor
 */

const run = promisify(execFile)

const TEMPLATES = fileURLToPath(new URL('../../kamailio-conf/', import.meta.url))

const SYSTEM_AUTHORITIES = '/etc/ssl/certs'

/** Kamailio's own numbers for our names of log levels. */
const DEBUG = { error: -1, warn: 0, notice: 1, info: 2, debug: 3 }

/**
 * Megabytes of shared memory, and of each process's own. Shared is taken as it is used: 1.3 for a thousand
 * registrations, and 270 if strangers open all of the 4,096 connections allowed as WebSockets, each with its buffer.
 */
const SHARED_MEMORY = 640
const PRIVATE_MEMORY = 16

const DEFAULTS = {
  sipHost: '127.0.0.1',
  privateHost: '127.0.0.2',
  rpcHost: '127.0.0.1',
  tlsVerify: true,
  tlsCaFile: '',
  workers: 4,
  binary: 'kamailio',
  logLevel: /** @type {const} */ ('notice'),
}

/**
 * Writes the configuration, the certificate (once) and the fork handler (where this Kamailio needs it).
 * @param {KamailioOptions} options
 * @returns {Promise<Command>} runs in the foreground and logs to standard error; ends within a second of SIGTERM
 * @throws {Failure} when an option is wrong, or Kamailio, openssl or a C compiler is missing
 */
export async function prepareKamailio(options) {
  /** @type {Settings} */
  const settings = { ...DEFAULTS, ...options, directory: resolve(options.directory) }
  refuseBadOptions(settings)
  const version = await kamailioVersion(settings.binary)
  mkdirSync(join(settings.directory, 'roles'), { recursive: true, mode: 0o700 })
  mkdirSync(join(settings.directory, 'tls'), { recursive: true, mode: 0o700 })
  await makeCertificate(settings.directory, settings.sipHost)
  render(settings)
  const handlesForks = version.major > 5 || (version.major === 5 && version.minor >= 8)
  return {
    command: settings.binary,
    args: [
      ...['-DD', '-E', '-f', join(settings.directory, 'kamailio.cfg'), '-w', settings.directory],
      ...['-m', String(SHARED_MEMORY), '-M', String(PRIVATE_MEMORY)],
      ...(handlesForks ? ['-A', 'JACKFIELD_TLS_THREADS'] : []),
    ],
    env: handlesForks ? {} : { LD_PRELOAD: await compileForkHandler(settings.directory) },
  }
}

/**
 * Has Kamailio read its whole configuration, without starting it.
 * @param {KamailioOptions} options
 * @throws {Failure} with Kamailio's first complaint
 */
export async function checkKamailio(options) {
  const { command, args } = await prepareKamailio(options)
  try {
    await run(command, [...args.filter((argument) => argument !== '-DD'), '-c'], { timeout: 20_000 })
  } catch (error) {
    throw new Failure(`Kamailio refuses its configuration: ${firstComplaint(error)}`)
  }
}

/**
 * Waits until Kamailio answers over RPC.
 * @param {KamailioOptions} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once (it died)
 */
export async function kamailioReady(options, deadlineMs, giveUp) {
  await until(() => kamailioRpc(options, 'core.uptime'), {
    deadlineMs,
    what: 'Kamailio answering over RPC',
    ...(giveUp ? { giveUp } : {}),
  })
}

/**
 * Asks Kamailio whether it is well.
 * @param {KamailioOptions} options
 * @returns {Promise<{ok: boolean, detail: string}>}
 */
export async function kamailioHealth(options) {
  try {
    await kamailioRpc(options, 'core.uptime')
    return {
      ok: true,
      detail: `SIP ${options.sipHost ?? DEFAULTS.sipHost}:${options.sipPort}, TLS ${options.tlsPort}, WebSocket ${options.wsPort}, with TLS ${options.wssPort}`,
    }
  } catch (error) {
    return { ok: false, detail: messageOf(error) }
  }
}

/**
 * One JSON-RPC command.
 * @param {KamailioOptions} options
 * @param {string} method for example `core.uptime`, `htable.dump`
 * @param {(string | number)[]} [params]
 * @returns {Promise<unknown>} the command's result
 * @throws {Error} when Kamailio does not answer within 2 s, or answers with an error
 */
export async function kamailioRpc(options, method, params = []) {
  const { status, text } = await post(
    { host: options.rpcHost ?? DEFAULTS.rpcHost, port: options.rpcPort },
    options.rpcSecret,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  )
  // an unknown or refused command comes as an error object under a 4xx or 5xx
  const answer = text.startsWith('{') ? /** @type {unknown} */ (JSON.parse(text)) : undefined
  if (answer && typeof answer === 'object') {
    if ('result' in answer) return answer.result
    if ('error' in answer) throw new Error(`Kamailio refuses ${method}: ${JSON.stringify(answer.error)}`)
  }
  throw new Error(`Kamailio answers ${status} to ${method}`)
}

/**
 * @param {{host: string, port: number}} target
 * @param {string} secret
 * @param {string} body
 * @returns {Promise<{status: number, text: string}>}
 */
function post(target, secret, body) {
  return new Promise((fulfil, reject) => {
    const sent = request(
      {
        ...target,
        path: '/RPC',
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
        signal: AbortSignal.timeout(2000),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (/** @type {string} */ chunk) => (text += chunk))
        response.on('end', () => fulfil({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** @param {Settings} settings */
function refuseBadOptions(settings) {
  for (const name of /** @type {const} */ (['sipHost', 'privateHost', 'rpcHost', 'switchHost'])) {
    const host = settings[name]
    if (!isIP(host) || host === '0.0.0.0' || host === '::') {
      throw new Failure(`Kamailio’s ${name} is ${JSON.stringify(host)}: give one IP address of this machine`)
    }
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
  if (!/^[\w./+@~-]+$/.test(settings.directory)) {
    throw new Failure(
      `Kamailio cannot work in ${settings.directory}: use a path without spaces or special characters`,
    )
  }
}

/**
 * @param {string} binary
 * @returns {Promise<{major: number, minor: number}>}
 */
async function kamailioVersion(binary) {
  const text = await run(binary, ['-v'], { timeout: 10_000 }).then(
    ({ stdout }) => stdout,
    (error) => {
      if (codeOf(error) !== 'ENOENT') throw error
      throw new Failure(
        `there is no ${binary} program: install the packages kamailio, kamailio-tls-modules, kamailio-websocket-modules and kamailio-mysql-modules`,
      )
    },
  )
  const match = /version: kamailio (\d+)\.(\d+)/.exec(text)
  if (!match) throw new Failure(`${binary} is not Kamailio: ${text.split('\n')[0]}`)
  return { major: Number(match[1]), minor: Number(match[2]) }
}

/**
 * A certificate that we sign ourselves: peers that connect to us see it, and it stays when we start again.
 * @param {string} directory
 * @param {string} host
 */
async function makeCertificate(directory, host) {
  const certificate = join(directory, 'tls/server.crt')
  const key = join(directory, 'tls/server.key')
  if (existsSync(certificate) && existsSync(key)) return
  try {
    await run(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '3650',
        ],
        ...[
          '-subj',
          `/CN=${host}`,
          '-addext',
          `subjectAltName=IP:${host}`,
          '-keyout',
          key,
          '-out',
          certificate,
        ],
      ],
      { timeout: 20_000 },
    )
  } catch (error) {
    throw new Failure(
      `no certificate for Kamailio: ${codeOf(error) === 'ENOENT' ? 'install openssl' : messageOf(error)}`,
    )
  }
  chmodSync(key, 0o600)
}

/**
 * The authorities that a carrier's certificate may come from, as lines of tls.cfg. The system's are a directory that
 * is looked into when a connection asks: read as one file, they cost a quarter of a second for each process.
 * @param {{tlsVerify: boolean, tlsCaFile: string}} settings
 * @returns {string}
 */
function authorities({ tlsVerify, tlsCaFile }) {
  if (!tlsVerify) return ''
  if (tlsCaFile && !existsSync(tlsCaFile)) {
    throw new Failure(`there is no file ${tlsCaFile}: set JACKFIELD_SIP_TLS_CA_FILE right`)
  }
  const lines = [
    ...(existsSync(SYSTEM_AUTHORITIES) ? [`ca_path = ${SYSTEM_AUTHORITIES}`] : []),
    ...(tlsCaFile ? [`ca_list = ${resolve(tlsCaFile)}`] : []),
  ]
  if (lines.length > 0) return lines.join('\n')
  throw new Failure(
    'no authorities to verify carriers with: install ca-certificates or set JACKFIELD_SIP_TLS_CA_FILE',
  )
}

/**
 * @param {Settings} settings
 */
function render(settings) {
  /** @param {string} host */
  const inUri = (host) => (isIPv6(host) ? `[${host}]` : host)
  /** @type {Record<string, string | number>} */
  const values = {
    DIRECTORY: settings.directory,
    SIP_HOST: inUri(settings.sipHost),
    SIP_PORT: settings.sipPort,
    TLS_PORT: settings.tlsPort,
    WS_PORT: settings.wsPort,
    WSS_PORT: settings.wssPort,
    PRIVATE_HOST: inUri(settings.privateHost),
    PRIVATE_PORT: settings.privatePort,
    RPC_HOST: inUri(settings.rpcHost),
    RPC_PORT: settings.rpcPort,
    RPC_SECRET: settings.rpcSecret,
    SWITCH_HOST: inUri(settings.switchHost),
    SWITCH_PORT: settings.switchPort,
    SIP_DOMAIN_PATTERN: `^[a-z0-9-]+[.]${settings.sipDomain.replaceAll('.', '[.]')}$`,
    DATABASE_URL: databaseUrl(settings.database),
    // derived, so that calls outlive a restart of Kamailio without one more secret to keep
    DIALOG_KEY: createHmac('sha256', settings.rpcSecret).update('dialog').digest('hex'),
    NONCE_KEY: createHmac('sha256', settings.rpcSecret).update('nonce').digest('hex'),
    WORKERS: settings.workers,
    DEBUG: DEBUG[settings.logLevel],
    TLS_DEBUG: settings.logLevel === 'info' || settings.logLevel === 'debug' ? DEBUG[settings.logLevel] : -2,
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
 * Written aside and moved into place: nobody else may read it, and nobody sees half of it.
 * @param {string} file
 * @param {string} text
 */
function writePrivately(file, text) {
  const aside = `${file}.${process.pid}`
  rmSync(aside, { force: true })
  writeFileSync(aside, text, { mode: 0o600 })
  renameSync(aside, file)
}

/**
 * @param {string} directory
 * @returns {Promise<string>} path of the shared object
 */
async function compileForkHandler(directory) {
  const source = join(TEMPLATES, 'fork-handler.c')
  const object = join(directory, 'fork-handler.so')
  if (existsSync(object) && statSync(object).mtimeMs >= statSync(source).mtimeMs) return object
  const aside = join(dirname(object), `fork-handler.${randomBytes(4).toString('hex')}.so`)
  try {
    await run('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', aside, source, '-pthread'], {
      timeout: 30_000,
    })
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'install gcc and libc6-dev' : messageOf(error)
    throw new Failure(`Kamailio’s fork handler cannot be compiled: ${reason}`)
  }
  renameSync(aside, object)
  return object
}

/**
 * The first line of Kamailio's output that names what is wrong.
 * @param {unknown} error
 * @returns {string}
 */
function firstComplaint(error) {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  return output.split('\n').find((line) => /CRITICAL|ERROR/.test(line)) ?? messageOf(error)
}
