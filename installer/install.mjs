/**
 * `jackfield install`, `npm run setup`: installs the appliance under systemd, with a system user of its own. Each step
 * does only what is missing: a second run changes nothing, and stops nothing.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseSwitch, fingerprint } from './appliance.mjs'
import { Failure } from './failure.mjs'
import { writeInstallation } from './installation/installed.mjs'
import { linkSettings, programText, takeState, writeIfChanged } from './installation/files.mjs'
import { readFlags } from './installation/flags.mjs'
import { placesOf } from './installation/places.mjs'
import { questioner } from './installation/questions.mjs'
import { runsSystemd, systemctl } from './installation/service.mjs'
import { answered, readSettingsFile, writeSettingsFile } from './installation/settings-file.mjs'
import { ensureUser, giveTo, requireReadable } from './installation/system-user.mjs'
import { unitText } from './installation/unit.mjs'
import { checkMachine, makeHome } from './machine.mjs'
import { BUILT, build, installNpmPackages, installPackages, packagesFor } from './packages.mjs'
import { endRunning } from './processes.mjs'
import { journalLines } from './part-options.mjs'
import { runMain, step } from './progress.mjs'
import { prepareRuntime } from './runtime/choose.mjs'
import { removeOldRuntimes } from './runtime/install.mjs'
import { ROOT, foldersElsewhere, readSettings } from './settings.mjs'
import { readState, stopAppliance } from './state.mjs'

/** @typedef {import('./installation/places.mjs').Places} Places */

await runMain(async () => {
  const flags = readFlags(process.argv.slice(2))
  const places = placesOf(flags.places)
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, endRunning)
  await (flags.uninstall ? uninstall(places) : install(places, flags))
  return 0
})

/**
 * @param {Places} places
 * @param {{given: Record<string, string>, yes: boolean}} flags
 */
async function install(places, { given, yes }) {
  await step('machine', async (report) =>
    report(checkMachine(readSettings({ JACKFIELD_HOME: places.state }), 'npm run setup')),
  )
  await step('state', async (report) => {
    const taken = takeState(places)
    makeHome(places.state)
    report(`${places.state}${taken ? ' (that of this checkout)' : ''}`)
  })
  const log = join(places.state, 'log/install.log')
  mkdirSync(join(places.state, 'log'), { recursive: true })
  await step('npm packages', (report) => installNpmPackages({ log, report }))
  const trial = join(places.state, 'config.json')
  const old = readSettingsFile(existsSync(places.config) ? places.config : trial)
  const asks = !yes && process.stdin.isTTY === true && !existsSync(places.config)
  const tree = await answered(old, given, asks ? await questioner() : null)
  const owner = await step('user', async (report) => {
    const { made, ...user } = ensureUser(places.user, places.state)
    requireReadable(places.user, [join(ROOT, 'installer/supervisor.mjs'), process.execPath])
    report(`${places.user} (${made ? 'made' : 'was there'})`)
    return user
  })
  await step('settings', async (report) => {
    const changed = writeSettingsFile(places.config, tree, owner.gid)
    linkSettings(places)
    report(`${places.config} (${changed ? 'written' : 'as it was'})`)
  })
  const settings = readSettings({ JACKFIELD_HOME: places.state })
  await step('Debian packages', (report) => installPackages(packagesFor(settings), { log, report }))
  const runtime = await step('Node', (report) => prepareRuntime(settings, { log, report }))
  await step('build', (report) => build({ log, report }))
  requireReadable(places.user, [...BUILT, runtime.program])
  giveTo(places.state, owner) // logs of the steps since then
  for (const folder of foldersElsewhere(settings)) {
    mkdirSync(folder, { recursive: true, mode: 0o750 })
    giveTo(folder, owner)
  }
  writeInstallation(places, foldersElsewhere(settings))
  await step('service', (report) => startService(places, report, log))
  removeOldRuntimes()
  tell(places)
}

/**
 * @param {Places} places
 * @param {(text: string) => void} report
 * @param {string} log
 */
async function startService(places, report, log) {
  const settings = readSettings({ JACKFIELD_HOME: places.state })
  const chosen = chooseSwitch(settings)
  writeIfChanged(places.program, programText(places, process.execPath), 0o755)
  const changed = writeIfChanged(
    places.unit,
    unitText(places, process.execPath, foldersElsewhere(settings)),
    0o644,
  )
  if (!runsSystemd()) return report(`${places.unit} written; systemd does not run here`)
  if (changed) await systemctl(['daemon-reload'], log)
  const state = readState(settings.home)
  const same = !changed && state?.phase === 'up' && state.fingerprint === fingerprint(settings, chosen)
  await systemctl(['enable', 'jackfield.service'], log)
  report('starting')
  await systemctl([same ? 'start' : 'restart', 'jackfield.service'], log)
  report(same ? 'ran already: nothing changed' : 'runs')
}

/** @param {Places} places */
async function uninstall(places) {
  if (process.getuid?.() !== 0) throw new Failure('this is not root: run `sudo npm run setup -- --uninstall`')
  await step('service', async (report) => {
    const log = join(places.state, 'log/install.log')
    const systemd = runsSystemd() && existsSync(places.unit)
    if (systemd) await systemctl(['disable', '--now', 'jackfield.service'], log)
    await stopAppliance(places.state) // without systemd, or leftovers of a killed upgrade
    rmSync(places.unit, { force: true })
    rmSync(places.program, { force: true })
    if (systemd) await systemctl(['daemon-reload'], log)
    report('stopped and removed')
  })
  process.stdout.write(
    `Kept: the settings ${places.config}, all state in ${places.state}, and the user ${places.user}.\n`,
  )
}

/** @param {Places} places */
function tell(places) {
  const settings = readSettings({ JACKFIELD_HOME: places.state })
  const scheme = settings['http.tls_port'] > 0 ? 'https' : 'http'
  const bound = settings['http.tls_port'] || settings['http.port']
  const port = [80, 443].includes(bound) ? '' : `:${bound}`
  process.stdout.write(
    [
      '',
      `  Console    ${scheme}://admin.${settings['base_domain']}${port}`,
      `  Token      sudo cat ${join(settings.home, 'secrets/operator-token')}`,
      `  Settings   ${places.config}: change them, then sudo systemctl restart jackfield`,
      `  Logs       journalctl -u jackfield, and ${join(settings.home, 'log')}`,
      ...journalLines(settings, chooseSwitch(settings)),
      `  Next       sudo jackfield operator checklist`,
      '',
      '',
    ].join('\n'),
  )
}
