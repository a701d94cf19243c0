/** Telephone numbers as people write them, without a browser. */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'

interface Numbering {
  e164Of: (text: string, country: string | undefined) => string
  nationalOf: (text: string, country: string) => string
  isNational: (text: string) => boolean
}

describe('Numbers in forms', () => {
  let numbering: Numbering
  before(async () => {
    const path = fileURLToPath(new URL('../../src/api/numbering.ts', import.meta.url))
    numbering = (await runnerImport<Numbering>(path, { logLevel: 'error', configFile: false })).module
  })

  for (const [text, country, sent] of [
    ['0221 / 123 45 67', 'DE', '+492211234567'],
    ['(202) 555-0123', 'US', '+12025550123'],
    ['1 202 555 0123', 'US', '+12025550123'],
    ['011 44 20 7183 8750', 'US', '+442071838750'],
    ['+1 (202) 555–0123', 'DE', '+12025550123'],
    ['0151.23456789', 'DE', '+4915123456789'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    // Other digits than those of a national number are not guessed at.
    ['442071838750', 'US', '442071838750'],
    ['(202) 555-0123', undefined, '2025550123'],
    ['72345', 'US', '72345'],
    ['client:jane-doe', 'US', 'client:jane-doe'],
    ['  nonsense ', 'US', 'nonsense'],
    ['', 'US', ''],
  ] as const) {
    it(`should send ${sent || 'nothing'} for “${text}” in ${country ?? 'no country'}`, () => {
      expect(numbering.e164Of(text, country)).to.equal(sent)
    })
  }

  it('should find the national number beside a field for the country', () => {
    for (const text of ['+49 221 1234567', '0221 1234567', '221/1234567']) {
      expect(numbering.nationalOf(text, 'DE'), text).to.equal('2211234567')
    }
    expect(numbering.nationalOf('+1 202 555 0123', 'DE'), 'of another country').to.equal('+12025550123')
    expect(numbering.nationalOf('12', 'DE')).to.equal('12')
  })

  it('should ask for a country only where one is needed', () => {
    expect(['(202) 555-0123', '+1 202 555 0123', '72345', 'jane'].map(numbering.isNational)).to.eql([
      true,
      false,
      false,
      false,
    ])
  })
})
