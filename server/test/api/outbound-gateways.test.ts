import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, gateway, numberInput, startUnlimited, succeed } from './fixtures.js'

describe('outbound gateways', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    api = (await appliance.workspace()).api
  })
  after(async () => appliance.stop())

  const create = async (changes: object) => api.post('/sip-trunks/gateways', { ...gateway, ...changes })
  const uri = gateway.outbound_uris[0]
  const withUri = async (changes: object) => create({ outbound_uris: [{ ...uri, ...changes }] })

  it('keep the password of their credential to themselves', async () => {
    const password = 'correct-horse-battery-staple'
    const credential = { username: 'acme', password }
    const made = await succeed(create({ credential }))
    const answers = [
      made,
      await succeed(api.get(`/sip-trunks/gateways/${made.id}`)),
      await succeed(api.patch(`/sip-trunks/gateways/${made.id}`, { title: 'Renamed' })),
      await succeed(api.patch(`/sip-trunks/gateways/${made.id}`, { credential })),
      ...(await succeed(api.get('/sip-trunks/gateways'))).data,
    ]
    for (const answer of answers) {
      expect(answer.credential).to.deep.equal({ username: 'acme' })
      expect(JSON.stringify(answer)).not.to.include(password)
    }
    expect(await tablesHolding(appliance, password)).to.deep.equal([])
    const [row] = await query(appliance, 'SELECT credential_password FROM outbound_gateways WHERE id = ?', [
      made.id,
    ])
    expect(row.credential_password).to.match(/^v2\./)
    const refused = await create({ credential: { username: '', password } })
    expect(JSON.stringify(refused.body)).not.to.include(password)
  })

  it('sign nobody where the operator has no certificate', async () => {
    const made = await succeed(create({}))
    expect(made.is_signing).to.equal(false)
    expect(fieldsOf(await create({ is_signing: true }))).to.deep.equal(['is_signing'])
    const path = `/sip-trunks/gateways/${made.id}`
    expect(fieldsOf(await api.patch(path, { is_signing: true }))).to.deep.equal(['is_signing'])
    expect((await succeed(api.patch(path, { is_signing: false }))).is_signing).to.equal(false)
  })

  it('lose their credential when it is set to null', async () => {
    const made = await succeed(create({ credential: { username: 'acme', password: 'secret' } }))
    const path = `/sip-trunks/gateways/${made.id}`
    const { credential: _, updated_at, ...rest } = made
    const changed = await succeed(api.patch(path, { credential: null }))
    expect(changed).to.deep.equal({ ...rest, updated_at: changed.updated_at })
    expect(Date.parse(changed.updated_at)).to.be.at.least(Date.parse(updated_at))
    expect(await succeed(api.get(path))).to.deep.equal(changed)
    const [row] = await query(appliance, 'SELECT * FROM outbound_gateways WHERE id = ?', [made.id])
    expect(row).to.include({ credential_username: null, credential_password: null })
    const again = await succeed(api.patch(path, { credential: { username: 'other', password: 'secret' } }))
    expect(again.credential).to.deep.equal({ username: 'other' })
    expect(fieldsOf(await create({ credential: null }))).to.deep.equal(['credential'])
  })

  it('check each part of a credential', async () => {
    const good = { username: 'x'.repeat(64), password: 'x'.repeat(128) }
    const made = await succeed(create({ credential: good }))
    const wrong: [string, object][] = [
      ['credential.username', { ...good, username: 'x'.repeat(65) }],
      ['credential.username', { ...good, username: '' }],
      ['credential.username', { password: 'x' }],
      ['credential.password', { ...good, password: 'x'.repeat(129) }],
      ['credential.password', { ...good, password: '' }],
      ['credential.password', { ...good, password: 'a{b}' }],
      ['credential.password', { ...good, password: 'a\nb' }],
      ['credential.password', { username: 'x' }],
      ['credential.realm', { ...good, realm: 'x' }],
    ]
    for (const [field, credential] of wrong) {
      const hint = JSON.stringify(credential).slice(0, 80)
      expect(fieldsOf(await create({ credential })), hint).to.deep.equal([field])
      expect(
        fieldsOf(await api.patch(`/sip-trunks/gateways/${made.id}`, { credential })),
        hint,
      ).to.deep.equal([field])
    }
  })

  it('have 1 to 10 addresses', async () => {
    const uris = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...uri, priority: index + 1 }))
    for (const count of [1, 10]) {
      expect((await create({ outbound_uris: uris(count) })).status, String(count)).to.equal(201)
    }
    expect(fieldsOf(await create({ outbound_uris: [] }))).to.deep.equal(['outbound_uris'])
    const eleven = uris(11).map((one) => ({ ...one, priority: 1 }))
    expect(fieldsOf(await create({ outbound_uris: eleven }))).to.deep.equal(['outbound_uris'])
  })

  it('check each part of an address', async () => {
    for (const port of [1, 65535]) expect((await withUri({ port })).status).to.equal(201)
    for (const port of [0, 65536, 5060.5, '5060']) {
      expect(fieldsOf(await withUri({ port })), String(port)).to.deep.equal(['outbound_uris.0.port'])
    }
    const { port: _, ...withoutPort } = uri!
    expect((await succeed(create({ outbound_uris: [withoutPort] }))).outbound_uris[0].port).to.equal(5060)
    for (const priority of [1, 10]) expect((await withUri({ priority })).status).to.equal(201)
    for (const priority of [0, 11]) {
      expect(fieldsOf(await withUri({ priority }))).to.deep.equal(['outbound_uris.0.priority'])
    }
    for (const protocol of ['udp', 'tcp', 'tls']) expect((await withUri({ protocol })).status).to.equal(201)
    expect(fieldsOf(await withUri({ protocol: 'sctp' }))).to.deep.equal(['outbound_uris.0.protocol'])
    for (const host of ['192.0.2.1', '2001:db8::1', 'sip.example.com', 'carrier']) {
      expect((await withUri({ uri: host })).status, host).to.equal(201)
    }
    const hosts = [
      'sip:example.com',
      'a b',
      'x;y',
      '1.2.3',
      '999.1.1.1',
      'a..b',
      'fe80::1%eth0',
      'x{y}',
      'x,y',
    ]
    for (const host of [...hosts, 'sip.example.com:5060', "x'y"]) {
      expect(fieldsOf(await withUri({ uri: host })), host).to.deep.equal(['outbound_uris.0.uri'])
    }
  })

  it('take a caller id in E.164, with or without its plus sign', async () => {
    for (const outbound_caller_id of ['+12025550199', '12025550199']) {
      expect((await succeed(create({ outbound_caller_id }))).outbound_caller_id).to.equal(outbound_caller_id)
    }
    for (const outbound_caller_id of ['', '+0202', 'anonymous', '+1 202 555']) {
      expect(fieldsOf(await create({ outbound_caller_id }))).to.deep.equal(['outbound_caller_id'])
    }
  })

  it('change only in what is sent', async () => {
    const made = await succeed(create({ credential: { username: 'me', password: 'x' } }))
    const changed = await succeed(api.patch(`/sip-trunks/gateways/${made.id}`, { title: 'Other' }))
    expect(changed).to.deep.equal({ ...made, title: 'Other', updated_at: changed.updated_at })
    expect(await succeed(api.get(`/sip-trunks/gateways/${made.id}`))).to.deep.equal(changed)
    expect(fieldsOf(await api.patch(`/sip-trunks/gateways/${made.id}`, { outbound_uris: [] }))).to.deep.equal(
      ['outbound_uris'],
    )
  })

  it('are deleted, but not while numbers use them', async () => {
    const input = await numberInput(api)
    const { id, number } = await succeed(api.post('/phone-numbers/connect', input))
    const path = `/sip-trunks/gateways/${input.outbound_gateway_id}`
    const refused = await api.delete(path)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(number)
    await succeed(api.patch(`/phone-numbers/${id}`, { enable_outbound: false, outbound_gateway_id: null }))
    expect(await succeed(api.delete(path))).to.have.all.keys('id', 'workspace_id', 'title')
    expect((await api.get(path)).status).to.equal(404)
  })
})
