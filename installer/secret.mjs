/** `npm run secret -- rotate <name>`: replaces a secret without losing the data that it protects. */
import { chooseSwitch } from './appliance.mjs'
import { lock } from './lock.mjs'
import { Failure } from './failure.mjs'
import { serverEnvironment, switchJournal } from './part-options.mjs'
import { runMain, step } from './progress.mjs'
import { ROTATED, rotate } from './rotation.mjs'
import { readSettings } from './settings.mjs'
import { anythingRuns, readState } from './state.mjs'

await runMain(async () => {
  const [verb, name = ''] = process.argv.slice(2)
  if (verb !== 'rotate' || !ROTATED.includes(name))
    throw new Failure(`name the secret: rotate ${ROTATED.join(' | ')}`)
  const settings = readSettings()
  const unlock = lock(settings.home, 'up', 'npm run up, restore, upgrade or secret')
  const runs = () => anythingRuns(readState(settings.home))
  /** @type {(() => void) | undefined} */
  let unlockBackup
  try {
    // A concurrent backup would have rows sealed with a key that it does not have.
    unlockBackup = lock(settings.home, 'backup', 'backup')
    /** @type {import('./rotation.mjs').Surroundings} */
    const here = {
      serverRuns: runs,
      requireUp() {
        if (readState(settings.home)?.phase !== 'up')
          throw new Failure('the appliance must be up, as its database is needed: npm run up')
      },
      requireStopped(name) {
        if (runs())
          throw new Failure(
            `the parts know the ${name} from their start on: npm run down (which ends calls), this, npm run up`,
          )
      },
      environment: () => serverEnvironment(settings, switchJournal(settings, chooseSwitch(settings))),
    }
    await step(name, (report) => rotate(settings, name, here, report))
  } finally {
    unlockBackup?.()
    unlock()
  }
  return 0
})
