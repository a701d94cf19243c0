/** `npm run reference`: writes the generated pages of docs/reference. It reads the build and starts nothing. */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { runMain } from './progress.mjs'
import { pages } from './reference/pages.mjs'
import { ROOT } from './settings.mjs'

await runMain(async () => {
  for (const { path, text } of await pages()) {
    writeFileSync(path, text)
    process.stdout.write(`${relative(ROOT, path)}\n`)
  }
  return 0
})
