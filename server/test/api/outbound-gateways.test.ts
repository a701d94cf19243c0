import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, gateway, newActiveNumber, numberInput, startUnlimited, succeed } from './fixtures.js'

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
    expect(await succeed(create({ credential: null }))).not.to.have.property('credential')
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
    for (const port of [1024, 65535]) expect((await withUri({ port })).status).to.equal(201)
    expect((await withUri({ port: 443, protocol: 'tls' })).status).to.equal(201)
    for (const port of [0, 1023, 65536, 5060.5, '5060']) {
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
    for (const host of ['8.8.8.8', '2606:4700::1111', 'sip.example.com', 'carrier', '127.0.0.1']) {
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

  describe('where carriers may not be', () => {
    let strict: Appliance
    before(async () => {
      strict = await startUnlimited({
        JACKFIELD_EDGE_PUBLIC_HOST: '8.8.8.8',
        JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS: '10.20.0.0/16,fd12::/32',
      })
    })
    after(async () => strict.stop())

    it('are refused, naming the setting that would allow it, also to the operator', async () => {
      const workspace = await strict.workspace()
      const operator = strict.operator.with({ host: `${workspace.id}.localhost` })
      for (const host of [
        ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '192.0.2.1', '::1', 'fd00::1'],
        '::ffff:127.0.0.1',
      ])
        for (const caller of [workspace.api, operator]) {
          const outbound_uris = [uri, { ...uri, uri: host }]
          const refused = await caller.post('/sip-trunks/gateways', { ...gateway, outbound_uris })
          expect(fieldsOf(refused), host).to.deep.equal(['outbound_uris.1.uri'])
          expect(JSON.stringify(refused.body)).to.include('JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS')
        }
      for (const host of ['10.20.255.1', 'fd12::1', '8.8.4.4']) {
        const outbound_uris = [{ ...uri, uri: host }]
        const made = await succeed(workspace.api.post('/sip-trunks/gateways', { ...gateway, outbound_uris }))
        const changed = { outbound_uris: [{ ...uri, uri: '10.21.0.1' }] }
        expect(fieldsOf(await workspace.api.patch(`/sip-trunks/gateways/${made.id}`, changed))).to.deep.equal(
          ['outbound_uris.0.uri'],
        )
      }
    })
  })

  describe('to a carrier of another workspace', () => {
    let first: TestWorkspace
    let other: TestWorkspace
    const to = (host: string, more: object = {}) => ({
      ...gateway,
      outbound_uris: [{ ...uri, uri: host, ...more }],
    })
    const asOperator = ({ id }: TestWorkspace) => appliance.operator.with({ host: `${id}.localhost` })
    const make = async (caller: TestWorkspace['api'], body: object) =>
      caller.post('/sip-trunks/gateways', body)

    before(async () => {
      first = await appliance.workspace()
      other = await appliance.workspace()
      await succeed(make(first.api, to('sip.first.example')))
      await succeed(make(first.api, to('9.9.9.9')))
    })

    it('are the operator’s to make, however it is written and whatever the port', async () => {
      for (const [host, more] of [
        ['sip.first.example', {}],
        ['SIP.First.Example', { port: 5080 }],
        ['9.9.9.9', { protocol: 'tls', port: 5061 }],
        ['::ffff:9.9.9.9', {}],
      ] as const) {
        const refused = await make(other.api, to(host, more))
        expect(refused.status, host).to.equal(403)
        expect(refused.body.message).to.include('outbound_uris.0.uri leads to a carrier of another workspace')
      }
      const made = await succeed(make(asOperator(other), to('sip.first.example')))
      expect(made.is_approved).to.equal(true)
      expect((await succeed(make(first.api, to('sip.first.example')))).is_approved, 'its own').to.equal(false)
    })

    it('keep the operator’s approval while they lead nowhere else', async () => {
      const { id } = await succeed(make(asOperator(other), to('9.9.9.9')))
      const path = `/sip-trunks/gateways/${id}`
      const change = async (body: object, caller = other.api) => caller.patch(path, body)
      expect((await succeed(change({ title: 'Other' }))).is_approved).to.equal(true)
      expect((await succeed(change(to('9.9.9.9', { port: 5070 })))).is_approved).to.equal(true)
      const more = [...to('9.9.9.9').outbound_uris, ...to('sip.other.example').outbound_uris]
      expect((await change({ outbound_uris: more })).status).to.equal(403)
      expect((await succeed(change(to('sip.other.example')))).is_approved).to.equal(false)
      expect((await change(to('9.9.9.9'))).status).to.equal(403)
      expect((await succeed(change(to('9.9.9.9'), asOperator(other)))).is_approved).to.equal(true)
    })

    it('are approved by nobody else', async () => {
      const { id } = await succeed(make(other.api, to('sip.third.example')))
      const path = `/sip-trunks/gateways/${id}`
      expect((await other.api.patch(path, { is_approved: true })).status).to.equal(403)
      expect((await succeed(asOperator(other).patch(path, { is_approved: true }))).is_approved).to.equal(true)
      expect((await other.api.patch(path, { is_approved: false })).status).to.equal(403)
      expect(fieldsOf(await make(other.api, { ...to('x.example'), is_approved: true }))).to.deep.equal([
        'is_approved',
      ])
    })

    it('are anybody’s where its lines are simulated, and once it is gone', async () => {
      for (const { api: one } of [first, other]) await succeed(make(one, to('carrier.sandbox')))
      const { id } = await succeed(make(first.api, to('sip.gone.example')))
      expect((await make(other.api, to('sip.gone.example'))).status).to.equal(403)
      await succeed(first.api.delete(`/sip-trunks/gateways/${id}`))
      await succeed(make(other.api, to('sip.gone.example')))
      expect((await make(first.api, to('sip.gone.example'))).status).to.equal(403)
    })

    it('are no way for a SIP URI either', async () => {
      const number = await newActiveNumber(appliance, other)
      const answer = async (host: string) =>
        other.api.post('/calls/make', {
          to: { number: '+12025550100' },
          from: { number: `+${number.number}` },
          actions: [{ action: 'to_operator', params: { phone_number: `sip:118118@${host}` } }],
        })
      for (const host of ['sip.first.example', 'SIP.first.example:5080', '9.9.9.9']) {
        const refused = await answer(host)
        expect(fieldsOf(refused), host).to.deep.equal(['actions.0.params.phone_number'])
        expect(JSON.stringify(refused.body)).to.include('must not lead to a carrier')
      }
      expect((await answer('pbx.nobody.example')).status).to.equal(201)
    })
  })
})
