/**
 * Kamailio as a part of the appliance: writes its configuration, creates a certificate, compiles the fork handler
 * if it is needed and defines how to start it. Everything it writes is below the given directory.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, Failure, messageOf } from '../failure.mjs'
import { until } from '../waiting.mjs'
import { TEMPLATES, refuseBadOptions, writeConfiguration } from './kamailio-config.mjs'
import { RPC_HOST, kamailioRpc } from './kamailio-rpc.mjs'

/**
 * @typedef {object} KamailioOptions
 * @property {string} directory where its configuration, certificates and fork handler go
 * @property {string} [sipHost] address for the world; one address, not a wildcard [127.0.0.1]
 * @property {string} [listenHost] address of this machine that a router sends what comes to sipHost to [sipHost]
 * @property {number} sipPort UDP and TCP port for the world
 * @property {number} tlsPort TLS port for the world
 * @property {number} wsPort TCP port of SIP over WebSocket, for the world
 * @property {number} wssPort TCP port of SIP over WebSocket with TLS, for the world
 * @property {string} [privateHost] address for the switch [127.0.0.2]
 * @property {number} privatePort UDP port for the switch
 * @property {string} [rpcHost] address of JSON-RPC and metrics over HTTP [127.0.0.1]
 * @property {number} rpcPort
 * @property {number} [capturePort] UDP port, on 127.0.0.1, to which calls' messages are copied as HEP 3; 0: none [0]
 * @property {string} rpcSecret bearer token of JSON-RPC: at least 16 of A-Z a-z 0-9 _ -
 * @property {string} switchHost address that the switch sends SIP from; those of cells are in the table `cells`, all others
 *   are refused on the private listener. '' where this machine has no switch
 * @property {number} switchPort UDP port on which the switch takes the calls of phones
 * @property {string[]} [otherEdges] `host:port` of the private listeners of other edges, which share the secret and the database [[]]
 * @property {string} sipDomain SIP accounts belong to `<workspace>.<sipDomain>`
 * @property {string} [mediaNetworks] private CIDR blocks, with commas between them, in which phones and carriers may have media ['']
 * @property {Database} database the server's, its tables made
 * @property {boolean} [tlsVerify] whether carriers reached over TLS must show a certificate that verifies [true]
 * @property {string} [tlsCaFile] PEM file of authorities trusted besides the system's ['']
 * @property {boolean} [tlsOnlyCaFile] whether those of tlsCaFile are trusted alone [false]
 * @property {number} [workers] processes for each UDP listener, and for all TCP [4]
 * @property {string} [binary] the `kamailio` program [kamailio]
 * @property {'error' | 'warn' | 'notice' | 'info' | 'debug'} [logLevel] [notice]
 */

/**
 * @typedef {object} Database
 * @property {string} host
 * @property {number} port
 * @property {string} user may read what `server/src/adapters/kamailio/database-access.ts` grants, and write `location`
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

/**
 * Megabytes of shared memory, and of each process's private one. Shared memory is allocated on use: 1.8 for a thousand
 * registrations and what is kept of their accounts (kept.cfg), at most 20 for called numbers (kept-numbers.cfg) and 120 for used
 * digests (accounts.cfg), and 270 if strangers open all of the 4,096 allowed connections as WebSockets, each with its buffer.
 */
const SHARED_MEMORY = 640
const PRIVATE_MEMORY = 16
/** Of constant time. The default (qm) checks its blocks for errors of the programmer, which takes 15 % more CPU a registration. */
const MEMORY_MANAGER = 'tlsf'

const DEFAULTS = {
  sipHost: '127.0.0.1',
  privateHost: '127.0.0.2',
  rpcHost: RPC_HOST,
  mediaNetworks: '',
  tlsVerify: true,
  tlsCaFile: '',
  tlsOnlyCaFile: false,
  workers: 4,
  capturePort: 0,
  otherEdges: /** @type {string[]} */ ([]),
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
  const settings = await writeKamailio(options)
  // The default one is gone after a reboot, and only root could create it again.
  const own = join(settings.directory, 'run')
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const version = await kamailioVersion(settings.binary)
  const handlesForks = version.major > 5 || (version.major === 5 && version.minor >= 8)
  return {
    command: settings.binary,
    args: [
      ...kamailioArguments(settings.directory),
      ...['-Y', own],
      ...(handlesForks ? ['-A', 'JACKFIELD_TLS_THREADS'] : []),
    ],
    env: handlesForks ? {} : { LD_PRELOAD: await compileForkHandler(settings.directory) },
  }
}

/**
 * Writes the configuration, and the certificate once.
 * @param {KamailioOptions} options
 * @returns {Promise<Settings>}
 * @throws {Failure} when an option is wrong, or openssl is missing
 */
export async function writeKamailio(options) {
  const sipHost = options.sipHost ?? DEFAULTS.sipHost
  /** @type {Settings} */
  const settings = { ...DEFAULTS, listenHost: sipHost, ...options, directory: resolve(options.directory) }
  refuseBadOptions(settings)
  mkdirSync(join(settings.directory, 'roles'), { recursive: true, mode: 0o700 })
  mkdirSync(join(settings.directory, 'tls'), { recursive: true, mode: 0o700 })
  await makeCertificate(settings.directory, settings.sipHost)
  writeConfiguration(settings)
  return settings
}

/**
 * @param {string} directory where its configuration is
 * @returns {string[]} of every Kamailio
 */
export function kamailioArguments(directory) {
  return [
    ...['-DD', '-E', '-f', join(directory, 'kamailio.cfg'), '-w', directory],
    ...['-m', String(SHARED_MEMORY), '-M', String(PRIVATE_MEMORY), '-x', MEMORY_MANAGER],
  ]
}

/**
 * Waits until Kamailio answers over RPC and all of its processes have started. A process that finds no database at
 * its start ends all the others.
 * @param {KamailioOptions} options
 * @param {number} deadlineMs
 * @param {() => string | undefined} [giveUp] reason to stop waiting at once (it died)
 */
export async function kamailioReady(options, deadlineMs, giveUp) {
  await until(() => refuseUnlessBegun(options), {
    deadlineMs,
    what: 'Kamailio answering over RPC',
    ...(giveUp ? { giveUp } : {}),
  })
}

/**
 * @param {KamailioOptions} options
 * @throws {Error} naming a process that has not started
 */
async function refuseUnlessBegun(options) {
  const processes = await kamailioRpc(options, 'core.psa')
  const late = /** @type {{status: number, description: string}[]} */ (processes).find(
    ({ status }) => status === 0,
  )
  if (late) throw new Error(`its process “${late.description}” has not begun`)
}

/**
 * Health check of Kamailio.
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
 * A self-signed certificate, which peers see; it is kept across restarts.
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

/** Compiler arguments of the fork handler; an image compiles it in its own build (installer/docker/Dockerfile). */
export const FORK_HANDLER_FLAGS = ['-shared', '-fPIC', '-O2', '-Wall', '-Werror']

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
    await run('cc', [...FORK_HANDLER_FLAGS, '-o', aside, source, '-pthread'], { timeout: 30_000 })
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'install gcc and libc6-dev' : messageOf(error)
    throw new Failure(`Kamailio’s fork handler cannot be compiled: ${reason}`)
  }
  renameSync(aside, object)
  return object
}
