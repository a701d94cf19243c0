import { expect } from 'chai'
import { isFinal } from '../../src/adapters/freeswitch/hangup-causes.js'

describe('why a leg was not answered', () => {
  const after = (sipCode: number | null, hangupCause = 'NORMAL_UNSPECIFIED') =>
    isFinal({ hangupCause, sipCode })

  it('is the called party’s answer for all of 6xx, also those that came after RFC 3261', () => {
    for (const code of [600, 603, 604, 606, 607, 608, 699]) expect(after(code), String(code)).to.equal(true)
    for (const code of [404, 410, 480, 484, 486, 488]) expect(after(code), String(code)).to.equal(true)
    for (const code of [401, 403, 407, 408, 500, 503, 599]) expect(after(code), String(code)).to.equal(false)
  })

  it('is told by its cause where no status came, or only the switch’s own', () => {
    expect(after(487, 'ORIGINATOR_CANCEL')).to.equal(true)
    expect(after(null, 'NORMAL_TEMPORARY_FAILURE')).to.equal(false)
  })
})
