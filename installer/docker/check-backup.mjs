/**
 * Checks a backup of the folder BACKUPS: `tools check-backup <file>`. It reads the whole file, and verifies the checksum of
 * the database, the part that an upgrade could harm. It needs disk space for that, besides the backup.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DUMP, MANIFEST, SUMS, checkSums, unpack } from '../backups/archive.mjs'
import { workFolder } from '../backups/make.mjs'
import { diskFull } from '../backups/room.mjs'
import { Failure } from '../failure.mjs'
import { runMain, step } from '../progress.mjs'

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // upgrade.sh passes all flags of `backup`
    options: { keep: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  })
  const [name] = positionals
  if (name === undefined || positionals.length > 1)
    throw new Failure('name one backup of the folder BACKUPS: check-backup <file>')
  const file = resolve('/backups', name)
  const folder = workFolder(file)
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    await step('check', async (report) => {
      report('reading the backup')
      await unpack(file, folder, values['passphrase-file'], [MANIFEST, DUMP, SUMS])
      await checkSums(folder, ['--ignore-missing'])
      report('whole')
    })
  } catch (error) {
    throw diskFull(error, dirname(file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
})
