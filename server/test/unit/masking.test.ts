/** A person's number is found however people write it, and nothing else is taken for it. */
import { expect } from 'chai'
import { Masking } from '../../src/features/retention/erasures/masking.js'

const masking = new Masking({ numbers: ['12025550142', '4917112345678'], clients: ['anna', 'max.m'] })

describe('the masking of a person', () => {
  it('hides a number in each way in which people write it', () => {
    for (const text of [
      ...['+12025550142', '12025550142', '0012025550142', '2025550142', '02025550142'],
      ...['+1 (202) 555-0142', '+1-202-555-0142', '202.555.0142', '(202) 555-0142', '1 202 555 0142'],
    ]) {
      expect(masking.textWithout(`Call ${text}, please`), text).to.equal('Call +12•••••••42, please')
      expect(masking.isNamedIn(text), text).to.equal(true)
    }
    for (const text of ['+49 171 12345678', '0171/12345678', '+49 (0) 171 1234 5678', '0049 171 12345678'])
      expect(masking.textWithout(text), text).to.equal('+49•••••••••78')
  })

  it('leaves other numbers and clients alone', () => {
    for (const text of ['+12025550143', '120255501420', '912025550142', '20255 50', 'anna', 'client:anna.b'])
      expect(masking.isNamedIn(text), text).to.equal(false)
    expect(masking.textWithout('client:anna, client:annabel')).to.equal('client:a•••, client:annabel')
    expect(masking.textWithout('client:maxim client:max.m')).to.equal('client:maxim client:m••••')
  })

  it('goes through all of a JSON value', () => {
    const value = { to: ['client:anna', { number: 12025550142 }], note: null, count: 7 }
    expect(masking.without(value)).to.deep.equal({
      ...{ to: ['client:a•••', { number: '+12•••••••42' }], note: null, count: 7 },
    })
  })

  it('takes time in proportion to the text', () => {
    for (const part of ['1 2 0 2 5 5 5 0 1 4 ', '+1 (', '0', 'client:', '1202555014 ']) {
      const timed = (length: number) => {
        const text = part.repeat(length / part.length)
        const begun = performance.now()
        masking.textWithout(text)
        return performance.now() - begun
      }
      timed(100_000)
      expect(timed(1_000_000), part).to.be.below(1_500)
    }
  })
})
