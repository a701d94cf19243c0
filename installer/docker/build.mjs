/** Compiles everything in the image’s build stage, as `npm run up` does on a machine. Another architecture may be emulated,
 * which takes its time. */
import { build } from '../packages.mjs'
import { runMain } from '../progress.mjs'

/** @param {string} text */
const report = (text) => void process.stdout.write(`${text}\n`)

await runMain(async () => {
  await build({ log: '/tmp/build.log', report, deadlineMs: 30 * 60_000 })
  return 0
})
