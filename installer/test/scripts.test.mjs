/** The scripts of package.json: what they say of themselves, and those that run single tests. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { HELP } from '../help.mjs'
import { ROOT } from '../settings.mjs'

/** @type {{scripts: Record<string, string>}} */
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/**
 * Runs a script as npm does.
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<{code: number | null, out: string, err: string}>}
 */
function run(name, args, env = {}) {
  const [, ...words] = (scripts[name] ?? '').split(' ')
  const child = spawn(process.execPath, [...words, ...args], { cwd: ROOT, env: { ...process.env, ...env } })
  const shown = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (shown.out += chunk))
  child.stderr.on('data', (chunk) => (shown.err += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...shown })))
}

describe('npm scripts', function () {
  this.timeout(60_000)

  it('are Node programs, each with help', () => {
    expect(Object.keys(HELP)).to.have.members(Object.keys(scripts))
    for (const [name, command] of Object.entries(scripts)) expect(command, name).to.match(/^node installer\//)
  })

  it('say what they do, how long it takes and what it needs, and do nothing else', async () => {
    const home = mkdtempSync(join(tmpdir(), 'jackfield-help-'))
    try {
      const answers = await Promise.all(
        Object.keys(scripts).map(async (name) => ({
          name,
          ...(await run(name, ['--help'], { JACKFIELD_HOME: home })),
        })),
      )
      for (const { name, code, out, err } of answers) {
        expect({ code, err }, name).to.deep.equal({ code: 0, err: '' })
        expect(out, name).to.match(/^\S.{20}[^]*\n {2}npm run [^]*\nTakes: .+\.\nNeeds: .+\.\n$/)
      }
      expect(readdirSync(home)).to.deep.equal([])
    } finally {
      rmSync(home, { recursive: true })
    }
  })

  it('are listed', async () => {
    const { code, out } = await run('help', [])
    expect(code).to.equal(0)
    for (const name of Object.keys(scripts)) expect(out).to.match(new RegExp(`^ {2}${name} +\\S`, 'm'))
  })
})

describe('npm run test:file', function () {
  this.timeout(60_000)
  const source = join('server/test/unit', `temporary-${process.pid}.test.ts`)
  const compiled = source.replace('server/test', 'server/dist/test').replace(/\.ts$/, '.js')
  const clean = () => {
    for (const path of [source, compiled, `${compiled}.map`]) rmSync(join(ROOT, path), { force: true })
  }
  after(clean)

  it('compiles a test, runs it, and ends as it does', async () => {
    writeFileSync(
      join(ROOT, source),
      `describe('a test', () => {
        it('passes', (): void => undefined)
        it('fails', () => { throw new Error('as it should') })
      })`,
    )
    const both = await run('test:file', [source])
    expect(both.out).to.include('1 passing').and.include('as it should')
    expect(both.code).to.equal(1)
    const one = await run('test:file', [source, '--grep', 'passes'])
    expect(one.out).to.include('1 passing').and.not.include('failing')
    expect(one.code).to.equal(0)
    clean()
  })

  it('says where a test is no TypeScript', async () => {
    writeFileSync(join(ROOT, source), 'const number = \n')
    const { code, err } = await run('test:file', [source])
    clean()
    expect(err).to.match(new RegExp(`^jackfield: ${source}:\\d: .+\n$`))
    expect(code).to.equal(1)
  })

  for (const [args, problem] of /** @type {[string[], RegExp][]} */ ([
    [[], /^jackfield: name a test file: npm run test:file server\/test\/api\/agents\.test\.ts\n$/],
    [['server/test/api/agentz.test.ts'], /does not exist\n$/],
    [['server/test/api/team.test.ts'], /does not exist; there are server\/test\/.*teams\.test\.ts/],
    [['server/test/api/fixtures.ts'], /fixtures\.ts is not a test: tests end with \.test\.ts/],
    [['README.md'], /README\.md is not a test/],
    [['server/test/api'], /server\/test\/api is a folder: name test files in it\n$/],
    [['server/dist/test/unit/with-timeout.test.js'], /is compiled: name its source/],
    [['--gerp', 'x'], /^jackfield: Unknown option '--gerp': see --help\n$/],
  ]))
    it(`refuses ${args.join(' ') || 'nothing'}`, async () => {
      const { code, out, err } = await run('test:file', args)
      expect({ code, out }).to.deep.equal({ code: 1, out: '' })
      expect(err).to.match(problem)
    })
})

describe('npm run test:unit', function () {
  this.timeout(60_000)

  it('runs TypeScript with decorators, and needs no build', async () => {
    const { code, out } = await run('test:unit', ['with-timeout', 'sound-analysis'])
    expect(out).to.match(/\d passing/)
    expect(code).to.equal(0)
  })

  it('refuses a word that is in no name', async () => {
    const { code, err } = await run('test:unit', ['with-timeout', 'nonsense'])
    expect(err).to.equal('jackfield: no unit test’s name contains nonsense: see server/test/unit\n')
    expect(code).to.equal(1)
  })
})

describe('npm run check', () => {
  it('refuses a check that there is not', async () => {
    const { code, err } = await run('check', ['lnit'])
    expect(err).to.equal('jackfield: no check is named lnit: there are lint, types, imports, format\n')
    expect(code).to.equal(1)
  }).timeout(10_000)
})
