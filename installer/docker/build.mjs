/** Compiles everything in the image’s build stage, like `npm run up`. Another architecture may be emulated,
 * which is slow. */
import { build } from '../packages.mjs'
import { runMain } from '../progress.mjs'

/** @param {string} text */
const report = (text) => void process.stdout.write(`${text}\n`)

await runMain(async () => {
  await build({ log: '/tmp/build.log', report, deadlineMs: 30 * 60_000 })
  return 0
})
