/** The commands of the README and of docs/start/command-line.md do what they say, as a shell runs them. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Config } from '@oclif/core'
import { expect } from 'chai'
import { shellBlocks } from './command-lines.js'
import { Program, type Ran, programFile } from './program.js'

const page = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')

describe('documentation', function () {
  this.timeout(120_000)
  let program: Program

  beforeEach(async () => {
    program = await Program.start()
    // `npx jackfield` without npx, which would look for the package beside the test's own folder.
    const bin = join(program.home, 'bin')
    await mkdir(bin)
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${programFile}' "$@"\n`
    await writeFile(join(bin, 'npx'), npx, { mode: 0o755 })
  })
  afterEach(async () => program.stop())

  async function shell(script: string): Promise<Ran> {
    const { PATH = '', ...environment } = program.environment
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: program.home,
      env: { ...environment, PATH: `${join(program.home, 'bin')}:${PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, stdout, stderr }
  }

  it('of the command line runs', async () => {
    const { code, stdout, stderr } = await shell(
      shellBlocks(page('docs/start/command-line.md'), 'sh').join('\n'),
    )
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.match(/^2 would be created, 0 there already, 0 failed\.\n2 created, 0 there/m)
    expect(stdout.match(/is a member of te_/g)).to.have.length(2)
    expect(stdout).to.match(/^\S+Z +agent\.create +Anna Smith$/m)
    expect(stdout, 'one supervisor is listed').to.match(
      /^ag_\S+ +anna +Anna Smith +anna@example\.com +supervisor/m,
    )
    expect(await readFile(join(program.home, 'agents-now.csv'), 'utf8')).to.equal(
      'username,email\r\nanna,anna@example.com\r\nben,ben@example.com\r\n',
    )
  })

  it('names every command of the command line', async () => {
    const config = await Config.load(programFile)
    const ours = config.commands.filter(({ pluginName }) => pluginName === config.name)
    const lines = page('docs/reference/commands.md').matchAll(/^\| `jackfield ([^`]+?)(?: [<[][^`]*)?` /gm)
    const named = Array.from(lines, ([, command = '']) => command)
    expect(named).to.have.members(ours.map(({ id }) => id.replaceAll(':', ' ')))
  })

  it('of the first call runs', async () => {
    const blocks = shellBlocks(page('README.md'), 'sh').filter((block) => block.includes('npx jackfield'))
    expect(blocks).to.not.be.empty
    const { code, stderr } = await shell(blocks.join('\n'))
    expect(code, stderr).to.equal(0)
    expect(stderr).to.match(/call\.action +tts +completed/)
    expect(stderr).to.match(/call\.ended +200 +NORMAL_CLEARING/)
  })
})
