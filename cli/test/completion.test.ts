/** Completion in bash, as `jackfield autocomplete` sets it up. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { programFile } from './program.js'

/** Asks bash what it would offer for the line so far; the last word is the one that is being written. */
const script = `
jackfield autocomplete --refresh-cache 2>/dev/null
eval "$(jackfield autocomplete script bash)"
offered() {
  COMP_WORDS=(jackfield "$@"); COMP_CWORD=$#; COMP_LINE="jackfield $*"; COMP_POINT=\${#COMP_LINE}; COMPREPLY=()
  _jackfield_autocomplete
  printf '%s\\n' "\${COMPREPLY[*]}"
}
offered team ad
offered agent set --ro
offered voice-agent tool s
`

describe('completion', function () {
  this.timeout(60_000)
  let home: string

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'jackfield-completion-'))
    await mkdir(join(home, 'bin'))
    await symlink(programFile, join(home, 'bin', 'jackfield'))
  })
  after(async () => rm(home, { recursive: true, force: true }))

  it('offers commands and flags in bash', async () => {
    const env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
    expect(stdout.trim().split('\n')).to.deep.equal(['add-agent', '--role', 'set show'])
  })
})
