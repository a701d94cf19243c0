import { expect } from 'chai'
import { withLookAlikes } from '../../src/adapters/sms/text/plain.js'

describe('look-alikes', () => {
  it('stand in place of what GSM-7 lacks, where that spares UCS-2', () => {
    expect(withLookAlikes('It’s “fine” – really… ok\u00a0\u200b\tnow')).to.equal(
      `It's "fine" - really... ok  now`,
    )
    expect(withLookAlikes('«Grüße» €')).to.equal('"Grüße" €')
    expect(withLookAlikes('It’s Привет')).to.equal('It’s Привет')
    expect(withLookAlikes('👍🏽 it’s')).to.equal('👍🏽 it’s')
  })
})
