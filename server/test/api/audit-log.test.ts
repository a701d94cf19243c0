import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { acl, fieldsOf, keyWith, startUnlimited, succeed, webhook } from './fixtures.js'

describe('the audit log', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let made: { id: string }
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    const { api } = workspace
    made = await succeed(api.post('/sip-trunks/acls', acl))
    await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { title: 'Branch' }))
    await succeed(api.delete(`/sip-trunks/acls/${made.id}`))
  })
  after(async () => appliance?.stop())

  const entries = async (filter = '') =>
    (await succeed(workspace.api.get(`/audit-log?limit=100&${filter}`))).data
  const actions = async (filter = ''): Promise<string[]> =>
    (await entries(filter)).map(({ action }: { action: string }) => action)

  it('shows changes, newest first, with who made them', async () => {
    const [last, update] = await entries()
    expect(last).to.deep.include({ action: 'inbound_acl.delete', workspace_id: workspace.id })
    const { request_id, ip, created_at, id, ...rest } = update
    expect(rest).to.deep.equal({
      workspace_id: workspace.id,
      actor: { kind: 'api_key', id: workspace.sid, name: 'owner, full' },
      action: 'inbound_acl.update',
      target: { type: 'inbound_acl', id: made.id, name: 'Branch' },
      changes: { title: { from: 'Office', to: 'Branch' } },
    })
    expect(id).to.match(/^log_/)
    expect(request_id).to.be.a('string')
    expect(ip).to.match(/127\.0\.0\.1$/)
    expect(Date.parse(created_at)).to.be.closeTo(Date.now(), 60_000)
    expect(await actions('sort_order=asc')).to.deep.equal([...(await actions())].reverse())
    const page = await succeed(workspace.api.get('/audit-log?limit=1&page=2'))
    expect(page.data).to.deep.equal([update])
    expect(page.meta.total).to.equal((await entries()).length)
  })

  it('is a file for owners, as it is filtered', async () => {
    const path = '/audit-log/export.csv?action=inbound_acl&sort_order=desc'
    const { status, headers, body } = await workspace.api.get(path)
    expect(status).to.equal(200)
    expect(headers['content-disposition']).to.equal(`attachment; filename="audit-log-${workspace.id}.csv"`)
    const lines = String(body).trimEnd().split('\r\n')
    expect(lines[0]).to.equal(
      'id,created_at,actor_kind,actor_id,actor_name,action,target_type,target_id,target_name,changes,ip,request_id',
    )
    expect(lines.slice(1).map((line) => /inbound_acl\.\w+/.exec(line)?.[0])).to.deep.equal([
      ...['inbound_acl.create', 'inbound_acl.update', 'inbound_acl.delete'],
    ])
    expect(lines[2]).to.include('Branch,"{""title"":{""from"":""Office"",""to"":""Branch""}}"')
    expect((await entries('action=audit_log.export'))[0].target.type).to.equal('audit_log')
    const editor = await keyWith(workspace, { scope: 'full', role: 'editor' })
    expect((await editor.get(path)).status).to.equal(403)
  })

  it('names the keys and agents who made them, for as long as they are there', async () => {
    const title = 'Billing'
    const key = await succeed(workspace.api.post('/api-keys', { title, scope: 'full', role: 'owner' }))
    const asKey = workspace.api.with({ authorization: `ApiKey ${key.api_key}` })
    const { id } = await succeed(asKey.post('/sip-trunks/acls', acl))
    const nameNow = async () => (await entries(`target_id=${id}`))[0].actor.name as string | null
    expect(await nameNow()).to.equal(title)
    await succeed(workspace.api.delete(`/api-keys/${key.sid}`))
    expect(await nameNow()).to.equal(null)
  })

  it('names the X-Request-Id of the answer', async () => {
    const answer = await workspace.api.post('/sip-trunks/acls', acl)
    const [entry] = await entries()
    expect(entry.request_id).to.equal(answer.headers['x-request-id'])
  })

  it('tells the operator from keys, and what the operator did in a workspace', async () => {
    expect(await actions('actor=operator')).to.include.members(['workspace.create', 'credit.create'])
    expect(await actions('actor=operator')).not.to.include('inbound_acl.create')
    expect(await actions(`actor=${workspace.sid}`))
      .to.include('inbound_acl.create')
      .and.not.to.include('workspace.create')
    expect(await actions('actor=agent')).to.deep.equal([])
  })

  it('is filtered by action, noun, target and time', async () => {
    expect(new Set(await actions('action=inbound_acl.create'))).to.deep.equal(new Set(['inbound_acl.create']))
    const ofAcls = await actions('action=inbound_acl')
    expect(new Set(ofAcls)).to.deep.equal(
      new Set(['inbound_acl.create', 'inbound_acl.update', 'inbound_acl.delete']),
    )
    expect(await actions(`target_id=${made.id}`)).to.deep.equal([
      'inbound_acl.delete',
      'inbound_acl.update',
      'inbound_acl.create',
    ])
    const [, update] = await entries(`target_id=${made.id}`)
    const [from, to] = [update.created_at, new Date(Date.parse(update.created_at) + 1).toISOString()]
    expect(await actions(`target_id=${made.id}&from=${from}&to=${to}`)).to.include('inbound_acl.update')
    expect(await actions(`target_id=${made.id}&to=${from}`)).not.to.include('inbound_acl.update')
    expect(await actions('from=2999-01-01T00:00:00Z')).to.deep.equal([])
    for (const filter of [
      'from=yesterday',
      'from=2016-12-31T23:59:60Z',
      'to=2024-13-01T00:00:00Z',
      'action=Agent',
      'action=a.b.c',
    ]) {
      expect(fieldsOf(await workspace.api.get(`/audit-log?${filter}`)), filter).to.deep.equal([
        filter.split('=')[0],
      ])
    }
  })

  it('is filtered by the address that requests came from, in whatever spelling', async () => {
    const behind = await appliance.startAnotherServer({ JACKFIELD_HTTP_TRUSTED_PROXIES: '127.0.0.0/8' })
    const other = await appliance.workspace()
    const from = async (address: string) =>
      succeed(
        other.api.with({ port: behind }).post('/sip-trunks/acls', acl, { 'x-forwarded-for': address }),
      ) as Promise<{ id: string }>
    const [desk, home] = [await from('198.51.100.9'), await from('2001:DB8:0::9')]
    const targets = async (ip: string) =>
      (await succeed(other.api.get(`/audit-log?ip=${encodeURIComponent(ip)}`))).data.map(
        ({ target }: { target: { id: string } }) => target.id,
      )
    for (const ip of ['198.51.100.9', '::ffff:198.51.100.9'])
      expect(await targets(ip)).to.deep.equal([desk.id])
    for (const ip of ['2001:db8::9', '2001:0DB8::0:9']) expect(await targets(ip)).to.deep.equal([home.id])
    expect(await targets('198.51.100.1')).to.deep.equal([])
    const all = await succeed(appliance.operator.get('/operator/audit-log?ip=198.51.100.9'))
    expect(all.data.map(({ target }: { target: { id: string } }) => target.id)).to.deep.equal([desk.id])
    for (const ip of ['desk', '198.51.100', '198.51.100.0/24', '198.51.100.9.', '1'])
      expect(fieldsOf(await other.api.get(`/audit-log?ip=${encodeURIComponent(ip)}`)), ip).to.deep.equal([
        'ip',
      ])
  })

  it('is an owner’s', async () => {
    expect(
      (await (await keyWith(workspace, { scope: 'any', role: 'owner' })).get('/audit-log')).status,
    ).to.equal(200)
    for (const role of ['editor', 'viewer']) {
      expect((await (await keyWith(workspace, { scope: 'full', role })).get('/audit-log')).status).to.equal(
        403,
      )
    }
  })

  it('never tells a secret of a webhook', async () => {
    const { id, secret } = await succeed(workspace.api.post('/webhooks', webhook))
    await succeed(workspace.api.post(`/webhooks/${id}/rotate-secret`))
    const [rotated, created] = await entries(`target_id=${id}`)
    const hidden = { from: '(hidden)', to: '(hidden)' }
    const { previous_secret_until, ...secrets } = rotated.changes
    expect(secrets).to.deep.equal({ secret: hidden, previous_secret: hidden })
    expect(previous_secret_until.from).to.equal(null)
    expect(created.changes).to.deep.include({ secret: { to: '(hidden)' }, url: { to: webhook.url } })
    expect(JSON.stringify(await entries())).not.to.include(secret)
  })

  it('of a workspace goes with it, and the operator’s keeps that it was deleted', async () => {
    const other = await appliance.workspace()
    const all = async (filter: string) =>
      (await succeed(appliance.operator.get(`/operator/audit-log?${filter}`))).data
    expect(await all(`workspace_id=${other.id}`)).to.have.length(3)
    expect(await actions()).not.to.include(other.id)
    await succeed(appliance.operator.delete(`/workspaces/${other.id}`))
    expect(await all(`workspace_id=${other.id}`)).to.deep.equal([])
    const [deleted] = await all(`target_id=${other.id}`)
    expect(deleted).to.deep.include({
      action: 'workspace.delete',
      workspace_id: null,
      actor: { kind: 'operator', id: null, name: null },
    })
  })

  it('forgets what is older than it is kept, as the log of deliveries does', async () => {
    const { id } = await succeed(workspace.api.post('/webhooks', webhook))
    await succeed(workspace.api.post(`/webhooks/${id}/test`))
    // One that is still tried is kept, however old: this one was given up.
    await query(appliance, 'DELETE FROM webhook_queue WHERE webhook_id = ?', [id])
    await query(appliance, "UPDATE webhook_deliveries SET status = 'failed' WHERE webhook_id = ?", [id])
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    await query(appliance, 'UPDATE audit_log SET created_at = ? WHERE target_id = ?', [daysAgo(366), made.id])
    await query(appliance, 'UPDATE webhook_deliveries SET created_at = ?', [daysAgo(31)])
    await appliance.stopServer()
    await appliance.startServer()
    const deliveries = async () => (await succeed(workspace.api.get(`/webhooks/${id}/deliveries`))).data
    const left = async () => [...(await entries(`target_id=${made.id}`)), ...(await deliveries())]
    await eventually(left, (all) => all.length === 0)
    expect(await actions()).to.include('workspace.create')
  })
})
