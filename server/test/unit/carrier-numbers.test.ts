/** Numbers as carriers write them are read as ours, and ours written as theirs: never as another's. */
import { expect } from 'chai'
import {
  NUMBER_DEFAULTS,
  type NumberSettings,
  type NumberType,
  writeNumber,
} from '../../src/adapters/sms/numbers.js'
import { recipientsOf, senderOf, written } from '../../src/features/messages/inbound/parties.js'

const from = (text: string, type: NumberType, country: string, numbers: Partial<NumberSettings> = {}) =>
  senderOf(written(text, type, { ...NUMBER_DEFAULTS, ...numbers }), country)

describe('numbers of carriers', () => {
  const senders: [text: string, type: NumberType, country: string, number: string][] = [
    ['12025550177', 'international', 'US', '12025550177'],
    ['+12025550177', 'national', 'DE', '12025550177'],
    ['2025550177', 'national', 'US', '12025550177'],
    ['02025550178', 'national', 'US', '12025550178'],
    ['12025550178', 'national', 'US', '12025550178'],
    ['2025550181', 'unknown', 'US', '12025550181'],
    ['12025550181', 'unknown', 'US', '12025550181'],
    ['0012025550181', 'unknown', 'DE', '12025550181'],
    ['01112025550181', 'unknown', 'US', '12025550181'],
    ['011447700900123', 'international', 'US', '447700900123'],
    ['00447700900123', 'international', 'GB', '447700900123'],
    ['0447700900123', 'international', 'GB', '447700900123'],
    ['07700900123', 'national', 'GB', '447700900123'],
    ['7700900123', 'national', 'GB', '447700900123'],
    ['07700900123', 'unknown', 'GB', '447700900123'],
    ['447700900123', 'unknown', 'GB', '447700900123'],
    ['447700900123', 'unknown', 'US', '447700900123'],
    ['4915112345678', 'unknown', 'DE', '4915112345678'],
    ['491711234567', 'unknown', 'DE', '491711234567'],
    ['005511987654321', 'unknown', 'BR', '5511987654321'],
    ['015112345678', 'unknown', 'DE', '4915112345678'],
    ['15112345678', 'national', 'DE', '4915112345678'],
    ['0236618300', 'national', 'IT', '390236618300'],
    ['3912345678', 'national', 'IT', '393912345678'],
    ['(202) 555-0177', 'unknown', 'US', '12025550177'],
    // Short codes and names stand as they are.
    ['72345', 'abbreviated', 'US', '72345'],
    ['72345', 'international', 'US', '72345'],
    ['AMAZON', 'alphanumeric', 'US', 'AMAZON'],
    ['', 'unknown', 'US', 'unknown'],
    // What cannot be read is nobody's number.
    ['447700900123', 'national', 'US', '#447700900123'],
    ['2025550177', 'network', 'US', '#2025550177'],
    ['5550177', 'subscriber', 'US', '#5550177'],
    ['5550177', 'unknown', 'US', '#5550177'],
    ['12025550177', 'alphanumeric', 'US', '#12025550177'],
    ['999999999999999999999', 'unknown', 'US', '#9999999999999999999'],
  ]
  for (const [text, type, country, number] of senders) {
    it(`are read: ${text} (${type}) in ${country} is ${number}`, () => {
      expect(from(text, type, country)).to.equal(number)
      expect(from(text, type, 'FR', { country })).to.equal(number)
    })
  }

  it('are read as the carrier’s settings say, whatever their type', () => {
    expect(from('2025550177', 'national', 'US', { inbound_number_format: 'e164' })).to.equal('2025550177')
    expect(from('12025550177', 'alphanumeric', 'US', { inbound_number_format: 'e164' })).to.equal(
      '12025550177',
    )
    expect(from('2025550177', 'international', 'US', { inbound_number_format: 'national' })).to.equal(
      '12025550177',
    )
    expect(from('+447700900123', 'unknown', 'US', { inbound_number_format: 'national' })).to.equal(
      '447700900123',
    )
    const prefix = { inbound_number_prefix: '99' }
    expect(from('9912025550177', 'unknown', 'US', prefix)).to.equal('12025550177')
    expect(from('992025550177', 'national', 'US', prefix)).to.equal('12025550177')
    expect(from('12025550177', 'unknown', 'US', prefix)).to.equal('12025550177')
    expect(from('9#12025550177', 'unknown', 'US', { inbound_number_prefix: '9#' })).to.equal('12025550177')
  })

  it('of ours are found by their type first, in each country that the carrier has', () => {
    const to = (text: string, type: NumberType, countries: string[], country = '') =>
      recipientsOf(written(text, type, { ...NUMBER_DEFAULTS, country }), countries)
    expect(to('3055550123', 'national', ['US'])[0]).to.eql(['13055550123'])
    expect(to('3055550123', 'international', ['US'])).to.eql([[], ['13055550123']])
    expect(to('6598234567', 'international', ['US'])).to.eql([['6598234567'], ['6598234567', '16598234567']])
    expect(to('3055550123', 'national', ['US', 'GR'])[0]).to.include('13055550123')
    expect(to('03055550123', 'unknown', ['US'])[0]).to.eql(['13055550123'])
    expect(to('01113055550123', 'unknown', ['US'])[0]).to.eql(['13055550123'])
    expect(to('72345', 'unknown', [])).to.eql([['72345']])
    expect(to('ACME', 'alphanumeric', [])).to.eql([['ACME']])
    expect(to('', 'unknown', ['US'])).to.eql([])
    expect(to('12025550100', 'unknown', [])[0]).to.eql(['12025550100'])
    expect(to('7700900123', 'national', ['US'], 'GB')[0]).to.eql(['447700900123'])
  })

  const formats: [Partial<NumberSettings>, party: string, text: string, type: NumberType][] = [
    [{}, '447700900123', '447700900123', 'international'],
    [{ number_format: 'plus' }, '447700900123', '+447700900123', 'international'],
    [{ number_format: 'international_00' }, '447700900123', '00447700900123', 'unknown'],
    [{ number_format: 'international_011' }, '447700900123', '011447700900123', 'unknown'],
    [{ number_format: 'prefix', number_prefix: '99#' }, '447700900123', '99#447700900123', 'unknown'],
    [{ number_format: 'national' }, '447700900123', '7700900123', 'national'],
    [{ number_format: 'national_trunk' }, '447700900123', '07700900123', 'national'],
    [{ number_format: 'national', country: 'US' }, '12025550177', '2025550177', 'national'],
    [{ number_format: 'national_trunk', country: 'US' }, '12025550177', '2025550177', 'national'],
    [{ number_format: 'national' }, '390236618300', '390236618300', 'international'],
    [{ number_format: 'national', country: 'IT' }, '390236618300', '0236618300', 'national'],
    [{ number_format: 'national', country: 'US' }, '447700900123', '447700900123', 'international'],
    [{ number_format: 'national' }, '72345', '72345', 'abbreviated'],
    [{ number_format: 'plus' }, 'ACME', 'ACME', 'alphanumeric'],
  ]
  for (const [settings, party, text, type] of formats) {
    it(`of ours go out: ${party} by ${JSON.stringify(settings)} as ${text}`, () => {
      const out = writeNumber(party, { ...NUMBER_DEFAULTS, ...settings }, 'GB')
      expect(out).to.include({ text, type })
      expect(out.needsType).to.equal(settings.number_format === 'national' && type === 'international')
    })
  }

  it('are the same after going out and coming in, in all formats', () => {
    const ours = [
      '12025550177',
      '447700900123',
      '4915112345678',
      '390236618300',
      '33612345678',
      '5511987654321',
    ]
    for (const party of ours) {
      for (const country of ['US', 'GB', 'DE', 'IT', 'FR', 'BR']) {
        for (const number_format of [
          'digits',
          'plus',
          'international_00',
          'national',
          'national_trunk',
        ] as const) {
          const { text, type } = writeNumber(party, { ...NUMBER_DEFAULTS, country, number_format }, country)
          expect(from(text, type, country), `${party} in ${country} as ${number_format}: ${text}`).to.equal(
            party,
          )
        }
      }
    }
  })
})
