/** `docker compose run --rm tools restore <file>`: restores a backup into empty volumes. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { keepEnvironment, restoreBackup } from '../backups/put-back.mjs'
import { Failure } from '../failure.mjs'
import { runMain, step } from '../progress.mjs'
import { dockerSettings } from './docker-settings.mjs'
import { requireStopped } from './running.mjs'

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, 'passphrase-file': { type: 'string' } },
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1)
    throw new Failure('name one backup of the folder BACKUPS: restore <file>')
  const settings = dockerSettings()
  requireStopped(settings)
  mkdirSync(join(settings.home, 'log'), { recursive: true })
  const { manifest, asides, missing } = await step('restore', (report) =>
    restoreBackup(
      resolve('/backups', file),
      { replace: values.replace, passphraseFile: values['passphrase-file'] },
      report,
    ),
  )
  const lines = [
    `This is the appliance of ${manifest.made_at} (Jackfield ${manifest.version}): start it with docker compose up -d.`,
  ]
  for (const path of asides)
    lines.push(
      `What was here before lies in ${path}: docker compose run --rm --no-deps setup rm -r ${path} when all is well.`,
    )
  const names = Object.keys(missing)
  if (names.length > 0) {
    const path = keepEnvironment(settings.home, missing)
    lines.push(
      `Its .env had settings that this one has not: ${names.join(', ')} (values: docker compose run --rm --no-deps setup cat ${path}).`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
})
