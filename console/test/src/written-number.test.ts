/** Telephone numbers as people write them, without a browser; `api/written-numbers` holds in which country they are read. */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'

interface Model {
  writtenNumber: (text: string) => string
  withWrittenNumbers: <T>(values: T, fields: readonly (keyof T)[]) => T
}

describe('Numbers in forms', () => {
  let model: Model
  before(async () => {
    const path = fileURLToPath(new URL('../../src/api/written-number.ts', import.meta.url))
    model = (await runnerImport<Model>(path, { logLevel: 'error', configFile: false })).module
  })

  for (const [text, sent] of [
    ['0221 / 123 45 67', '02211234567'],
    ['(202) 555-0123', '2025550123'],
    ['011 44 20 7183 8750', '011442071838750'],
    ['+1 (202) 555–0123', '+12025550123'],
    ['0151.23456789', '015123456789'],
    ['72345', '72345'],
    ['client:jane-doe', 'client:jane-doe'],
    ['jane.doe', 'jane.doe'],
    ['  nonsense ', 'nonsense'],
    ['', ''],
  ] as const) {
    it(`should send ${sent || 'nothing'} for “${text}”`, () => {
      expect(model.writtenNumber(text)).to.equal(sent)
    })
  }

  it('should be read in the fields that hold numbers alone', () => {
    const values = { name: '(202) 555-0123', numbers: ['(202) 555-0123', '72 345'], book: null }
    expect(model.withWrittenNumbers(values, ['numbers', 'book'])).to.eql({
      ...{ name: '(202) 555-0123', numbers: ['2025550123', '72345'], book: null },
    })
  })
})
