/** Runs the server, or migrates the database: `run.mjs server`, `run.mjs migrate`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../failure.mjs'
import { freeswitchOptions, serverEnvironment } from '../part-options.mjs'
import { journalIn, tidyJournal } from '../parts/freeswitch.mjs'
import { readSecrets, secretPath } from '../secrets.mjs'
import { ROOT } from '../settings.mjs'
import { dockerSettings, redisEnvironment } from './docker-settings.mjs'
import { followSecrets } from './follow-secrets.mjs'

const PROGRAMS = { server: 'bin/main.js', migrate: 'bin/migrate.js' }
const TIDY_EVERY_MS = 60_000

const program = PROGRAMS[/** @type {keyof typeof PROGRAMS} */ (process.argv[2])]
if (!program) fail(`say ${Object.keys(PROGRAMS).join(' or ')}`)
try {
  const settings = dockerSettings()
  if (!existsSync(secretPath(settings.home, 'secret-key')))
    fail('there are no secrets yet: run docker compose up -d, which makes them')
  const journal = journalIn(join(settings.home, 'freeswitch'))
  Object.assign(process.env, serverEnvironment(settings, journal), redisEnvironment(settings))
  if (program === PROGRAMS.server) {
    keepTidy(settings, journal)
    followSecrets(settings.home)
  }
} catch (error) {
  fail(messageOf(error))
}
await import(join(ROOT, 'server/dist/src', program))

/**
 * Rotates the journal, which outside of containers the supervisor does.
 * @param {import('../settings.mjs').Settings} settings
 * @param {string} journal
 */
function keepTidy(settings, journal) {
  const options = freeswitchOptions(settings, readSecrets(settings.home).secrets)
  setInterval(() => {
    tidyJournal(journal, options).catch((/** @type {unknown} */ error) => {
      process.stderr.write(`the switch's journal cannot be tidied: ${messageOf(error)}\n`)
    })
  }, TIDY_EVERY_MS).unref()
}

/** @param {string} reason @returns {never} */
function fail(reason) {
  process.stderr.write(`jackfield: ${reason}\n`)
  process.exit(1)
}
