/** Upgrades to numbers that are verified, and to keys that sign: what worked goes on, and nothing else is let in. */
import { expect } from 'chai'
import type { Database } from '../../src/database/database.js'
import { SigningKeys1790000000095 } from '../../src/database/migrations/0095-signing-keys.js'
import { NumberVerification1790000000111 } from '../../src/database/migrations/0111-number-verification.js'
import { upgraded } from '../support/upgraded.js'

const workspaces = async (database: Database, ...ids: string[]) => {
  for (const id of ids)
    await database.source.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES (?, ?, 'US', NOW(3), NOW(3))`,
      [id, id],
    )
}

describe('the migration to verified numbers', function () {
  this.timeout(60_000)
  const activatedAt = '2026-01-02 03:04:05.678'
  let database: Database

  before(async () => {
    database = await upgraded(NumberVerification1790000000111, async (earlier) => {
      const ids = ['acme', 'globex', 'initech']
      await workspaces(earlier, ...ids)
      for (const id of ids)
        await earlier.source.query(
          `INSERT INTO inbound_acls (id, workspace_id, title, mode, allowed_ips, created_at, updated_at)
           VALUES (?, ?, 'Office', 'ip', '[]', NOW(3), NOW(3))`,
          [`acl_${id}`, id],
        )
      const number = async (
        id: string,
        workspace: string,
        digits: string,
        { status = 'active', is_verified = 0 } = {},
      ) =>
        earlier.source.query(
          `INSERT INTO phone_numbers (id, workspace_id, title, number, country_code, dial_code, status, type, capabilities,
             provider, enable_outbound, inbound_acl_id, record_outbound, fee_per_month, fee_per_mins_call, is_verified,
             created_at, updated_at)
           VALUES (?, ?, 'Main', ?, 'US', '1', ?, 'local', '["voice"]', 'sip', 1, ?, 0, 0, 0, ?, NOW(3), ?)`,
          [id, workspace, digits, status, `acl_${workspace}`, is_verified, activatedAt],
        )
      await number('pn_own', 'acme', '12025550101')
      await number('pn_waiting', 'acme', '12025550102', { status: 'pending' })
      await number('pn_off', 'acme', '12025550103', { status: 'inactive' })
      await number('pn_verified', 'acme', '12025550104', { is_verified: 1 })
      await number('pn_shared', 'acme', '12025550105')
      await number('pn_shared_too', 'globex', '12025550105')
      await number('pn_claimed', 'acme', '12025550106')
      await number('pn_claim', 'globex', '12025550106', { status: 'pending' })
      await number('pn_operators', 'acme', '12025550107', { is_verified: 1 })
      await number('pn_squatted', 'globex', '12025550107')
      await number('pn_third', 'initech', '12025550105', { status: 'inactive' })
    })
  })
  after(async () => database?.close())

  const rows = async () => {
    const found = await database.source.query<
      { id: string; is_verified: number; verified_by: string | null; verified_at: Date | null }[]
    >('SELECT id, is_verified, verified_by, verified_at FROM phone_numbers')
    return new Map(found.map(({ id, ...row }) => [id, row]))
  }

  it('lets numbers go on that were active in one workspace alone, and says that the upgrade did so', async () => {
    const own = (await rows()).get('pn_own')
    expect(own).to.include({ is_verified: 1, verified_by: 'upgrade' })
    expect(own?.verified_at?.getTime()).to.be.closeTo(Date.now(), 120_000)
  })

  it('verifies none that waits, is off, or that several workspaces have connected', async () => {
    const found = await rows()
    for (const id of [
      ...['pn_waiting', 'pn_off', 'pn_shared', 'pn_shared_too', 'pn_third'],
      ...['pn_claimed', 'pn_claim', 'pn_squatted'],
    ])
      expect(found.get(id), id).to.deep.equal({ is_verified: 0, verified_by: null, verified_at: null })
  })

  it('keeps what the operator verified, also where another workspace has the number', async () => {
    const found = await rows()
    for (const id of ['pn_verified', 'pn_operators']) {
      expect(found.get(id), id).to.include({ is_verified: 1, verified_by: 'operator' })
      expect(found.get(id)?.verified_at?.toISOString(), id).to.equal(`${activatedAt.replace(' ', 'T')}Z`)
    }
  })
})

describe('the migration to keys that sign client tokens', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    database = await upgraded(SigningKeys1790000000095, async (earlier) => {
      await workspaces(earlier, 'acme')
      for (const scope of ['full', 'any'])
        for (const role of ['owner', 'editor', 'viewer'])
          await earlier.source.query(
            `INSERT INTO api_keys (sid, workspace_id, title, scope, role, secret, created_at)
             VALUES (?, 'acme', '', ?, ?, 'sealed', NOW(3))`,
            [`sid-${scope}-${role}`, scope, role],
          )
    })
  })
  after(async () => database?.close())

  it('lets those keys sign that may write, and no others', async () => {
    const signing = await database.source.query<{ sid: string }[]>(
      'SELECT sid FROM api_keys WHERE signs_clients = 1 ORDER BY sid',
    )
    expect(signing.map(({ sid }) => sid)).to.deep.equal(['sid-full-editor', 'sid-full-owner'])
  })
})
