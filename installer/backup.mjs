/** `npm run backup`: a hot backup of the whole appliance, in one file. */
import { parseArgs } from 'node:util'
import { makeBackup } from './backups/make.mjs'
import { Failure } from './failure.mjs'
import { runMain, step } from './progress.mjs'
import { readSettings } from './settings.mjs'

await runMain(async () => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, keep: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  })
  const keep = values.keep === undefined ? undefined : Number(values.keep)
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw new Failure('--keep must be a whole number from 1')
  const passphraseFile = values['passphrase-file']
  const { file, removed } = await step('backup', async (report) => {
    const wish = {
      ...(values.to === undefined ? {} : { to: values.to }),
      ...(passphraseFile === undefined ? {} : { passphraseFile }),
      ...(keep === undefined ? {} : { keep }),
    }
    const made = await makeBackup(readSettings(), wish, report)
    report(`${(made.bytes / 1e6).toFixed(1)} MB`)
    return made
  })
  process.stdout.write(`${file}\n`)
  for (const name of removed) process.stdout.write(`removed ${name}\n`)
  if (!passphraseFile)
    process.stdout.write(
      'It holds the master key: keep it as safe as the appliance, or use --passphrase-file.\n',
    )
  return 0
})
