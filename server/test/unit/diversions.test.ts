/** What headers say of who forwarded a call. */
import { expect } from 'chai'
import { diversionHeader, diversionsOf, historyHeader } from '../../src/features/calls/model/diversions.js'

const called = '+12025550199'
const read = (user: string) => user.replace(/[^0-9A-Za-z+]/g, '')
const of = (heads: { diversion?: string; history?: string }) => diversionsOf(heads, called, read)
const written = { write: (number: string) => number, domain: 'here.test' }

describe('diversions', () => {
  for (const [diversion, expected] of [
    ['', []],
    ['garbage', []],
    ['<sip:anonymous@anonymous.invalid>', [[null, 'unknown']]],
    ['sip:+1212@a.test;reason=away', [['+1212', 'away']]],
    ['"a, <b>" <sip:%2B1212;npdi@a.test>;reason="user-busy"', [['+1212', 'user-busy']]],
    ['"\\"," <tel:+1-212>;privacy="name"', [[null, 'unknown']]],
    ['<sip:+1212@a.test>;privacy=off;reason=odd', [['+1212', 'unknown']]],
    [`<sip:${called}@a.test>, <sips:+1@a.test>`, [['+1', 'unknown']]],
    [Array(50).fill('<sip:+1@a.test>').join(','), Array(5).fill(['+1', 'unknown'])],
    [`<sip:${'<'.repeat(5_000)}`, []],
    ['<sip:%E0%A4%A@a.test>', [['E0A4A', 'unknown']]],
  ] as [string, [string | null, string][]][])
    it(`are read from ${diversion.slice(0, 60) || 'nothing'}`, () => {
      expect(of({ diversion }).map(({ number, reason }) => [number, reason])).to.deep.equal(expected)
    })

  it('are read from History-Info where there is no Diversion', () => {
    const history = `<sip:+1@a.test?Reason=SIP>;index=1,<sip:+2@a.test;cause=486>;index=1.1,<sip:${called}@a.test>;index=1.2`
    expect(of({ history })).to.deep.equal([
      { number: '+2', reason: 'unknown' },
      { number: '+1', reason: 'user-busy' },
    ])
    expect(of({ history, diversion: '<sip:+3@a.test>' })).to.deep.equal([{ number: '+3', reason: 'unknown' }])
  })

  it('cost no more than linear time', () => {
    for (const part of ['<', '"', ',', '"\\', '<sip:', ' ', 'a;'])
      for (const head of ['diversion', 'history']) {
        const began = performance.now()
        of({ [head]: part.repeat(100_000) })
        expect(performance.now() - began, `${head} ${part}`).to.be.below(500)
      }
  })

  it('are written so that nothing of them ends an address', () => {
    const odd = [{ number: '+1>;x=@', reason: 'unconditional' }]
    expect(diversionHeader(odd, written)).to.equal('<sip:+1x@here.test>;reason=unconditional;counter=1')
    expect(historyHeader(odd, '+2', written)).to.equal(
      '<sip:+1x@here.test>;index=1, <sip:+2@here.test;cause=302>;index=1.1',
    )
  })
})
