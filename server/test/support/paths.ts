/** Where the checkout is, whether a test runs from `server/test` by tsx or compiled from `server/dist/test`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const isSource = import.meta.url.endsWith('.ts')

/** URL of the checkout's root folder, with a slash at its end. */
export const root = rootAbove(new URL('.', import.meta.url))

function rootAbove(folder: URL): URL {
  return existsSync(new URL('package-lock.json', folder)) ? folder : rootAbove(new URL('..', folder))
}

/** @param path of a file or folder, from the checkout's root */
export const pathOf = (path: string): string => fileURLToPath(new URL(path, root))

/** Folder of the server's modules: TypeScript or compiled, as the test itself is. */
export const serverModules = pathOf(isSource ? 'server/src/' : 'server/dist/src/')

/**
 * Arguments for Node that run a program of the server: from TypeScript where the test runs from there, and from the bundle
 * that `npm test` has made.
 * @param name from `server/src`, without an ending: `bin/main`
 */
export function serverProgram(name: string): string[] {
  const folder = process.env['JACKFIELD_TEST_SERVER']
  const bundled = folder && join(folder, `${name}.mjs`)
  if (bundled && existsSync(bundled)) return [bundled]
  return isSource ? ['--import', 'tsx/esm', `${serverModules}${name}.ts`] : [`${serverModules}${name}.js`]
}
