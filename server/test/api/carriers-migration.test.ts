/** Carriers that were there before each number said what it is, and parts of texts that were waiting then. */
import { expect } from 'chai'
import { CarrierSettings } from '../../src/messages/carriers/carrier-settings.js'
import type { Carrier } from '../../src/messages/carriers/carrier.entity.js'
import { joined } from '../../src/messages/inbound/long-texts.js'
import type { Database } from '../../src/database/database.js'
import { CodedParts1790000000145 } from '../../src/database/migrations/0145-coded-parts.js'
import { upgraded } from '../support/upgraded.js'

const kept = {
  ...{ host: 'smsc.example.com', source_ton: 1, source_npi: 1, destination_ton: 1, destination_npi: 8 },
  number_format: 'plus',
}

describe('the migration to types of numbers', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    database = await upgraded(CodedParts1790000000145, async ({ source }) => {
      for (const [id, kind, settings] of [
        ['car_smpp', 'smpp', kept],
        ['car_http', 'http', { url: 'https://sms.example/', number_format: 'digits' }],
      ] as const) {
        await source.query(
          `INSERT INTO carriers (id, title, kind, settings, secrets, window_size, throughput, created_at, updated_at)
           VALUES (?, ?, ?, ?, '', 10, 100, NOW(3), NOW(3))`,
          [id, id, kind, JSON.stringify(settings)],
        )
      }
      await source.query(
        `INSERT INTO inbound_segments (id, carrier_id, bind_id, from_number, to_number, fingerprint, reference, segment,
           total, body, received_at)
         VALUES ('evt_1', 'car_smpp', 'evt_0', '1', '2', '', 7, 0, 2, ?, NOW(3))`,
        [Buffer.from('0041d83d', 'hex')],
      )
    })
  })
  after(async () => database?.close())

  it('leaves what was set otherwise, and carriers have the new settings too', async () => {
    const rows = await database.source.query<Pick<Carrier, 'id' | 'kind' | 'settings'>[]>(
      'SELECT id, kind, settings FROM carriers ORDER BY id DESC',
    )
    const sealed = { open: () => '{"password": "", "headers": {}, "inbound_secret": ""}' }
    const settings = new CarrierSettings(sealed as never, undefined as never)
    const [smpp, http] = rows.map((row) => settings.full(row as Carrier))
    expect(smpp).to.include({
      ...{ ...kept, source_ton: null, source_npi: null, destination_ton: null, destination_npi: 8 },
      ...{ country: '', inbound_number_format: 'auto', inbound_ascii_data_coding: 'ascii' },
    })
    expect(http).to.include({ number_format: 'digits', country: '', inbound_number_format: 'auto' })
  })

  it('keeps the parts of texts that wait', async () => {
    const parts = await database.source.query<Parameters<typeof joined>[0]>('SELECT * FROM inbound_segments')
    const rest = { segment: 1, total: 2, coding: 'ucs2', body: Buffer.from('de00', 'hex') }
    expect(joined([...parts, rest])).to.equal('A😀')
  })
})
