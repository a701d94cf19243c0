/** `npm run down`: stops the appliance in reverse order of start, and waits until it has ended. */
import { runMain, step } from './progress.mjs'
import { readSettings } from './settings.mjs'
import { anythingRuns, readState, stopAppliance } from './state.mjs'

await runMain(async () => {
  const { home } = readSettings()
  if (!anythingRuns(readState(home))) {
    process.stdout.write('Jackfield is not running.\n')
    return 0
  }
  await step('stopping', (report) => stopAppliance(home).then(() => report('everything is stopped')))
  return 0
})
