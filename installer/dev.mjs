/** `npm run dev`: a development environment with the server and the console of this checkout. Ctrl-C ends it. */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseSwitch } from './appliance.mjs'
import { PASSWORD, USERNAME, WORKSPACE, ensureLogin } from './dev/login.mjs'
import { follow } from './dev/follow.mjs'
import { devSettings } from './dev/settings.mjs'
import { Failure, messageOf } from './failure.mjs'
import { lock } from './lock.mjs'
import { checkMachine, makeHome } from './machine.mjs'
import { installNpmPackages, installPackages, packagesFor } from './packages.mjs'
import { requireFreePorts } from './ports.mjs'
import { endRunning, endWithOthers, identify, isAlive, signal, stop } from './processes.mjs'
import { runMain, step } from './progress.mjs'
import { readSecrets, secretPath } from './secrets.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { prepareRuntime } from './runtime/choose.mjs'
import { ROOT } from './settings.mjs'
import { requirePorts, startSupervisor } from './start-supervisor.mjs'
import { readState, stopAppliance } from './state.mjs'
import { transpile } from './transpile.mjs'

/** @typedef {import('./settings.mjs').Settings} Settings */

/** Sources of the server. */
const SOURCES = ['server/src', 'sdk/src']
const QUIET_MS = 150
const VITE_GRACE_MS = 5000
const PORT = 5173

let interrupted = false
/** Resolved on Ctrl-C, or when the supervisor has ended. @type {(why: string) => void} */
let leave = () => {}
const left = new Promise((/** @type {(why: string) => void} */ resolve) => (leave = resolve))

await runMain(async () => {
  const { sandbox, fresh, port } = readArguments()
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      interrupted = true
      endRunning()
      leave('')
    })
  }
  const settings = devSettings({ sandbox })
  const { home } = settings
  await step('machine', async (report) => {
    report(checkMachine(settings, 'npm run dev'))
    makeHome(home)
  })
  const unlock = lock(home, 'up', 'npm run dev')
  /** @type {(() => void)[]} */
  const ends = []
  let vite = null
  try {
    await stopAppliance(home) // leftovers of a killed run
    if (fresh)
      for (const name of ['mariadb', 'media', 'secrets'])
        rmSync(join(home, name), { recursive: true, force: true })
    await prepare(settings, port)
    await startSupervisor(settings, { goOn, started: () => {} })
    await step('login', async (report) => {
      await ensureLogin(settings, readSecrets(home).secrets['operator-token'])
      report(`${USERNAME} at ${WORKSPACE}`)
    })
    goOn()
    ends.push(watchSources(home), watchSupervisor(home), follow(home, say))
    vite = serveConsole(settings, port)
    tell(settings, port)
    const why = await left
    if (why) throw new Failure(why)
    return 0
  } finally {
    for (const end of ends) end()
    say('stopping')
    await stop(vite, VITE_GRACE_MS)
    await stopAppliance(home)
    unlock()
    say('everything is stopped')
  }
})

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}

function goOn() {
  if (interrupted) throw new Failure('interrupted')
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        sandbox: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        port: { type: 'string', default: String(PORT) },
      },
    })
    const port = Number(values.port)
    if (!(Number.isInteger(port) && port > 0 && port < 65_536))
      throw new Failure('--port must be a port: 1 to 65535')
    return { ...values, port }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(messageOf(error).replace(/\. .*/s, ': see --help'))
  }
}

/** @param {Settings} settings @param {number} port of the console */
async function prepare(settings, port) {
  const log = join(settings.home, 'log/install.log')
  mkdirSync(join(settings.home, 'log'), { recursive: true })
  await step('ports', async (report) => {
    await requirePorts(settings, report)
    await requireFreePorts([
      {
        protocol: 'tcp',
        host: '127.0.0.1',
        port,
        purpose: 'the console by vite',
        setting: 'npm run dev -- --port',
      },
    ])
  })
  await step('Debian packages', (report) => installPackages(packagesFor(settings), { log, report }))
  goOn()
  await step('npm packages', (report) => installNpmPackages({ log, report }))
  goOn()
  await step('Node', (report) => prepareRuntime(settings, { log, report }))
  goOn()
  await step('compile', async (report) => {
    await generateSdkTypes({ ifMissing: true })
    report(`${await transpile(SOURCES)} files`)
  })
  readSecrets(settings.home)
  goOn()
}

/**
 * Compiles changes, and has the supervisor restart the server.
 * @param {string} home
 * @returns {() => void} stops watching
 */
function watchSources(home) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const renew = async () => {
    try {
      const compiled = await transpile(SOURCES)
      if (compiled === 0) return
      say(`compiled ${compiled} ${compiled === 1 ? 'file' : 'files'}: the server restarts`)
      const supervisor = readState(home)?.supervisor
      if (supervisor && isAlive(supervisor)) signal(supervisor.pid, 'SIGUSR1')
    } catch (error) {
      say(`not restarted: ${messageOf(error)}`)
    }
  }
  const watchers = SOURCES.map((folder) =>
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      if (!name?.endsWith('.ts')) return
      if (name.startsWith('database/migrations/'))
        say('a migration has changed: npm run dev makes the tables at its start, so start it again')
      clearTimeout(timer)
      timer = setTimeout(() => void renew(), QUIET_MS) // an editor writes a file in several steps
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

/** @param {string} home @returns {() => void} ends it */
function watchSupervisor(home) {
  const timer = setInterval(() => {
    if (!isAlive(readState(home)?.supervisor)) leave('the supervisor is gone')
  }, 1000)
  return () => clearInterval(timer)
}

/** @param {Settings} settings @param {number} port */
function serveConsole(settings, port) {
  const args = ['--port', String(port), '--strictPort', '--host', '127.0.0.1', '--clearScreen', 'false']
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'console', ...args], {
    cwd: ROOT,
    env: { ...process.env, JACKFIELD_DEV_SERVER: `http://127.0.0.1:${settings['http.port']}` },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true, // its own group: this process handles Ctrl-C
  })
  endWithOthers(child)
  child.on('error', (error) => leave(`vite cannot be started: ${error.message}`))
  child.on('exit', (code, by) => {
    if (!interrupted)
      leave(`vite ended ${by ? `by ${by}` : `with exit code ${code}`}: the console is not served`)
  })
  return child.pid ? identify(child.pid) : null
}

/** @param {Settings} settings @param {number} port */
function tell(settings, port) {
  const domain = settings['base_domain']
  const chosen = chooseSwitch(settings)
  say(
    [
      '',
      `  Console    http://${WORKSPACE}.${domain}:${port}   log in as ${USERNAME}, password ${PASSWORD}`,
      `             http://admin.${domain}:${port}   the operator’s, with the token below`,
      `  Token      ${secretPath(settings.home, 'operator-token')}`,
      `  API        http://${WORKSPACE}.${domain}:${settings['http.port']}/api/v1, docs at /api/v1/docs`,
      `  SIP        ${settings['sip.host']}:${settings['sip.port']}`,
      `  Switch     ${chosen.kind === 'freeswitch' ? `FreeSWITCH at ${chosen.binary}` : 'the sandbox, which simulates calls'}`,
      `  Logs       ${join(settings.home, 'log')}`,
      `  CLI        JACKFIELD_HOME=${settings.home} npx jackfield …`,
      '',
      'A change under server/src restarts the server. Ctrl-C ends everything.',
      '',
    ].join('\n'),
  )
}
