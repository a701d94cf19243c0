/** The secret that callbacks are signed with. */
import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { keyWith, startUnlimited, succeed } from './fixtures.js'

describe('the signing secret', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => (appliance = await startUnlimited()))
  beforeEach(async () => (workspace = await appliance.workspace()))
  after(async () => appliance?.stop())

  const path = '/signing-secret'

  it('is told when it is made, and never again', async () => {
    const { api, id } = workspace
    expect(await succeed(api.get(path))).to.deep.equal({ workspace_id: id, created_at: null })
    const { secret, ...first } = await succeed(api.post(`${path}/rotate`))
    expect(secret).to.match(/^cbsec_[\w-]{43}$/)
    expect(await succeed(api.get(path))).to.deep.equal(first)
    const { secret: second, ...other } = await succeed(api.post(`${path}/rotate`))
    expect(second).not.to.equal(secret)
    expect(await succeed(api.get(path))).to.deep.equal(other)
    for (const one of [secret, second]) expect(await tablesHolding(appliance, one)).to.deep.equal([])
  })

  it('is one a workspace, and its changes are in the audit log', async () => {
    const other = await appliance.workspace()
    await succeed(workspace.api.post(`${path}/rotate`))
    expect((await succeed(other.api.get(path))).created_at).to.equal(null)
    const entries = (await succeed(workspace.api.get('/audit-log'))).data
    expect(entries.map(({ action }: { action: string }) => action)).to.include('signing_secret.rotate')
    const [entry] = entries.filter(({ action }: { action: string }) => action === 'signing_secret.rotate')
    expect(entry.changes).to.deep.equal({ secret: { to: '(hidden)' } })
  })

  it('is for owners', async () => {
    for (const role of ['editor', 'viewer']) {
      const api = await keyWith(workspace, { scope: 'full', role })
      expect((await api.get(path)).status, role).to.equal(403)
      expect((await api.post(`${path}/rotate`)).status, role).to.equal(403)
    }
  })

  it('goes with its workspace', async () => {
    await succeed(workspace.api.post(`${path}/rotate`))
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    const rows = await query(appliance, 'SELECT * FROM signing_secrets WHERE workspace_id = ?', [
      workspace.id,
    ])
    expect(rows).to.deep.equal([])
  })

  it('is one, however many ask for it at once', async () => {
    const secrets = await Promise.all(
      Array.from({ length: 10 }, async () => succeed(workspace.api.post(`${path}/rotate`))),
    )
    const { created_at } = await succeed(workspace.api.get(path))
    expect(secrets.map((one) => one.created_at)).to.include(created_at)
  })
})
