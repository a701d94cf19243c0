import { expect } from 'chai'
import { describe, it } from 'mocha'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

describe('Debian packages', () => {
  it('are those of Debian 12 or 13, where a library has another name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-packages-'))
    try {
      // what dpkg-query of Debian 13 says, of which there is one on another machine only
      const said = "printf '%s\\n' 'libsecsipid1t64 installed' 'ffmpeg installed' 'sox not-installed'"
      writeFileSync(join(folder, 'dpkg-query'), `#!/bin/sh\n${said}\n`, { mode: 0o755 })
      const module = new URL('../packages.mjs', import.meta.url).href
      const script = `import { missingPackages } from '${module}'
        console.log(missingPackages(['libsecsipid1', 'ffmpeg', 'sox', 'jq']).join())`
      const missing = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        ...{ encoding: 'utf8', env: { PATH: `${folder}:${process.env['PATH']}` } },
      })
      expect(missing).to.equal('sox,jq\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
