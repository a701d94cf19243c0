/**
 * The service `tools`: `docker compose run --rm tools <verb> …`. Commands that change the state hold a kernel lock on it:
 * containers do not see each other's processes, so a lock file could not name its holder.
 */
import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.mjs'
import { runMain } from '../progress.mjs'
import { dockerSettings } from './docker-settings.mjs'

/** Mount point of the folder BACKUPS. */
const BACKUPS = '/backups'

const LOCKED = 75

/** @type {Record<string, {program: string, args?: string[], locked: boolean}>} */
const VERBS = {
  backup: { program: '../backup.mjs', args: ['--to', BACKUPS], locked: true },
  'check-backup': { program: 'check-backup.mjs', locked: true },
  restore: { program: 'restore.mjs', locked: true },
  rotate: { program: 'rotate.mjs', locked: true },
  'take-secrets': { program: 'take-secrets.mjs', locked: true },
  'check-cells': { program: 'database.mjs', args: ['alone'], locked: true },
  'save-database': { program: 'database.mjs', args: ['save'], locked: true },
  'check-database': { program: 'database.mjs', args: ['check'], locked: true },
  'load-database': { program: 'database.mjs', args: ['load'], locked: true },
  doctor: { program: 'doctor.mjs', locked: false },
}

await runMain(async () => {
  const [name = '', ...rest] = process.argv.slice(2)
  const verb = VERBS[name]
  if (!verb) throw new Failure(`say what to do: ${Object.keys(VERBS).join(' | ')}`)
  const { home } = dockerSettings()
  const program = fileURLToPath(new URL(verb.program, import.meta.url))
  const command = [process.execPath, program, ...(verb.args ?? []), ...rest]
  const lock = verb.locked ? ['flock', '--nonblock', '--conflict-exit-code', String(LOCKED), home] : []
  const [first = '', ...args] = [...lock, ...command]
  const { status, signal, error } = spawnSync(first, args, { stdio: 'inherit' })
  if (error) throw error
  if (verb.locked && status === LOCKED)
    throw new Failure('another backup, restore, upgrade or change of secrets is at work: wait for it')
  return status ?? 128 + (signal ? constants.signals[signal] : 0)
})
