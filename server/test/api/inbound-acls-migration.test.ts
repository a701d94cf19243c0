/** What Kamailio compares callers with, for ACLs that were there before it did. */
import { expect } from 'chai'
import type { Database } from '../../src/database/database.js'
import { InboundAclAddresses1790000000014 } from '../../src/database/migrations/0014-inbound-acl-addresses.js'
import { rangeOf } from '../../src/hosts.js'
import { upgraded } from '../support/upgraded.js'

describe('the migration to addresses of inbound ACLs', function () {
  this.timeout(60_000)
  const entries = [
    ...['192.0.2.1', '192.0.2.77/24', '10.0.0.0/8', '172.16.0.0/16', '0.0.0.0/0', '255.255.255.255/32'],
    ...[
      '2001:DB8::1',
      '2001:db8::1/32',
      '2001:db8::/31',
      '::/0',
      '::1/127',
      '::ffff:192.0.2.9',
      '::ffff:0:0/96',
    ],
  ]
  let database: Database

  before(async () => {
    database = await upgraded(InboundAclAddresses1790000000014, async (earlier) => {
      await earlier.source.query(
        `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
      )
      const insert = `INSERT INTO inbound_acls VALUES (?, 'acme', 'x', ?, ?, NOW(3), NOW(3))`
      for (const [index, entry] of entries.entries()) {
        await earlier.source.query(insert, [`acl_${index}`, 'ip', JSON.stringify([entry])])
      }
      await earlier.source.query(insert, ['acl_both', 'ip', '["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"]'])
      await earlier.source.query(insert, ['acl_names', 'domain', '["SIP.carrier.test", "other.test"]'])
    })
  })
  after(async () => database?.close())

  const addressesOf = async (acl: string) =>
    database.source.query<{ first_address: Buffer; last_address: Buffer; is_wide: number }[]>(
      'SELECT first_address, last_address, is_wide FROM inbound_acl_addresses WHERE acl_id = ?',
      [acl],
    )

  it('writes the same ranges as the server does for new ones', async () => {
    for (const [index, entry] of entries.entries()) {
      const { first, last, isWide } = rangeOf(entry)
      const [row, ...more] = await addressesOf(`acl_${index}`)
      expect(more).to.deep.equal([])
      expect([row?.first_address.toString('hex'), row?.last_address.toString('hex')], entry).to.deep.equal([
        first.toString('hex'),
        last.toString('hex'),
      ])
      expect(Boolean(row?.is_wide), entry).to.equal(isWide)
    }
  })

  it('takes an address that is in an ACL twice once', async () => {
    expect(await addressesOf('acl_both')).to.have.length(2)
  })

  it('has names resolved at once', async () => {
    const hosts = await database.source.query(
      `SELECT acl_id, host, resolved_at FROM inbound_acl_hosts WHERE due_at <= NOW(3) + INTERVAL 1 MINUTE ORDER BY host`,
    )
    expect(hosts).to.deep.equal(
      ['other.test', 'sip.carrier.test'].map((host) => ({ acl_id: 'acl_names', host, resolved_at: null })),
    )
  })
})

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
