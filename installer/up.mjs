/**
 * `npm run up`: from a bare Debian machine to a running appliance. Each step does only what is missing, so that a
 * second run changes nothing. When a step fails, everything that this run started is stopped again.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseSwitch, describeParts, fingerprint } from './appliance.mjs'
import { httpUrl } from './appliance-file.mjs'
import { finishSwap } from './backups/swap.mjs'
import { requireWholeTables } from './backups/way-back.mjs'
import { Failure } from './failure.mjs'
import { firstCallCommands } from './first-call.mjs'
import { checkMachine, makeHome, refuseInstalled } from './machine.mjs'
import { lock } from './lock.mjs'
import { build, installNpmPackages, installPackages, packagesFor } from './packages.mjs'
import { endRunning, isAlive, stop } from './processes.mjs'
import { journalLines } from './part-options.mjs'
import { runMain, step } from './progress.mjs'
import { serverEnvironment, switchJournal } from './part-options.mjs'
import { requireTablesOfOthers } from './parts/server.mjs'
import { chooseRuntime, prepareRuntime } from './runtime/choose.mjs'
import { removeOldRuntimes } from './runtime/install.mjs'
import { readSecrets, secretPath } from './secrets.mjs'
import { readSettings } from './settings.mjs'
import { requirePorts, startSupervisor } from './start-supervisor.mjs'
import { STOP_ALL_MS, anythingRuns, markOrphaned, readState, stopAppliance } from './state.mjs'

/** How long to wait for a part that its supervisor is restarting before the whole appliance is restarted. */
const REPAIR_PATIENCE_MS = 20_000

/** The supervisor that this run started. @type {import('./processes.mjs').Identity | null} */
let startedHere = null
let interrupted = false

/** @typedef {import('./settings.mjs').Settings} Settings */

await runMain(async () => {
  let settings = readSettings()
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      interrupted = true
      endRunning()
    })
  }
  const begin = Date.now()
  await step('machine', async (report) => {
    report(checkMachine(settings, 'npm run up'))
    makeHome(settings.home)
    refuseInstalled(settings.home, 'use systemctl start jackfield')
  })
  const unlock = lock(settings.home, 'up', 'npm run up')
  try {
    if (finishSwap(settings.home)) settings = readSettings() // a restore was killed
    requireWholeTables(settings.home)
    const changed = await bringUp(settings)
    removeOldRuntimes()
    await tell(settings, changed, Date.now() - begin)
    return 0
  } catch (error) {
    if (startedHere) {
      await stop(startedHere, STOP_ALL_MS)
      // what it may have left, but for what it was to take over
      if (readState(settings.home)?.phase !== 'left') await stopAppliance(settings.home)
    }
    throw interrupted ? new Failure('interrupted: what this run had started is stopped') : error
  } finally {
    unlock()
  }
})

/**
 * @param {Settings} settings
 * @returns {Promise<boolean>} whether anything had to be started
 */
async function bringUp(settings) {
  const log = join(settings.home, 'log/install.log')
  mkdirSync(dirname(log), { recursive: true })
  const before = readState(settings.home)
  const runs = anythingRuns(before)
  if (!runs) await step('ports', (report) => requirePorts(settings, report))
  await step('Debian packages', (report) => installPackages(packagesFor(settings), { log, report }))
  goOn()
  await step('npm packages', (report) => installNpmPackages({ log, report }))
  goOn()
  await step('Node', (report) => prepareRuntime(settings, { log, report }))
  goOn()
  await step('build', (report) => build({ log, report }))
  goOn()
  await step('secrets', async (report) => {
    const { made } = readSecrets(settings.home)
    report(made > 0 ? `${made} made` : 'kept')
  })
  const chosen = chooseSwitch(settings)
  if (runs && before?.phase !== 'left') {
    if (await step('appliance', (report) => isWell(settings, chosen, report))) return false
    await step('tables', (report) => requireTables(settings, chosen).then(() => report('can be prepared')))
    // Its supervisor was killed: the next one takes over what carries calls.
    if (!markOrphaned(settings.home)) {
      await step('stopping the old', (report) => stopAppliance(settings.home).then(() => report('stopped')))
      await step('ports', (report) => requirePorts(settings, report))
    }
  }
  goOn()
  await startSupervisor(settings, {
    goOn,
    started: (identity) => (startedHere = identity),
  })
  return true
}

/**
 * @param {Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 */
async function requireTables(settings, chosen) {
  await requireTablesOfOthers({
    environment: serverEnvironment(settings, switchJournal(settings, chosen)),
    log: join(settings.home, 'log/migrate.log'),
    node: chooseRuntime(settings).program,
  })
}

/** Between two steps: a person may have interrupted. */
function goOn() {
  if (interrupted) throw new Failure('interrupted')
}

/**
 * Whether the appliance that runs is this one, and well. A part that is just being restarted gets a little time.
 * @param {Settings} settings
 * @param {import('./appliance.mjs').Switch} chosen
 * @param {(text: string) => void} report
 */
async function isWell(settings, chosen, report) {
  const state = readState(settings.home)
  if (!state || !isAlive(state.supervisor)) return (report('its supervisor is gone'), false)
  if (state.fingerprint !== fingerprint(settings, chosen))
    return (report('runs with other code or settings'), false)
  const { secrets } = readSecrets(settings.home)
  const parts = describeParts(settings, secrets, chosen)
  for (const end = Date.now() + REPAIR_PATIENCE_MS; ; await sleep(500)) {
    goOn()
    const checks = await Promise.all(parts.map((part) => part.check()))
    const ill = parts.filter((_, index) => !checks[index]?.ok)
    if (ill.length === 0 && readState(settings.home)?.phase === 'up')
      return (report('runs and is well'), true)
    const names = ill.map((part) => part.title).join(', ') || 'it is still starting'
    report(`waiting for ${names}`)
    if (Date.now() > end) return (report(`not well: ${names}`), false)
  }
}

/**
 * Where everything is, and what to do next.
 * @param {Settings} settings
 * @param {boolean} changed
 * @param {number} tookMs
 */
async function tell(settings, changed, tookMs) {
  const chosen = chooseSwitch(settings)
  const admin = `http://admin.${settings['base_domain']}:${settings['http.port']}`
  const lines = [
    '',
    `Jackfield ${changed ? 'is up' : 'was up already: nothing changed'} (${(tookMs / 1000).toFixed(1)} s).`,
    '',
    `  API        http://<workspace>.${settings['base_domain']}:${settings['http.port']}/api/v1   (operator: ${admin}/api/v1)`,
    `  API docs   ${admin}/api/v1/docs`,
    `  Console    ${admin}   (operator), http://<workspace>.${settings['base_domain']}:${settings['http.port']} (a workspace)`,
    `  Token      the operator’s token is in ${secretPath(settings.home, 'operator-token')}`,
    `  SIP        ${settings['sip.host']}:${settings['sip.port']} (udp, tcp), TLS ${settings['sip.tls_port']}, WebSocket ${settings['sip.ws_port']}, with TLS ${settings['sip.wss_port']}`,
    chosen.kind === 'freeswitch'
      ? `  Switch     real FreeSWITCH found at ${chosen.binary}`
      : '  Switch     the sandbox, which only simulates calls: install FreeSWITCH (or set JACKFIELD_FREESWITCH_BIN) and run this again',
    ...journalLines(settings, chosen),
    '',
    'Make a first call:',
    ...firstCallCommands(chosen.kind).map((command) => `  ${command}`),
    '',
    `Stop with npm run down, look with npm run status (${httpUrl(settings)}/health).`,
    '',
  ]
  process.stdout.write(lines.join('\n'))
}
