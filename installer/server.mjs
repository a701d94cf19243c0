/**
 * `node installer/server.mjs`: runs an additional server with the settings of the appliance. On the same
 * machine it stands by and takes over the calls of the first one if that dies; on another one it serves requests. Missing
 * packages are installed and built first.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chooseSwitch } from './appliance.mjs'
import { Failure, messageOf } from './failure.mjs'
import { SERVER_PACKAGES, build, installNpmPackages, installPackages } from './packages.mjs'
import { serverEnvironment, switchJournal } from './part-options.mjs'
import { step } from './progress.mjs'
import { readSecrets, secretPath } from './secrets.mjs'
import { prepareRuntime } from './runtime/choose.mjs'
import { ROOT, readSettings } from './settings.mjs'
import { EXIT_CONFIG } from './state.mjs'

/** Secrets that all servers must share: they must not be generated here. */
const SHARED = /** @type {const} */ (['operator-token', 'secret-key', 'rpc-secret'])

const MAIN = join(ROOT, 'server/dist/src/bin/main.js')

try {
  const node = await prepare()
  if (node === process.execPath) await import(MAIN)
  else runOn(node)
} catch (error) {
  process.stderr.write(`jackfield: ${messageOf(error)}\n`)
  process.exit(EXIT_CONFIG)
}

/**
 * Runs it by another program: it gets the signals of this process, ends when this one is killed, and this one ends as it does.
 * @param {string} node
 */
function runOn(node) {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', node, MAIN], { cwd: ROOT, stdio: 'inherit' })
  for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(name, () => child.kill(name))
  child.on('error', (error) => {
    process.stderr.write(`jackfield: ${node} cannot be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code ?? 1))
}

/**
 * @returns {Promise<string>} the program that is to run it
 * @throws {Failure} if something is missing that this server needs, or must share with the others
 */
async function prepare() {
  const settings = readSettings()
  const missing = SHARED.map((name) => secretPath(settings.home, name)).filter((path) => !existsSync(path))
  if (missing.length > 0)
    throw new Failure(
      `${missing.join(', ')} missing: copy what the first server has, or start that with npm run up`,
    )
  const log = join(settings.home, 'log/install.log')
  mkdirSync(dirname(log), { recursive: true })
  await step('Debian packages', (report) => installPackages(SERVER_PACKAGES, { log, report }))
  await step('npm packages', (report) => installNpmPackages({ log, report }))
  const { program } = await step('Node', (report) => prepareRuntime(settings, { log, report }))
  await step('build', (report) => build({ log, report }))
  readSecrets(settings.home) // the switch's secret of another machine, which this server never needs
  Object.assign(process.env, serverEnvironment(settings, ''), {
    // These are on the first server's machine; on another one they are not needed.
    JACKFIELD_SWITCH_APP_PORT: '0',
    JACKFIELD_SIP_CAPTURE_PORT: '0',
  })
  const { readConfig } = await import('../server/dist/src/config/config.js')
  const { redis, switch: link } = readConfig()
  if (redis.url === '')
    throw new Failure('several servers need a Redis that they share: set JACKFIELD_REDIS_URL')
  if (link.drive === 'true')
    process.env['JACKFIELD_SWITCH_JOURNAL'] = switchJournal(settings, chooseSwitch(settings))
  return program
}
