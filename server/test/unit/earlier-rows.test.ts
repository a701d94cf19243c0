/** Rows that were written before a setting or an alphabet was stored with them. */
import { expect } from 'chai'
import { CarrierSettings } from '../../src/features/messages/carriers/carrier-settings.js'
import type { Carrier } from '../../src/features/messages/carriers/carrier.entity.js'
import { joined } from '../../src/features/messages/inbound/long-texts.js'

describe('rows without later columns', () => {
  it('of carriers keep what is set, and have the other settings, too', () => {
    const kept = {
      ...{ host: 'smsc.example.com', source_ton: null, source_npi: null },
      ...{ destination_ton: null, destination_npi: 8, number_format: 'plus' },
    }
    const sealed = { open: () => '{"password": "", "headers": {}, "inbound_secret": ""}' }
    const settings = new CarrierSettings(sealed as never, undefined as never)
    const [smpp, http] = [
      { id: 'car_smpp', kind: 'smpp', settings: kept },
      { id: 'car_http', kind: 'http', settings: { url: 'https://sms.example/', number_format: 'digits' } },
    ].map((row) => settings.full(row as unknown as Carrier))
    expect(smpp).to.include({
      ...kept,
      ...{ country: '', inbound_number_format: 'auto', inbound_ascii_data_coding: 'ascii' },
    })
    expect(http).to.include({ number_format: 'digits', country: '', inbound_number_format: 'auto' })
  })

  it('of parts of texts are read as UTF-16BE', () => {
    const part = { segment: 0, total: 2, coding: null, body: Buffer.from('0041d83d', 'hex') }
    const rest = { segment: 1, total: 2, coding: 'ucs2', body: Buffer.from('de00', 'hex') }
    expect(joined([part, rest] as Parameters<typeof joined>[0])).to.equal('A😀')
  })
})
