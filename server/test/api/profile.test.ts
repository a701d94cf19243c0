import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import {
  fieldsOf,
  keyWith,
  newActiveNumber,
  newAudio,
  newCall,
  newContact,
  newGateway,
  startUnlimited,
  succeed,
} from './fixtures.js'

describe('the profile of a workspace', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_LIMITS_CONTACTS: '7' })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace({ credit: 12.5 })
    api = workspace.api
  })
  after(async () => appliance?.stop())

  it('tells its names, its credit, and what it has of what it may have', async () => {
    const empty = await succeed(api.get('/profile'))
    expect(empty).to.deep.include({
      id: workspace.id,
      title: `Workspace ${workspace.id}`,
      country_code: 'US',
      credit_balance: 12.5,
      counts: { live_calls: 0 },
      role: 'owner',
    })
    expect(empty.limits.contacts).to.deep.equal({ max: 7, used: 0 })
    expect(empty.limits.phone_numbers).to.deep.equal({ max: 100, used: 0 })
    expect(empty.limits.api_keys.used).to.equal(1)
    // What others hold is not counted.
    const other = await appliance.workspace()
    await newContact(other.api)
    await newActiveNumber(appliance, workspace)
    await newAudio(api)
    await newContact(api)
    await newContact(api)
    const call = await newCall(api)
    const full = await succeed(api.get('/profile'))
    const used = Object.entries(full.limits as Record<string, { used: number }>)
      .filter(([, limit]) => limit.used > 0)
      .map(([name, limit]) => [name, limit.used])
    expect(Object.fromEntries(used)).to.deep.equal({
      ...{ api_keys: 1, inbound_acls: 1, outbound_gateways: 1, phone_numbers: 1, audios: 1, contacts: 2 },
      ...{ concurrent_calls: 1, storage_mb: 1 },
    })
    expect(full.counts).to.deep.equal({ live_calls: 1 })
    await succeed(api.post(`/calls/${call}/hangup`))
  })

  it('tells where phones register, as far as the server knows', async () => {
    const domain = `${workspace.id}.sip.localhost`
    const agents_domain = `agents--${domain}`
    const unknown = { host: null, port: null, tls_port: null, wss_url: null }
    expect((await succeed(api.get('/profile'))).sip).to.deep.equal({ domain, agents_domain, ...unknown })
    const port = await appliance.startAnotherServer({
      JACKFIELD_EDGE_PUBLIC_HOST: '2001:db8::1',
      JACKFIELD_EDGE_PUBLIC_PORT: '5060',
      JACKFIELD_EDGE_PUBLIC_TLS_PORT: '5061',
      JACKFIELD_EDGE_PUBLIC_WSS_PORT: '5067',
    })
    expect((await succeed(api.with({ port }).get('/profile'))).sip).to.deep.equal({
      ...{
        domain,
        agents_domain,
        host: '2001:db8::1',
        port: 5060,
        tls_port: 5061,
        wss_url: 'wss://[2001:db8::1]:5067',
      },
    })
  })

  it('tells whether premium-rate numbers may be called and texted, as the operator has it', async () => {
    const may = async () => (await succeed(api.get('/profile'))).calls.allow_premium_rate as boolean
    for (const allow_premium_rate of [true, false]) {
      await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { allow_premium_rate }))
      expect(await may()).to.equal(allow_premium_rate)
    }
  })

  it('says which agents may hand over a call: any, unless an owner wants only those involved', async () => {
    expect((await succeed(api.get('/profile'))).transfers_by).to.equal('any_agent')
    const involved = { transfers_by: 'involved' }
    expect(await succeed(api.patch('/profile', involved))).to.include(involved)
    expect(fieldsOf(await api.patch('/profile', { transfers_by: 'nobody' }))).to.deep.equal(['transfers_by'])
  })

  it('names the gateway of emergency calls, one of its own', async () => {
    const other = await appliance.workspace()
    const [own, foreign] = [await newGateway(api), await newGateway(other.api)]
    const profile = await succeed(api.get('/profile'))
    expect(profile.emergency_gateway_id).to.equal(null)
    expect(profile.emergency_numbers).to.deep.equal(['112', '911', '933'])
    for (const emergency_gateway_id of [foreign, 'gw_none'])
      expect(fieldsOf(await api.patch('/profile', { emergency_gateway_id }))).to.deep.equal([
        'emergency_gateway_id',
      ])
    const named = { emergency_gateway_id: own }
    expect(await succeed(api.patch('/profile', named))).to.include(named)
    expect((await api.delete(`/sip-trunks/gateways/${own}`)).status).to.equal(409)
    await succeed(api.patch('/profile', { emergency_gateway_id: null, country_code: 'DE' }))
    expect((await succeed(api.get('/profile'))).emergency_numbers).to.deep.equal(['110', '112'])
    await succeed(api.delete(`/sip-trunks/gateways/${own}`))
  })

  it('is changed by owners, at once', async () => {
    const changed = await succeed(api.patch('/profile', { title: 'Acme', country_code: 'DE' }))
    expect(changed).to.include({ title: 'Acme', country_code: 'DE' })
    expect(await succeed(api.get('/profile'))).to.include({ title: 'Acme', country_code: 'DE' })
    expect((await succeed(api.patch('/profile', { title: 'Acme Ltd' }))).country_code).to.equal('DE')
    for (const [bad, field] of [
      [{ title: '' }, 'title'],
      [{ title: 'x'.repeat(65) }, 'title'],
      [{ country_code: 'de' }, 'country_code'],
      [{ country_code: 'XX' }, 'country_code'],
      [{ credit_balance: 1 }, 'credit_balance'],
    ] as const) {
      expect(fieldsOf(await api.patch('/profile', bad))).to.deep.equal([field])
    }
    const editor = await keyWith(workspace, { scope: 'full', role: 'editor' })
    expect((await editor.patch('/profile', { title: 'Mine' })).status).to.equal(403)
    expect((await succeed(editor.get('/profile'))).title).to.equal('Acme Ltd')
    const log = await query(
      appliance,
      `SELECT changes FROM audit_log WHERE workspace_id = ? AND action = 'workspace.update' ORDER BY id`,
      [workspace.id],
    )
    expect(
      log.map(({ changes }) => (typeof changes === 'string' ? JSON.parse(changes) : changes)),
    ).to.deep.equal([
      {
        title: { from: `Workspace ${workspace.id}`, to: 'Acme' },
        country_code: { from: 'US', to: 'DE' },
      },
      { title: { from: 'Acme', to: 'Acme Ltd' } },
    ])
  })
})
