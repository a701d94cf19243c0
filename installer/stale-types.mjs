/** TypeScript 7.0's `--build` does not see that an imported JSON file has changed, and repeats what it said before. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './settings.mjs'

const TEXTS = /(^|\/)locales\/[^/]+\.json$/

/**
 * Has the console's types checked again where its texts have changed since.
 * @param {string} [root] the checkout
 */
export function dropStaleTypes(root = ROOT) {
  const info = join(root, 'console/dist/types.tsbuildinfo')
  const checked = statSync(info, { throwIfNoEntry: false })?.mtimeMs
  if (checked === undefined) return
  const source = join(root, 'console/src')
  const texts = readdirSync(source, { encoding: 'utf8', recursive: true }).filter((file) => TEXTS.test(file))
  if (texts.some((file) => statSync(join(source, file)).mtimeMs > checked)) rmSync(info)
}
