/** `npm run secret -- rotate <name>`: puts another secret in the place of one, without losing what it protects. */
import { readFileSync } from 'node:fs'
import { lock } from './lock.mjs'
import { Failure } from './failure.mjs'
import { rotateMasterKey } from './master-key.mjs'
import { runMain, step } from './progress.mjs'
import { isSecret, newSecret, readSecrets, replaceSecret, secretPath } from './secrets.mjs'
import { renewServers } from './server-secrets.mjs'
import { readSettings } from './settings.mjs'
import { anythingRuns, readState } from './state.mjs'

/** What each protects, and what a new one takes. */
const OPERATORS = 'operator-token'
const MASTER = 'master-key'
/** Parts know these from their start on. */
const OF_PARTS = ['esl-password', 'rpc-secret', 'db-password', 'kamailio-db-password']

await runMain(async () => {
  const [verb, name = ''] = process.argv.slice(2)
  if (verb !== 'rotate' || ![MASTER, OPERATORS, ...OF_PARTS].includes(name))
    throw new Failure(`name the secret: rotate ${[MASTER, OPERATORS, ...OF_PARTS].join(' | ')}`)
  const settings = readSettings()
  const unlock = lock(settings.home, 'up', 'npm run up, restore, upgrade or secret')
  /** @type {(() => void) | undefined} */
  let unlockBackup
  try {
    // A backup would hold rows that are sealed with a key that it does not hold.
    unlockBackup = lock(settings.home, 'backup', 'backup')
    readSecrets(settings.home)
    await step(name, async (report) => {
      if (name === MASTER) return rotateMasterKey(settings, report)
      if (OF_PARTS.includes(name) && anythingRuns(readState(settings.home)))
        throw new Failure(
          `the parts know the ${name} from their start on: npm run down (which ends calls), this, npm run up`,
        )
      if (!isSecret(name)) throw new Error(name)
      const path = secretPath(settings.home, name)
      const before = readFileSync(path, 'utf8').trim()
      replaceSecret(path, newSecret(name))
      if (name === OPERATORS && anythingRuns(readState(settings.home)))
        await renewServers(settings, { refused: before })
      report('replaced')
    })
  } finally {
    unlockBackup?.()
    unlock()
  }
  return 0
})
