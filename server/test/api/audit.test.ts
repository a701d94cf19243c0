/** What the audit log keeps of changes that come through the API. */
import { expect } from 'chai'
import type { AuditEntry } from '../../src/infrastructure/database/audit-entry.entity.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { acl, gateway, startUnlimited, succeed } from './fixtures.js'

describe('changes through the API', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace

  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  const entriesOf = async (id: string): Promise<AuditEntry[]> =>
    query(appliance, 'SELECT * FROM audit_log WHERE target_id = ? ORDER BY id', [id])
  const count = async (): Promise<number> =>
    (await query(appliance, 'SELECT COUNT(*) AS n FROM audit_log'))[0].n

  it('tell who changed what from what to what', async () => {
    const { api, id } = workspace
    const made = await succeed(api.post('/sip-trunks/acls', acl))
    await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { title: 'Branch' }))
    await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { title: 'Branch' }))
    await succeed(api.delete(`/sip-trunks/acls/${made.id}`))
    const entries = await entriesOf(made.id)
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'inbound_acl.create',
      'inbound_acl.update',
      'inbound_acl.delete',
    ])
    const [, update] = entries
    expect(update).to.include({ workspace_id: id, actor_kind: 'api_key', target_name: 'Branch' })
    expect(update?.actor_id).to.match(/^sid-/)
    expect(update?.ip).to.match(/127\.0\.0\.1$/)
    expect(update?.request_id).to.be.a('string')
    expect(update?.changes).to.deep.equal({ title: { from: 'Office', to: 'Branch' } })
  })

  it('never tell a secret', async () => {
    const credential = { username: 'trunk', password: 'not-for-the-log' }
    const made = await succeed(workspace.api.post('/sip-trunks/gateways', { ...gateway, credential }))
    const changed = { credential: { username: 'trunk', password: 'nor-this' } }
    await succeed(workspace.api.patch(`/sip-trunks/gateways/${made.id}`, changed))
    const entries = await entriesOf(made.id)
    expect(entries[1]?.changes).to.deep.equal({ 'credential.password': { from: '(hidden)', to: '(hidden)' } })
    for (const secret of ['not-for-the-log', 'nor-this']) {
      expect(await tablesHolding(appliance, secret)).to.deep.equal([])
    }
  })

  it('leave no entry when they fail', async () => {
    const before = await count()
    const { status } = await workspace.api.post('/phone-numbers/connect', {
      ...{ title: 'Main', number: '2025550100', country_code: 'US', enable_outbound: false },
      inbound_acl_id: 'acl_unknown',
    })
    expect(status).to.equal(400)
    expect(await count()).to.equal(before)
  })
})
