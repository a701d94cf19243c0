import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { eventually } from '../support/api-client.js'
import { tablesHolding } from './database.js'
import { fieldsOf, keyWith, startUnlimited, succeed } from './fixtures.js'

describe('API keys', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  it('show their secret once, and keep it in clear nowhere', async () => {
    const made = await workspace.api.post('/api-keys', { scope: 'any', role: 'editor', title: 'Reports' })
    expect(made.status).to.equal(201)
    const { sid, secret, api_key } = made.body as { sid: string; secret: string; api_key: string }
    expect(sid).to.match(/^sid-/)
    expect(api_key).to.equal(`${sid}.${secret}`)
    expect(secret).to.have.length.greaterThan(40)
    const list = await workspace.api.get('/api-keys')
    expect(list.body.data.find((key: { sid: string }) => key.sid === sid)).to.include({ title: 'Reports' })
    expect(JSON.stringify(list.body)).not.to.include(secret)
    expect(await tablesHolding(appliance, secret)).to.deep.equal([])
    expect(await tablesHolding(appliance, sid)).to.include('api_keys.sid')
    expect(appliance.log).not.to.include(secret)
  })

  it('are refused from the moment they are revoked', async () => {
    const client = await keyWith(workspace, { scope: 'full', role: 'owner' })
    expect((await client.get('/credit')).status).to.equal(200)
    const sid = /sid-\w+/.exec(client.authorization!)![0]
    const revoked = await workspace.api.delete(`/api-keys/${sid}`)
    expect(revoked.body).to.include({ sid, scope: 'full', role: 'owner', workspace_id: workspace.id })
    expect((await client.get('/credit')).status).to.equal(401)
    expect((await workspace.api.delete(`/api-keys/${sid}`)).status).to.equal(404)
  })

  it('tell when they were last used', async () => {
    const client = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    const sid = /sid-\w+/.exec(client.authorization!)![0]
    const shown = async () =>
      (await workspace.api.get('/api-keys?limit=100')).body.data.find(
        (key: { sid: string }) => key.sid === sid,
      )
    expect((await shown()).last_used_at).to.equal(null)
    await client.get('/calls')
    const used = await eventually(shown, ({ last_used_at }) => last_used_at !== null)
    expect(Date.parse(used.last_used_at)).to.be.closeTo(Date.now(), 5_000)
  })

  it('are found by their title and sid, in their own workspace alone', async () => {
    const { sid } = await succeed(
      workspace.api.post('/api-keys', { scope: 'any', role: 'viewer', title: 'Warehouse 100%' }),
    )
    const found = async (search: string) => {
      const { body } = await workspace.api.get(`/api-keys?search=${encodeURIComponent(search)}`)
      return { total: body.meta.total, sids: body.data.map((key: { sid: string }) => key.sid) }
    }
    for (const search of ['warehouse', '100%', sid, sid.slice(4, 14).toUpperCase()]) {
      expect(await found(search), search).to.eql({ total: 1, sids: [sid] })
    }
    const other = await appliance.workspace()
    for (const search of ['nothing like it', '%_', other.sid]) {
      expect(await found(search), search).to.eql({ total: 0, sids: [] })
    }
  })

  it('need a known scope and role', async () => {
    const answer = await workspace.api.post('/api-keys', { scope: 'write', role: 'admin' })
    expect(fieldsOf(answer)).to.have.members(['scope', 'role'])
    expect(fieldsOf(await workspace.api.post('/api-keys'))).to.have.members(['scope', 'role'])
  })

  it('are managed by the operator on the workspace’s host', async () => {
    const operator = appliance.operator.with({ host: `${workspace.id}.localhost` })
    const { sid } = await succeed(operator.post('/api-keys', { scope: 'any', role: 'viewer' }))
    expect((await operator.delete(`/api-keys/${sid}`)).status).to.equal(200)
  })
})
