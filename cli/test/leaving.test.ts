/** Leaving the program: at a question, and while what it prints is not read to its end. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { programFile } from './program.js'

describe('leaving the program', function () {
  this.timeout(60_000)
  let home: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'jackfield-leaving-'))
  })
  after(async () => rm(home, { recursive: true, force: true }))

  /** Runs a line of shell on a terminal, and types when a question shows up. */
  async function typed(line: string, question: string, keys: string) {
    const child = spawn('script', ['-qec', `stty cols 120; ${line}`, '/dev/null'], {
      env: { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: '1', TERM: 'xterm' },
      cwd: home,
    })
    let shown = ''
    let isTyped = false
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk
      if (isTyped || !shown.includes(question)) return
      isTyped = true
      child.stdin.write(keys)
    })
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, shown }
  }

  const program = `'${process.execPath}' '${programFile}'`

  for (const [name, keys] of [
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ] as const) {
    it(`by ${name} at a question does nothing and says so`, async () => {
      const { code, shown } = await typed(`${program} login`, 'Address of', keys)
      expect(shown).to.include('Nothing was done.')
      expect(shown).not.to.match(/ExitPrompt|force closed|Error|Warning|at .*\.js/)
      expect(code).to.equal(130)
    })
  }

  it('needs no reader of what it prints', async () => {
    const { code, shown } = await typed(`(${program} --help; echo "code $?" >&2) | head -1`, 'never', '')
    expect(shown).not.to.match(/EPIPE|Error|at .*\.js/)
    expect(code).to.equal(0)
  })
})
