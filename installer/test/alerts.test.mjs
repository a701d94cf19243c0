import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../settings.mjs'

const folder = join(ROOT, 'installer/monitoring')

/** @param {string[]} args */
const promtool = (...args) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })

describe('the alerts of Prometheus', function () {
  this.timeout(70_000)
  before(function () {
    // Of the package `prometheus`, which CI installs.
    if (promtool('--version').error) this.skip()
  })

  it('are valid rules', () => {
    const { status, stdout, stderr } = promtool('check', 'rules', 'alerts.yml')
    expect(status, stdout + stderr).to.equal(0)
  })

  it('fire when they should, and not before', () => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'alerts.test.yml')
    expect(status, stdout + stderr).to.equal(0)
  })
})
