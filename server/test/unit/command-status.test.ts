import { expect } from 'chai'
import type { Refusals } from '../../src/adapters/sms/link.js'
import { refusalKind } from '../../src/adapters/sms/kinds/smpp/command-status.js'

describe('command_status of refusals', () => {
  it('means what SMPP says, or what the carrier means by it', () => {
    const refusals: Refusals = {
      '0x401': 'opted_out',
      '1026': 'destination',
      '0x00000014': 'throttled',
      'err:045': 'opted_out',
    }
    expect(refusalKind(0x401, refusals)).to.equal('opted_out')
    expect(refusalKind(1026, refusals)).to.equal('destination')
    expect(refusalKind(0x14, refusals)).to.equal('throttled')
    expect(refusalKind(0x14, {})).to.equal('destination')
    expect(refusalKind(0x0b, refusals)).to.equal('permanent')
    expect(refusalKind(0x403, refusals)).to.equal('carrier')
    // A code of receipts is no command_status.
    expect(refusalKind(45, refusals)).to.equal(refusalKind(45, {})).and.not.equal('opted_out')
  })
})
