/** Gateways that were there before it mattered whose carrier is where. */
import { expect } from 'chai'
import type { Database } from '../../src/database/database.js'
import { GatewayAddresses1790000000080 } from '../../src/database/migrations/0080-gateway-addresses.js'
import { upgraded } from '../support/upgraded.js'

describe('the migration to addresses of gateways', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    database = await upgraded(GatewayAddresses1790000000080, async (earlier) => {
      await earlier.source.query(
        `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
      )
      const uris = [
        { uri: 'SIP.Carrier.example', port: 5060, protocol: 'udp', priority: 1 },
        { uri: 'sip.carrier.example', port: 5060, protocol: 'tcp', priority: 2 },
        { uri: '::ffff:8.8.8.8', port: 5061, protocol: 'tls', priority: 3 },
        { uri: 'carrier.sandbox', port: 5060, protocol: 'udp', priority: 4 },
      ]
      await earlier.source.query(
        `INSERT INTO outbound_gateways (id, workspace_id, title, outbound_caller_id, outbound_uris, created_at, updated_at)
       VALUES ('gw_1', 'acme', 'Carrier', '+12025550199', ?, NOW(3), NOW(3))`,
        [JSON.stringify(uris)],
      )
    })
  })
  after(async () => database?.close())

  it('approves them as they are, and knows where they lead, names as soon as they are looked up', async () => {
    const [gateway] = await database.source.query<{ is_approved: number }[]>(
      'SELECT is_approved FROM outbound_gateways',
    )
    expect(gateway?.is_approved).to.equal(1)
    const rows = await database.source.query<object[]>(
      'SELECT workspace_id, host, port, address, due_at IS NULL AS is_known FROM gateway_addresses ORDER BY port',
    )
    expect(rows.map((row) => ({ ...row }))).to.deep.equal([
      { workspace_id: 'acme', host: 'sip.carrier.example', port: 5060, address: '', is_known: 0 },
      { workspace_id: 'acme', host: '8.8.8.8', port: 5061, address: '8.8.8.8', is_known: 1 },
    ])
  })
})
