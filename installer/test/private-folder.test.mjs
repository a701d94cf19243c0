import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { privateFolder } from '../private-folder.mjs'

describe('folders of media and logs', () => {
  it('are closed to other users, new and old ones, and never opened further', () => {
    const home = mkdtempSync(join(tmpdir(), 'jackfield-folders-'))
    const modeOf = (/** @type {string} */ name) => statSync(join(home, name)).mode & 0o777
    try {
      privateFolder(join(home, 'new'))
      expect(modeOf('new') & 0o007).to.equal(0)
      chmodSync(join(home, 'new'), 0o755)
      privateFolder(join(home, 'new'))
      expect(modeOf('new')).to.equal(0o750)
      chmodSync(join(home, 'new'), 0o700)
      privateFolder(join(home, 'new'))
      expect(modeOf('new')).to.equal(0o700)
    } finally {
      rmSync(home, { recursive: true })
    }
  })
})
