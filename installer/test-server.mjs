/**
 * The server in a few files, for `npm test`, which starts it hundreds of times: of the processor time of a start, half goes
 * into finding and reading the 4,000 modules of its packages. The product starts once, so it keeps its modules: what an
 * operator reads in a stack trace names a file of ours. Tests of the installer, and `npm run test:file`, start it so, too.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CACHE } from './runtime/install.mjs'
import { ROOT } from './settings.mjs'

const FOLDER = join(CACHE, 'server')

/** Programs of it that tests start, below server/dist/src. */
const PROGRAMS = ['bin/main.js', 'sandbox/main.js']

/** They load libraries of machine code, which lie beside them. */
const NATIVE = ['onnxruntime-node', '@node-rs/argon2']

/** Packages in CommonJS call these, which a module in ESM has not. */
const COMMONJS = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url)
const __dirname = import.meta.dirname`

/** Environment variables with which tests start the bundle. */
export const SERVER_ENVIRONMENT = { JACKFIELD_TEST_SERVER: FOLDER }

/**
 * Bundles what `tsc` has compiled.
 * @throws if a module is missing
 */
export async function bundleServer() {
  const { build } = await import('esbuild')
  const sources = join(ROOT, 'server/dist/src')
  await rm(FOLDER, { recursive: true, force: true })
  const { outputFiles } = await build({
    write: false,
    entryPoints: PROGRAMS.map((name) => join(sources, name)),
    ...{ absWorkingDir: ROOT, outbase: sources, outdir: FOLDER, outExtension: { '.js': '.mjs' } },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', external: NATIVE },
    ...{
      banner: { js: COMMONJS },
      keepNames: true,
      minifySyntax: true,
      minifyWhitespace: true,
      logLevel: 'silent',
    },
    plugins: [{ name: 'own addresses', setup: (bundler) => keepAddresses(bundler, sources) }],
  })
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text.replaceAll(NOT_ASCII, escaped))
  }
}

/** One such character in a regular expression, and V8 keeps all 10 MB of the file as UTF-16. */
const NOT_ASCII = /[^\0-\x7F]/g

/** @param {string} unit of UTF-16 */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Modules find pages, workers and models beside themselves: they keep the addresses that they have unbundled.
 * @param {import('esbuild').PluginBuild} bundler
 * @param {string} sources
 */
function keepAddresses(bundler, sources) {
  bundler.onLoad({ filter: /\.js$/ }, async ({ path }) => {
    if (!path.startsWith(sources)) return undefined
    const contents = await readFile(path, 'utf8')
    return { contents: contents.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) }
  })
}
