/** The examples of docs/integrate/sdk.md compile, and do against a real server what the page says. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type TestAppliance, startAppliance } from './appliance.js'

const run = promisify(execFile)
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where the program is compiled: within the package, so that it imports it by its name. */
const folder = at('../page/')

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the page of the SDK', function () {
  this.timeout(120_000)
  let appliance: TestAppliance

  before(async () => {
    appliance = await startAppliance()
  })
  after(async () => appliance?.stop())

  it('has examples that compile and run', async () => {
    const page = readFileSync(at('../../../docs/integrate/sdk.md'), 'utf8')
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block)
    expect(blocks.length).to.be.greaterThan(5)
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}page.ts`, blocks.join('\n'))
    writeFileSync(`${folder}anna.png`, Buffer.from(pixel, 'base64'))
    const options = { composite: false, declaration: false, sourceMap: false, types: ['node'] }
    const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    // As customers compile, who have `strict` and often no more, and as we do.
    for (const exactOptionalPropertyTypes of [false, true]) {
      const compilerOptions = { ...options, exactOptionalPropertyTypes }
      writeFileSync(
        `${folder}tsconfig.json`,
        JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions, include: ['page.ts'] }),
      )
      const compiled = await run(process.execPath, [compiler, '-p', folder]).catch(
        (error: unknown) => error as { stdout: string },
      )
      expect(compiled.stdout, 'the compiler has nothing to say').to.equal('')
    }

    const { stdout } = await run(process.execPath, ['--import', at('localhost.js'), 'page.js'], {
      cwd: folder,
      env: { ...process.env, JACKFIELD_URL: appliance.url, JACKFIELD_API_KEY: appliance.apiKey },
      timeout: 60_000,
    })
    expect(stdout.trim().split('\n')).to.deep.equal([
      'call created',
      'events call.created call.ringing call.answered call.action call.ended',
      'agent anna leader',
      'turns semantic_vad low',
      'me Anna Smith',
      'listed anna offline',
      'refused 400 name 1',
      'balance number',
      'avatar true',
    ])
  })
})
