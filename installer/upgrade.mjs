/**
 * `npm run upgrade`, in the checkout of the new version: takes over the appliance that runs from another checkout. Only
 * the server is stopped for it, and what has changed; a failure brings the old version back as it was.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from './backups/make.mjs'
import { migrationsOf } from './backups/database.mjs'
import { watchInterrupts } from './backups/interrupts.mjs'
import { requireNoOtherCell } from './backups/other-cells.mjs'
import { databaseLogin } from './backups/places.mjs'
import { runnerOf } from './backups/runner.mjs'
import { bringBack, moveOn } from './backups/upgrading.mjs'
import { requireKnown } from './backups/versions.mjs'
import { readWayBack, requireWholeTables } from './backups/way-back.mjs'
import { Failure, messageOf } from './failure.mjs'
import { PLACES } from './installation/flags.mjs'
import { giveBack, joinInstallation, readInstallation } from './installation/installed.mjs'
import { lock } from './lock.mjs'
import { build, installNpmPackages, installPackages, packagesFor } from './packages.mjs'
import { runMain, step } from './progress.mjs'
import { prepareRuntime } from './runtime/choose.mjs'
import { ROOT, readSettings } from './settings.mjs'
import { readState } from './state.mjs'

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      back: { type: 'boolean', default: false },
      to: { type: 'string' },
      'passphrase-file': { type: 'string' },
      'config-directory': { type: 'string', default: PLACES['config-directory'] },
    },
  })
  const { goOn, hold } = watchInterrupts('an upgrade')
  joinInstallation(values['config-directory'])
  const settings = readSettings()
  const installation = readInstallation(settings.home, values['config-directory'])
  const runner = runnerOf(settings, installation)
  const unlock = lock(settings.home, 'upgrade', 'upgrade')
  try {
    if (values.back) {
      const way = readWayBack(settings.home)
      const now = readState(settings.home)
      if (now?.phase === 'up' && now.root === way.root)
        throw new Failure(`the version of ${way.root} is up already: there is nothing to take back`)
      // A backup that begins meanwhile would find empty tables.
      const unlockBackup = lock(settings.home, 'backup', 'backup')
      hold()
      const { root, at } = await bringBack(settings, runner, way).finally(unlockBackup)
      process.stdout.write(`The version of ${root} is up again, with the data of ${at}.\n`)
      return 0
    }
    requireWholeTables(settings.home)
    const state = readState(settings.home)
    if (state?.phase !== 'up')
      throw new Failure(
        `no appliance is up in ${settings.home}: set JACKFIELD_HOME to its home, npm run up in its checkout`,
      )
    if (state.root === ROOT)
      throw new Failure(
        'the appliance runs from this checkout: put the new version into a folder of its own, and run this there',
      )
    const log = join(settings.home, 'log/install.log')
    mkdirSync(join(settings.home, 'log'), { recursive: true })
    await step('Debian packages', (report) => installPackages(packagesFor(settings), { log, report }))
    goOn()
    await step('npm packages', (report) => installNpmPackages({ log, report }))
    goOn()
    const runtime = await step('Node', (report) => prepareRuntime(settings, { log, report }))
    goOn()
    await step('build', (report) => build({ log, report }))
    goOn()
    runner.requireBuilt(runtime.program)
    const login = databaseLogin(settings)
    await requireKnown(await migrationsOf(login), `the appliance runs from ${state.root}`)
    const requireAlone = async () => {
      if (!settings['database.own']) await requireNoOtherCell(login, settings.cell)
    }
    await requireAlone()
    const made = await step('backup', async (report) => {
      const { to, 'passphrase-file': passphraseFile } = values
      const wish = {
        ...(to === undefined ? {} : { to }),
        ...(passphraseFile === undefined ? {} : { passphraseFile }),
      }
      const done = await makeBackup(settings, wish, (text) => {
        goOn()
        report(text)
      })
      report(done.file)
      return done
    })
    await requireAlone()
    hold()
    // A backup that begins meanwhile would find half of the tables.
    const unlockBackup = lock(settings.home, 'backup', 'backup')
    try {
      await moveOn(settings, runner, state)
    } catch (error) {
      await bringBack(settings, runner, readWayBack(settings.home)).catch((/** @type {unknown} */ worse) => {
        throw new Failure(
          `${messageOf(error)}; and the old version does not come back: ${messageOf(worse)}: in ${state.root}, npm run restore -- ${made.file} --replace`,
        )
      })
      throw new Failure(`${messageOf(error)}: the old version is up again, with all its data`)
    } finally {
      unlockBackup()
    }
    process.stdout.write(
      `This version is up. The way back, with the data of before: npm run upgrade -- --back\n`,
    )
    return 0
  } catch (error) {
    goOn()
    throw error
  } finally {
    await runner.release()
    unlock()
    giveBack(installation)
  }
})
