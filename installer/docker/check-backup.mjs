/**
 * Whether a backup of the folder BACKUPS is whole: `tools check-backup <file>`. All of it is read; what an upgrade could
 * harm, the database, is compared with its sum. It needs room for that, beside the backup.
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
    // upgrade.sh hands on all flags of `backup`
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
