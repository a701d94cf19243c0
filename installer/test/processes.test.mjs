import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endRunning, readTail, run } from '../processes.mjs'

describe('a program that is run to its end', function () {
  this.timeout(20_000)
  /** @type {string} */
  let folder
  /** @type {string} */
  let log
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-run-'))
    log = join(folder, 'log')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** @param {string} script */
  const shell = async (script) =>
    run('sh', ['-c', script], { log, cwd: folder, deadlineMs: 10_000, what: 'the test' })

  it('is started again when a signal ends it as it starts', async () => {
    const { code, output } = await shell('echo begun; [ -e once ] && exit 3; touch once; kill -TERM $$')
    expect({ code, output }).to.deep.equal({ code: 3, output: 'begun\nbegun\n' })
  })

  it('is not started again once it is interrupted', async () => {
    const ended = shell('echo begun; exec sleep 9')
    for (const until = Date.now() + 5_000; readTail(log) === '' && Date.now() < until;) await sleep(5)
    endRunning()
    expect(await ended).to.deep.equal({ code: 128, output: 'begun\n' })
  })
})
