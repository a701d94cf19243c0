/**
 * Clients that popular generators make of the server's OpenAPI document: they compile, call a real server, and their
 * schemas take what it answers. orval 7.13 and hey-api 0.95 are the newest that run on Node 20.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type TestAppliance, startAppliance } from './appliance.js'
import { type Program, type Schema, clientPrograms } from './client-programs.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = at('../clients/')
const load = createRequire(import.meta.url)
const documentBytes = 16_000_000
const runMs = 90_000

async function run(program: string, ...args: string[]) {
  const path = at(`../../../node_modules/${program}`)
  await promisify(execFile)(process.execPath, [path, ...args], { cwd: folder, timeout: runMs }).catch(
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${program} fails: ${stdout ?? ''}${stderr ?? ''}`, { cause: error })
    },
  )
}

interface Document {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, unknown> }> } }>
}

describe('clients that are generated of the OpenAPI document', function () {
  this.timeout(180_000)
  let appliance: TestAppliance
  let document: Document

  before(async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const text = execFileSync(process.execPath, [at('../../../server/dist/src/bin/print-openapi.js')], {
      maxBuffer: documentBytes,
    })
    document = JSON.parse(text.toString()) as Document
    writeFileSync(join(folder, 'openapi.json'), text)
    writeFileSync(join(folder, 'package.json'), '{"type": "commonjs"}')
    for (const [name, source] of Object.entries(clientPrograms))
      writeFileSync(join(folder, `${name}.ts`), source)
    appliance = await startAppliance()
    const orval = (client: string) => ({
      input: './openapi.json',
      output: { target: `./orval-${client}.ts`, client, mode: 'single', baseUrl: `${appliance.url}/api/v1` },
    })
    writeFileSync(
      join(folder, 'orval.config.cjs'),
      `module.exports = ${JSON.stringify({ fetch: orval('fetch'), zod: orval('zod') })}`,
    )
    const heyPlugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod']
    await Promise.all([
      run('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'openapi-typescript.ts'),
      run('orval/dist/bin/orval.js', '--config', 'orval.config.cjs'),
      run(
        '@hey-api/openapi-ts/bin/run.js',
        ...['-i', 'openapi.json', '-o', 'hey', '--no-log-file', '-p', ...heyPlugins],
      ),
    ])
  })
  after(async () => appliance?.stop())

  it('compile', async () => {
    const names = Object.keys(clientPrograms).map((name) => `${name}.ts`)
    await run(
      'typescript/bin/tsc',
      ...['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'commonjs'],
      ...['--moduleResolution', 'node10', '--lib', 'es2022,dom,dom.iterable', '--types', 'node'],
      ...['--outDir', 'out', ...names, 'orval-zod.ts', 'hey/zod.gen.ts'],
    )
  })

  for (const name of Object.keys(clientPrograms))
    it(`${name.replace('with-', 'of ')} make a contact, find it, and read what is wrong with another`, async () => {
      const { call } = load(join(folder, 'out', `${name}.js`)) as { call: Program }
      const { made, found, wrong } = await call(appliance.url, appliance.apiKey)
      expect(made).to.match(/^[a-z]+_[0-9a-z]+$/)
      expect(found).to.include(made)
      expect(wrong).to.deep.include({ status: 400, statusCode: 400 })
      expect(wrong.fields).to.include('name')
    })

  /** The schema of a GET's answer, by the names that the generators make of its path. */
  const nameOf = (path: string) =>
    path
      .split(/[^A-Za-z0-9]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')

  for (const [name, file, schemaName] of [
    ['orval', 'orval-zod.js', (path: string) => `get${nameOf(path)}Response`],
    ['hey-api', 'hey/zod.gen.js', (path: string) => `zGet${nameOf(path)}Response`],
  ] as const)
    it(`of ${name} have zod schemas that take texts with emoji, and what the server answers`, async () => {
      const schemas = load(join(folder, 'out', file)) as Record<string, Schema>
      const isTaken = (schema: string, value: unknown) =>
        (schemas[schema] ?? schemas[`z${schema.charAt(0).toUpperCase()}${schema.slice(1)}`])?.safeParse(value)
          .success
      const text = { from: '+12025550100', to: '+12025550101', body: 'Hi 😀' }
      expect(isTaken('postMessagesSendBody', text)).to.equal(true)
      expect(isTaken('postMessagesSendBody', { ...text, to: 'nobody' })).to.equal(false)
      expect(isTaken('postContactsBody', { name: 'Zoe 😀', numbers: ['+12025550142'] })).to.equal(true)

      const parsed: string[] = []
      for (const path of Object.keys(document.paths).filter((one) => !one.includes('{'))) {
        const success = document.paths[path]?.get?.responses['200']?.content
        if (!success?.['application/json']) continue
        const isOperators = /^\/(operator|workspaces|carriers|rate-decks|ai-providers)/.test(path)
        const answer = await fetch(`${isOperators ? appliance.operatorUrl : appliance.url}/api/v1${path}`, {
          headers: {
            authorization: isOperators ? `Operator ${appliance.operatorToken}` : `ApiKey ${appliance.apiKey}`,
          },
        })
        const body: unknown = await answer.json()
        if (answer.status !== 200) continue
        const result = schemas[schemaName(path)]?.safeParse(body)
        expect(result?.error?.issues ?? (result ? [] : 'no schema'), path).to.eql([])
        parsed.push(path)
      }
      expect(parsed).to.have.length.above(30)
      expect(parsed).to.include.members(['/contacts', '/phone-numbers', '/carriers', '/usage', '/api-keys'])
    })
})
