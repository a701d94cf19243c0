import { expect } from 'chai'
import { describe, it } from 'mocha'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rotate } from '../log-files.mjs'

describe('the rotation of logs', () => {
  it('keeps three old files and empties the one in use', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-logs-'))
    const path = join(folder, 'server.log')
    for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
      writeFileSync(path, text)
      expect(rotate(path, 3)).to.equal(true)
    }
    expect(readFileSync(path, 'utf8')).to.equal('')
    expect([1, 2, 3].map((old) => readFileSync(`${path}.${old}`, 'utf8'))).to.deep.equal([
      'fifth',
      'fourth',
      'third',
    ])
    expect(existsSync(`${path}.4`)).to.equal(false)
    expect(rotate(path, 3), 'a small file stays').to.equal(false)
    rmSync(folder, { recursive: true })
  })
})
