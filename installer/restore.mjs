/** `npm run restore -- <file>`: restores a backup on an empty machine. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { watchInterrupts } from './backups/interrupts.mjs'
import { keepEnvironment, restoreBackup } from './backups/put-back.mjs'
import { Failure } from './failure.mjs'
import { PLACES } from './installation/flags.mjs'
import { giveBack, readInstallation } from './installation/installed.mjs'
import { APPLIANCE_PACKAGES, build, installNpmPackages, installPackages } from './packages.mjs'
import { runMain, step } from './progress.mjs'
import { readSettings } from './settings.mjs'

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'passphrase-file': { type: 'string' },
      'config-directory': { type: 'string', default: PLACES['config-directory'] },
    },
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1)
    throw new Failure('name one backup: npm run restore -- <file>')
  const { home } = readSettings()
  const installation = readInstallation(home, values['config-directory'])
  const interrupts = watchInterrupts('a restore')
  const log = join(home, 'log/install.log')
  mkdirSync(join(home, 'log'), { recursive: true })
  try {
    await step('Debian packages', (report) => installPackages(APPLIANCE_PACKAGES, { log, report }))
    interrupts.goOn()
    await step('npm packages', (report) => installNpmPackages({ log, report }))
    interrupts.goOn()
    await step('build', (report) => build({ log, report }))
  } finally {
    interrupts.goOn()
  }
  const wish = { replace: values.replace, passphraseFile: values['passphrase-file'] }
  const { manifest, asides, missing } = await step('restore', (report) =>
    restoreBackup(resolve(file), wish, report, interrupts),
  ).finally(() => giveBack(installation))
  const start = installation ? 'systemctl start jackfield' : 'npm run up'
  const lines = [
    `This is the appliance of ${manifest.made_at} (Jackfield ${manifest.version}): start it with ${start}.`,
  ]
  for (const path of asides) lines.push(`What was here before lies in ${path}: remove it when all is well.`)
  const names = Object.keys(missing)
  if (names.length > 0) {
    const path = keepEnvironment(home, missing)
    lines.push(`Its environment had settings that this one has not: ${names.join(', ')} (values: ${path}).`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
})
