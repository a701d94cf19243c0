import { expect } from 'chai'
import { rangeOf } from '../../src/lib/hosts.js'

describe('ranges of addresses', () => {
  it('are wide when they hold more than an IPv4 /16 or an IPv6 /32', () => {
    for (const [entry, wide] of [
      ['192.0.2.1', false],
      ['10.1.0.0/16', false],
      ['10.0.0.0/15', true],
      ['::ffff:10.0.0.0/112', false],
      ['::ffff:10.0.0.0/111', true],
      ['::/64', true],
      ['2001:db8::/32', false],
      ['2001:db8::/31', true],
    ] as const)
      expect(rangeOf(entry).isWide, entry).to.equal(wide)
  })
})
