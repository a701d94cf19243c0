import { expect } from 'chai'
import { describe, it } from 'mocha'
import { afterAnotherRun } from '../test-results.mjs'

describe('the results of a suite whose failing files ran again', () => {
  it('take a test that passed for flaky, beside one that failed again', () => {
    const failed = ['calls ring (timeout)', 'calls end (no BYE)']
    const again = { passed: ['calls ring', 'calls park'], failed: ['calls end (no BYE)'] }
    expect(afterAnotherRun(failed, again)).to.deep.equal({
      failed: ['calls end (no BYE)'],
      flaky: ['calls ring (timeout)'],
    })
  })

  it('keep what failed in no test of its own until a whole run is clean', () => {
    const failed = ['calls: ring left processes running: 7 sox']
    expect(afterAnotherRun(failed, { passed: ['calls ring'], failed: [] })).to.deep.equal({
      failed: [],
      flaky: failed,
    })
    const again = { passed: [], failed: ['calls end (no BYE)'] }
    expect(afterAnotherRun(failed, again)).to.deep.equal({
      failed: [...again.failed, ...failed],
      flaky: [],
    })
  })

  it('keep both errors of a test that failed otherwise than before', () => {
    const again = { passed: [], failed: ['calls end (503)'] }
    expect(afterAnotherRun(['calls end (no BYE)'], again).failed).to.deep.equal([
      'calls end (503)',
      'calls end (no BYE)',
    ])
  })
})
