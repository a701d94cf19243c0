/**
 * Compiles what changed since it was compiled last, to where `tsc --build` would put it, but without a look at types: that
 * takes seconds for the whole checkout. `npm run check` looks at the types.
 */
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { Failure } from './failure.mjs'
import { ROOT } from './settings.mjs'

/** Folders of sources, and where each is compiled to. */
const PROJECTS = [
  ...['sdk', 'server', 'cli'].flatMap((name) =>
    ['src', 'test'].map((folder) => ({ from: `${name}/${folder}`, to: `${name}/dist/${folder}` })),
  ),
  { from: 'console/test/src', to: 'console/test/dist' },
  { from: 'bench/src', to: 'bench/dist' },
]

/**
 * @param {string} source path from the checkout's root
 * @returns {string | null} path of the compiled file; null if the source is not compiled
 */
export function compiledPath(source) {
  const project = PROJECTS.find(({ from }) => source.startsWith(`${from}/`))
  if (!project || !isSource(source)) return null
  return join(project.to, relative(project.from, source)).replace(/\.ts$/, '.js')
}

/** @param {string} path */
function isSource(path) {
  return path.endsWith('.ts') && !path.endsWith('.d.ts')
}

/**
 * @param {string[]} [folders] of sources, from the checkout's root [all]
 * @returns {Promise<number>} how many files were compiled
 * @throws {Failure} naming what is no TypeScript
 */
export async function transpile(folders = PROJECTS.map(({ from }) => from)) {
  const stale = folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(isSource)
        .map((name) => join(folder, name)),
    )
    .flatMap((source) => {
      const compiled = compiledPath(source)
      return compiled && changedAt(compiled) < changedAt(source) ? [{ source, compiled }] : []
    })
  if (stale.length === 0) return 0
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: stale.map(({ source, compiled }) => ({ in: source, out: compiled.replace(/\.js$/, '') })),
    ...{ absWorkingDir: ROOT, outdir: ROOT, write: false, logLevel: 'silent' },
    ...{
      format: 'esm',
      platform: 'node',
      sourcemap: true,
      sourcesContent: false,
      tsconfig: 'tsconfig.base.json',
    },
  }).catch((/** @type {import('esbuild').BuildFailure} */ { errors: [first] }) => {
    throw new Failure(`${first?.location?.file}:${first?.location?.line}: ${first?.text}`)
  })
  for (const { path, contents } of outputFiles) put(path, contents)
  return stale.length
}

/** @param {string} path @returns {number} 0 where it is not there */
function changedAt(path) {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Another run may read it in this moment. @param {string} path @param {Uint8Array} contents */
function put(path, contents) {
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(aside, contents)
  renameSync(aside, path)
}
