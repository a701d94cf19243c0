/** What contributors are told is true: files that the pages name are there, and versions agree. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { VERSION } from '../runtime/install.mjs'
import { ROOT } from '../settings.mjs'

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8')

const PAGES = [
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs/contribute'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/contribute/${name}`),
]

/** Where a page may leave the beginning of a path out. */
const FOLDERS = [
  '',
  'server/src/',
  'server/test/support/',
  'kamailio-conf/',
  'server/src/adapters/freeswitch/',
]

/** Files of the recipes’ examples, and names of kinds of files. */
const EXAMPLES = /^locales\/|french|pause|noon|label|echo|NNNN|[<*{…]/

describe('the pages for contributors', () => {
  it('name files and folders that are there', () => {
    const missing = PAGES.flatMap((page) => {
      const paths = [...read(page).matchAll(/`([\w./-]+(?:\/|\.(?:tsx?|mjs|cjs|cfg|xml|md|json)))`/g)].map(
        ([, path = '']) => path,
      )
      return paths
        .filter((path) => path.includes('/') && !EXAMPLES.test(path))
        .filter((path) => !FOLDERS.some((folder) => existsSync(join(ROOT, folder, path))))
        .map((path) => `${page}: ${path}`)
    })
    expect(missing).to.deep.equal([])
  })

  it('name scripts that npm runs', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = PAGES.flatMap((page) =>
      [...read(page).matchAll(/npm run ([a-z:]+)\b(?! -w)/g)].map(([, name = '']) => name),
    )
    expect([...new Set(named)].filter((name) => !(name in scripts))).to.deep.equal([])
  })

  it('name the version of Node that the images have, and a server on Debian', () => {
    const [, image] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(read('installer/docker/Dockerfile')) ?? []
    expect(read('.nvmrc').trim()).to.equal(image)
    expect(VERSION).to.match(new RegExp(`^${image}\\.`))
    const { optionalDependencies } = JSON.parse(read('installer/runtime/package.json'))
    expect(new Set(Object.values(optionalDependencies))).to.deep.equal(new Set([VERSION]))
  })
})
