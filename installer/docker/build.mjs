/** Compiles everything in the image's build stage, as `npm run up` does on a machine. */
import { build } from '../packages.mjs'
import { runMain } from '../progress.mjs'

await runMain(async () => {
  await build({ log: '/tmp/build.log', report: (text) => process.stdout.write(`${text}\n`) })
  return 0
})
