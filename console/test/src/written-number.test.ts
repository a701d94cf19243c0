/** Telephone numbers as people write them, without a browser; `api/written-numbers` holds in which country they are read. */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import * as library from 'libphonenumber-js/min'
import { runnerImport } from 'vite'
import { describedNodes } from '../../../server/dist/src/features/call-flows/nodes/described.js'
import { modelOf } from './support/models.js'

interface Model {
  writtenNumber: (text: string) => string
  withWrittenNumbers: <T>(values: T, fields: readonly (keyof T)[]) => T
}

interface Plans {
  withCodeOf: (library: object, text: string, country: string | null) => object | null
}

interface Step {
  id: string
  type: string
  params: object
  next: object
}

interface StepKinds {
  learnKinds: (types: readonly object[]) => void
  sentSteps: (steps: readonly Step[]) => Step[]
}

async function moduleOf<Module>(name: string): Promise<Module> {
  const path = fileURLToPath(new URL(`../../src/api/${name}.ts`, import.meta.url))
  return (await runnerImport<Module>(path, { logLevel: 'error', configFile: false })).module
}

describe('Numbers in forms', () => {
  let model: Model
  before(async () => {
    model = await moduleOf<Model>('written-number')
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

describe('Numbers with a country code', () => {
  let read: (text: string, country: string | null) => object | null
  before(async () => {
    const { withCodeOf } = await moduleOf<Plans>('numbering-plans')
    read = (text, country) => withCodeOf(library, text, country)
  })

  for (const [text, chosen, country, number] of [
    ['+49 30 123456', 'US', 'DE', '30123456'],
    ['+49 (0)30 123456', null, 'DE', '30123456'],
    ['011 49 30 123456', 'US', 'DE', '30123456'],
    ['00 44 20 7183 8750', 'US', 'GB', '2071838750'],
    ['0049 30 123456', 'DE', 'DE', '30123456'],
    ['+1 (416) 555-0123', 'US', 'CA', '4165550123'],
    ['+39 06 1234 5678', 'DE', 'IT', '0612345678'],
  ] as const) {
    it(`should be of ${country} for “${text}”, whatever is chosen`, () => {
      expect(read(text, chosen)).to.eql({ country, number })
    })
  }

  for (const [text, chosen] of [
    ['(202) 555-0123', 'US'],
    ['1 202 555 0123', 'US'],
    ['030 123456', 'DE'],
    ['49 30 123456', 'DE'],
    ['+49', 'DE'],
    ['nonsense', 'DE'],
    ['', null],
  ] as const) {
    it(`should not be seen in “${text}”`, () => {
      expect(read(text, chosen)).to.equal(null)
    })
  }
})

describe('Numbers in steps of flows', () => {
  const sent = (kinds: StepKinds, type: string, params: object) =>
    kinds.sentSteps([{ id: 'it', type, params, next: {} }])[0]!.params

  it('should be sent without separators, wherever a schema has one, and nothing else', async () => {
    const kinds = await modelOf<StepKinds>('step-kinds')
    kinds.learnKinds(describedNodes)
    const [written, digits] = ['0221 / 123 45 67', '02211234567']
    expect(sent(kinds, 'to_operator', { phone_number: written, from: written })).to.eql({
      ...{ phone_number: digits, from: digits },
    })
    const named = { number: written, name: written }
    expect(sent(kinds, 'to_operator', { to: named, from: named, timeout: 30 })).to.eql({
      ...{ to: { ...named, number: digits }, from: { ...named, number: digits }, timeout: 30 },
    })
    expect(sent(kinds, 'to_operator', { phone_number: 'sip:jane-doe@example.com' })).to.eql({
      phone_number: 'sip:jane-doe@example.com',
    })
    expect(sent(kinds, 'send_message', { from: written, to: written, body: written })).to.eql({
      ...{ from: digits, to: digits, body: written },
    })
    expect(sent(kinds, 'a_newer_type', { to: written })).to.eql({ to: written })
  })
})
