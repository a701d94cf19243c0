import { expect } from 'chai'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { DnsServer } from '../support/dns-server.js'
import { eventually } from '../support/api-client.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, gateway, newActiveNumber, numberInput, startUnlimited, succeed } from './fixtures.js'

describe('outbound gateways', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    api = (await appliance.workspace()).api
  })
  after(async () => appliance?.stop())

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

  it('list short numbers, of seven and eight digits by the operator’s word alone', async () => {
    const made = await succeed(create({}))
    const path = `/sip-trunks/gateways/${made.id}`
    expect(made.short_numbers).to.deep.equal([])
    const listed = ['411', '116117', '01']
    expect(await succeed(api.patch(path, { short_numbers: listed }))).to.deep.include({
      short_numbers: listed,
    })
    expect((await succeed(api.patch(path, { title: 'Other' }))).short_numbers).to.deep.equal(listed)
    for (const digits of ['4', '123456789', '+411', '*98', '4 1', '', 411]) {
      const refused = await create({ short_numbers: ['411', digits] })
      expect(fieldsOf(refused), String(digits)).to.deep.equal(['short_numbers.1'])
    }
    const many = Array.from({ length: 101 }, (_, index) => `${1000 + index}`)
    expect(fieldsOf(await create({ short_numbers: many }))).to.deep.equal(['short_numbers'])
    const longer = { short_numbers: ['411', '20123456', '5551234'] }
    for (const refused of [await create(longer), await api.patch(path, longer)])
      expect(fieldsOf(refused)).to.deep.equal(['short_numbers.1', 'short_numbers.2'])
    const asOperator = appliance.operator.with({ host: `${made.workspace_id as string}.localhost` })
    await succeed(asOperator.patch(path, longer))
    expect(await succeed(api.patch(path, longer)), 'they are listed').to.deep.include(longer)
    expect((await succeed(api.patch(path, { short_numbers: [] }))).short_numbers).to.deep.equal([])
  })

  it('register with a credential alone, and say where that stands', async () => {
    const plain = await succeed(create({}))
    expect(plain).to.include({ register: false, register_expires: 3600, registration: null })
    expect(plain).to.include({ register_user: null, register_domain: null })
    const credential = { username: 'acme', password: 'correct-horse' }
    expect(fieldsOf(await create({ register: true }))).to.deep.equal(['credential'])
    const path = `/sip-trunks/gateways/${plain.id}`
    expect(fieldsOf(await api.patch(path, { register: true }))).to.deep.equal(['credential'])
    const made = await succeed(create({ register: true, credential, register_expires: 600 }))
    expect(made.registration).to.include({ sip_code: null, registered_until: null })
    // no edge is there, which could send anything
    await eventually(
      async () => (await api.get(`/sip-trunks/gateways/${made.id}`)).body.registration.status,
      (status) => status === 'waiting',
      { what: 'registration that waits' },
    )
    expect(fieldsOf(await api.patch(`/sip-trunks/gateways/${made.id}`, { credential: null }))).to.deep.equal([
      'credential',
    ])
    for (const [field, value] of [
      ['register_domain', 'no host'],
      ['register_user', 'a b'],
      ['register_expires', 59],
      ['register_expires', 86_401],
    ] as const)
      expect(fieldsOf(await create({ register: true, credential, [field]: value })), field).to.deep.equal([
        field,
      ])
    expect(await tablesHolding(appliance, 'correct-horse')).to.deep.equal([])
    const waiting = await succeed(
      create({ register: true, credential, outbound_uris: [{ ...uri, uri: '10.0.0.9' }] }),
    )
    expect(waiting.registration).to.include({ status: 'waiting' })
    expect(await query(appliance, 'SELECT id FROM gateway_registrations WHERE gateway_id = ?', [waiting.id]))
      .to.be.empty
  })

  it('sign nobody where the operator has no certificate', async () => {
    const made = await succeed(create({}))
    expect(made.is_signing).to.equal(false)
    expect(fieldsOf(await create({ is_signing: true }))).to.deep.equal(['is_signing'])
    const path = `/sip-trunks/gateways/${made.id}`
    expect(fieldsOf(await api.patch(path, { is_signing: true }))).to.deep.equal(['is_signing'])
    expect((await succeed(api.patch(path, { is_signing: false }))).is_signing).to.equal(false)
  })

  it('offer SRTP over TLS alone, where its keys cannot be read', async () => {
    const plain = await succeed(create({}))
    expect(plain.media_encryption).to.equal('none')
    const overTls = [{ ...uri, protocol: 'tls' }]
    const mixed = [...overTls, { ...uri, uri: 'second.example', protocol: 'tcp' }]
    for (const media_encryption of ['optional', 'required']) {
      const made = await succeed(create({ media_encryption, outbound_uris: overTls }))
      expect(made.media_encryption).to.equal(media_encryption)
      // NAPTR records could choose a transport without TLS.
      const chosen = [{ uri: uri!.uri, protocol: 'tls', lookup: 'naptr' }]
      expect(fieldsOf(await create({ media_encryption, outbound_uris: chosen }))).to.deep.equal([
        'outbound_uris.0.lookup',
      ])
      expect(fieldsOf(await create({ media_encryption, outbound_uris: mixed }))).to.deep.equal([
        'outbound_uris.1.protocol',
      ])
      const path = `/sip-trunks/gateways/${made.id}`
      expect(fieldsOf(await api.patch(path, { outbound_uris: mixed }))).to.deep.equal([
        'outbound_uris.1.protocol',
      ])
      expect(await succeed(api.get(path))).to.deep.equal(made)
      const loose = await succeed(api.patch(path, { outbound_uris: mixed, media_encryption: 'none' }))
      expect(loose).to.deep.include({ media_encryption: 'none', outbound_uris: mixed })
      expect(fieldsOf(await api.patch(path, { media_encryption }))).to.deep.equal([
        'outbound_uris.1.protocol',
      ])
    }
    expect(fieldsOf(await create({ media_encryption: 'yes' }))).to.deep.equal(['media_encryption'])
  })

  it('offer the codecs that are chosen, in their order', async () => {
    const made = await succeed(create({}))
    expect(made.codecs).to.equal(null)
    const path = `/sip-trunks/gateways/${made.id}`
    for (const codecs of [['PCMA', 'PCMU'], ['PCMA'], ['G722', 'PCMA', 'PCMU'], null]) {
      expect((await succeed(create({ codecs }))).codecs).to.deep.equal(codecs)
      expect((await succeed(api.patch(path, { codecs }))).codecs).to.deep.equal(codecs)
      expect((await succeed(api.patch(path, { title: 'Other' }))).codecs).to.deep.equal(codecs)
      expect((await succeed(api.get(path))).codecs).to.deep.equal(codecs)
    }
    const wrong = [[], ['PCMA', 'PCMA'], ['G722'], 'PCMA', ['PCMU', 'PCMA', 'G722', 'PCMU']]
    for (const codecs of wrong) {
      expect(fieldsOf(await create({ codecs })), String(codecs)).to.deep.equal(['codecs'])
      expect(fieldsOf(await api.patch(path, { codecs })), String(codecs)).to.deep.equal(['codecs'])
    }
    expect(JSON.stringify((await create({ codecs: ['G722'] })).body)).to.include('must hold PCMU or PCMA')
    for (const codec of ['OPUS', 'pcma', 'G729', 5])
      expect(fieldsOf(await create({ codecs: ['PCMU', codec] })), String(codec)).to.deep.equal(['codecs.1'])
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
      // The switch's SIP library takes what stands behind a colon for something else.
      ['credential.password', { ...good, password: 'a:b' }],
      ['credential.username', { ...good, username: 'a:b' }],
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
    for (const port of [1024, 65535]) expect((await succeed(withUri({ port }))).state).to.equal('active')
    expect((await succeed(withUri({ port: 443, protocol: 'tls' }))).state).to.equal('active')
    for (const protocol of ['udp', 'tcp'])
      for (const port of [1, 25, 1023]) {
        const made = await succeed(withUri({ port, protocol }))
        expect(made, `${protocol} ${port}`).to.include({ state: 'pending_approval', is_approved: false })
      }
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

  it('are looked up by what their addresses leave out, and keep that when they are sent again', async () => {
    const { uri: host } = uri!
    const cases: [sent: object, lookup: string | undefined, port: number, protocol: string][] = [
      [{}, 'naptr', 5060, 'udp'],
      [{ protocol: 'tcp' }, 'srv', 5060, 'tcp'],
      [{ port: 5060 }, undefined, 5060, 'udp'],
      [{ port: 5061, protocol: 'tls', lookup: 'srv' }, 'srv', 5061, 'tls'],
      [{ protocol: 'udp', lookup: 'address' }, undefined, 5060, 'udp'],
      [{ uri: '8.8.8.8' }, undefined, 5060, 'udp'],
      [{ uri: '2606:4700::1111', lookup: 'srv' }, undefined, 5060, 'udp'],
    ]
    for (const [sent, lookup, port, protocol] of cases) {
      const made = await succeed(create({ outbound_uris: [{ uri: host, ...sent }] }))
      const [shown] = made.outbound_uris
      expect(shown, JSON.stringify(sent)).to.include({ port, protocol, priority: 1 })
      expect(shown.lookup, JSON.stringify(sent)).to.equal(lookup)
      // A client of the contract alone does not know the field.
      const { lookup: _, ...known } = shown
      const path = `/sip-trunks/gateways/${made.id}`
      const again = await succeed(api.patch(path, { outbound_uris: [{ ...known, priority: 2 }] }))
      expect(again.outbound_uris).to.deep.equal([{ ...shown, priority: 2 }])
      expect(await succeed(api.get(path))).to.deep.equal(again)
      const fixed = await succeed(api.patch(path, { outbound_uris: [{ ...known, lookup: 'address' }] }))
      expect(fixed.outbound_uris).to.deep.equal([known])
    }
    expect(fieldsOf(await withUri({ lookup: 'enum' }))).to.deep.equal(['outbound_uris.0.lookup'])
  })

  it('take any text as their default caller id, or none', async () => {
    for (const outbound_caller_id of ['+12025550199', '12025550199', 'Acme', 'Café 24', '', null]) {
      const made = await succeed(create({ outbound_caller_id }))
      expect(made.outbound_caller_id).to.equal(outbound_caller_id)
      const path = `/sip-trunks/gateways/${made.id}`
      expect((await succeed(api.patch(path, { outbound_caller_id: null }))).outbound_caller_id).to.equal(null)
    }
    const { outbound_caller_id: _, ...without } = gateway
    expect((await succeed(api.post('/sip-trunks/gateways', without))).outbound_caller_id).to.equal(null)
    for (const outbound_caller_id of ['x'.repeat(65), 'a\nb', 12025550199])
      expect(fieldsOf(await create({ outbound_caller_id }))).to.deep.equal(['outbound_caller_id'])
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
    let dns: DnsServer
    const zone: Record<string, string[]> = {
      'inside.test': ['10.0.0.1', 'fd00::1'],
      'both.test': ['10.0.0.1', '8.8.4.4'],
    }
    before(async () => {
      dns = await DnsServer.start((name) => zone[name] ?? [])
      strict = await startUnlimited({
        JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address,
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
        JACKFIELD_EDGE_PUBLIC_HOST: '8.8.8.8',
        JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS: '10.20.0.0/16,fd12::/32',
      })
    })
    after(async () => {
      await strict?.stop()
      dns?.close()
    })

    const asOperator = ({ id }: TestWorkspace) => strict.operator.with({ host: `${id}.localhost` })
    const to = (host: string) => ({ ...gateway, outbound_uris: [uri, { ...uri, uri: host }] })
    const at = ({ id }: { id: string }) => `/sip-trunks/gateways/${id}`

    it('wait for the operator, and are approved by who makes them as the operator', async () => {
      const workspace = await strict.workspace()
      for (const host of [
        ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '192.0.2.1', '::1', 'fd00::1'],
        '::ffff:127.0.0.1',
      ]) {
        const waits = await succeed(workspace.api.post('/sip-trunks/gateways', to(host)))
        expect(waits, host).to.include({ state: 'pending_approval', is_approved: false })
        const made = await succeed(asOperator(workspace).post('/sip-trunks/gateways', to(host)))
        expect(made, host).to.include({ state: 'active', is_approved: true })
      }
      for (const host of ['10.20.255.1', 'fd12::1', '8.8.4.4']) {
        const made = await succeed(workspace.api.post('/sip-trunks/gateways', to(host)))
        expect(made, host).to.include({ state: 'active', is_approved: false })
        const changed = await succeed(workspace.api.patch(at(made), to('10.21.0.1')))
        expect(changed).to.include({ state: 'pending_approval', is_approved: false })
        expect(await succeed(workspace.api.patch(at(made), to(host)))).to.include({ state: 'active' })
      }
    })

    it('lose their approval when they lead to another private address, or another of its ports', async () => {
      const workspace = await strict.workspace()
      const made = await succeed(asOperator(workspace).post('/sip-trunks/gateways', to('10.0.0.5')))
      const change = async (changes: object) =>
        succeed(
          workspace.api.patch(at(made), { outbound_uris: [uri, { ...uri, uri: '10.0.0.5', ...changes }] }),
        )
      expect(await change({ priority: 3 })).to.include({ state: 'active', is_approved: true })
      for (const changes of [{ port: 22, protocol: 'tcp' }, { port: 5070 }, { uri: '10.0.0.6' }]) {
        expect(await change(changes)).to.include({ state: 'pending_approval', is_approved: false })
        await succeed(asOperator(workspace).patch(at(made), { ...to('10.0.0.5'), is_approved: true }))
      }
    })

    it('wait when a name is found to lead to a private address alone', async () => {
      const workspace = await strict.workspace()
      const { id } = await succeed(
        workspace.api.post('/sip-trunks/gateways', { ...gateway, ...only('inside.test') }),
      )
      await eventually(
        async () => succeed(workspace.api.get(at({ id }))),
        ({ state }) => state === 'pending_approval',
        { what: 'the gateway waits' },
      )
      const both = await succeed(
        workspace.api.post('/sip-trunks/gateways', { ...gateway, ...only('both.test') }),
      )
      await eventually(
        async () => query(strict, 'SELECT address FROM gateway_addresses WHERE gateway_id = ?', [both.id]),
        (rows) => rows.length === 3,
      )
      expect((await succeed(workspace.api.get(at(both)))).state).to.equal('active')
    })

    it('are listed by their state, told to the operator, and told to webhooks when they are approved', async () => {
      const workspace = await strict.workspace()
      const { api: own } = workspace
      const receiver = new WebhookReceiver()
      await receiver.start()
      await succeed(own.post('/webhooks', { url: receiver.url(), events: ['gateway.approved'] }))
      const made = await succeed(
        own.post('/sip-trunks/gateways', { ...gateway, ...only('10.9.9.9'), title: 'Interconnect' }),
      )
      await succeed(own.post('/sip-trunks/gateways', { ...gateway, ...only('8.8.4.4') }))
      const listed = async (state: string) =>
        (await succeed(own.get(`/sip-trunks/gateways?state=${state}`))).data.map(
          ({ id }: { id: string }) => id,
        )
      expect(await listed('pending_approval')).to.deep.equal([made.id])
      expect(await listed('active')).to.have.length(1)
      expect(fieldsOf(await own.get('/sip-trunks/gateways?state=waiting'))).to.deep.equal(['state'])
      const { items } = await succeed(strict.operator.get('/operator/checklist'))
      const trunk = items.find(({ id }: { id: string }) => id === 'trunk')
      expect(trunk).to.include({ state: 'todo', reason: 'gateways_pending' })
      expect(Number(trunk.values.count)).to.be.at.least(1)
      const alerts = await eventually(
        async () => (await succeed(own.get('/alerts?kind=gateway_pending'))).data,
        (rows) => rows.length > 0,
      )
      expect(alerts[0].message).to.include('Interconnect').and.include(made.id)
      expect(JSON.stringify([made, alerts])).to.not.match(/another workspace|other workspace/)
      const approved = await succeed(asOperator(workspace).patch(at(made), { is_approved: true }))
      expect(approved).to.include({ state: 'active', is_approved: true })
      const [told] = await eventually(
        async () => receiver.received,
        ({ length }) => length > 0,
      )
      expect(told!.body).to.deep.include({
        event: 'gateway.approved',
        data: { gateway_id: made.id, title: 'Interconnect', state: 'active', is_approved: true },
      })
      const taken = await succeed(asOperator(workspace).patch(at(made), { is_approved: false }))
      expect(taken).to.include({ state: 'pending_approval', is_approved: false })
      await receiver.stop()
    })

    it('are listed to the operator over all workspaces, who approves them there and takes it back', async () => {
      const [one, two] = [await strict.workspace(), await strict.workspace()]
      const make = async ({ api: own }: TestWorkspace, host: string, title: string) =>
        (await succeed(own.post('/sip-trunks/gateways', { ...gateway, ...only(host), title }))) as {
          id: string
        }
      const waiting = await make(one, '10.8.8.8', 'Private')
      const open = await make(one, '8.8.4.4', 'Public')
      const others = await make(two, '10.8.8.9', 'Others')
      const listed = async (filter: string) =>
        (await succeed(strict.operator.get(`/operator/gateways?limit=100&${filter}`))).data as {
          id: string
          workspace_id: string
          state: string
        }[]
      const ids = async (filter: string) => (await listed(filter)).map(({ id }) => id)
      expect(await ids('state=pending_approval'))
        .to.include.members([waiting.id, others.id])
        .and.not.include(open.id)
      expect(await ids(`state=pending_approval&workspace_id=${one.id}`)).to.deep.equal([waiting.id])
      expect(await ids(`workspace_id=${one.id}&search=Publ`)).to.deep.equal([open.id])
      expect(fieldsOf(await strict.operator.get('/operator/gateways?state=waiting'))).to.deep.equal(['state'])
      const approve = async (id: string, is_approved: unknown) =>
        strict.operator.patch(`/operator/gateways/${id}`, { is_approved })
      expect(await succeed(approve(waiting.id, true))).to.include({ state: 'active', is_approved: true })
      expect(await ids(`state=pending_approval&workspace_id=${one.id}`)).to.deep.equal([])
      const [entry] = (
        await succeed(one.api.get(`/audit-log?target_id=${waiting.id}&action=outbound_gateway.update`))
      ).data
      expect(entry.actor.kind).to.equal('operator')
      expect(entry.changes).to.deep.include({ is_approved: { from: false, to: true } })
      expect(await succeed(approve(waiting.id, false))).to.include({ state: 'pending_approval' })
      expect((await approve('gw_unknown', true)).status).to.equal(404)
      expect(fieldsOf(await approve(waiting.id, 'yes'))).to.deep.equal(['is_approved'])
      expect(JSON.stringify(await listed(''))).not.to.include('password')
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
      succeed(caller.post('/sip-trunks/gateways', body))
    const approve = async (whose: TestWorkspace, id: string, is_approved = true) =>
      succeed(asOperator(whose).patch(`/sip-trunks/gateways/${id}`, { is_approved }))
    const stateOf = async ({ api: own }: TestWorkspace, id: string) =>
      (await succeed(own.get(`/sip-trunks/gateways/${id}`))).state

    before(async () => {
      first = await appliance.workspace()
      other = await appliance.workspace()
      for (const host of ['sip.first.example', '9.9.9.9']) {
        const { id } = await make(first.api, to(host))
        await approve(first, id)
      }
    })

    it('wait for the operator, however it is written and whatever the port', async () => {
      for (const [host, more] of [
        ['sip.first.example', {}],
        ['SIP.First.Example', { port: 5080 }],
        ['9.9.9.9', { protocol: 'tls', port: 5061 }],
        ['::ffff:9.9.9.9', {}],
      ] as const) {
        const made = await make(other.api, to(host, more))
        expect(made, host).to.include({ is_approved: false, state: 'pending_approval' })
        expect(JSON.stringify(made)).to.not.include(first.id)
      }
      expect(await make(asOperator(other), to('sip.first.example'))).to.include({
        ...{ is_approved: true, state: 'active' },
      })
      expect(await make(first.api, to('sip.first.example')), 'its own').to.include({
        ...{ is_approved: false, state: 'active' },
      })
    })

    it('keep the operator’s approval while they lead nowhere else', async () => {
      const { id } = await make(asOperator(other), to('9.9.9.9'))
      const path = `/sip-trunks/gateways/${id}`
      const change = async (body: object, caller = other.api) => succeed(caller.patch(path, body))
      expect((await change({ title: 'Other' })).is_approved).to.equal(true)
      expect((await change(to('9.9.9.9', { port: 5070 }))).is_approved).to.equal(true)
      const more = [...to('9.9.9.9').outbound_uris, ...to('sip.other.example').outbound_uris]
      const third = await appliance.workspace()
      const outsider = await make(third.api, to('9.9.9.9'))
      expect(outsider.state).to.equal('pending_approval')
      expect(await change({ outbound_uris: more })).to.include({
        is_approved: false,
        state: 'pending_approval',
      })
      expect(await change(to('sip.other.example'))).to.include({ is_approved: false, state: 'active' })
      expect(await change(to('9.9.9.9'))).to.include({ is_approved: false, state: 'pending_approval' })
      expect(await change(to('9.9.9.9'), asOperator(other))).to.include({
        is_approved: true,
        state: 'active',
      })
    })

    it('are approved by nobody else', async () => {
      const { id } = await make(other.api, to('sip.third.example'))
      const path = `/sip-trunks/gateways/${id}`
      expect((await other.api.patch(path, { is_approved: true })).status).to.equal(403)
      expect((await approve(other, id)).is_approved).to.equal(true)
      expect((await other.api.patch(path, { is_approved: false })).status).to.equal(403)
      for (const field of ['is_approved', 'state'])
        expect(
          fieldsOf(await other.api.post('/sip-trunks/gateways', { ...to('x.example'), [field]: true })),
        ).to.deep.equal([field])
    })

    it('take nothing by their name: both go on until one of them is approved', async () => {
      const mine = await make(first.api, to('sip.shared.example'))
      const theirs = await make(other.api, to('sip.shared.example'))
      expect([mine.state, theirs.state]).to.deep.equal(['active', 'active'])
      await approve(first, mine.id)
      expect(await stateOf(other, theirs.id)).to.equal('pending_approval')
      expect(await stateOf(first, mine.id)).to.equal('active')
      await approve(other, theirs.id)
      expect(await stateOf(other, theirs.id)).to.equal('active')
      await approve(first, mine.id, false)
      expect(await stateOf(first, mine.id)).to.equal('pending_approval')
    })

    it('are anybody’s where its lines are simulated, and once it is gone', async () => {
      for (const { api: one } of [first, other]) {
        const made = await make(one, to('carrier.sandbox', { port: 5060 }))
        expect(made.state).to.equal('active')
      }
      await make(asOperator(first), to('carrier.sandbox'))
      expect((await make(other.api, to('carrier.sandbox'))).state).to.equal('active')
      const { id } = await make(asOperator(first), to('sip.gone.example'))
      const waits = await make(other.api, to('sip.gone.example'))
      expect(waits.state).to.equal('pending_approval')
      await succeed(first.api.delete(`/sip-trunks/gateways/${id}`))
      expect(await stateOf(other, waits.id)).to.equal('active')
    })

    it('carry no call while they wait, and the timeline says why', async () => {
      const third = await appliance.workspace()
      const number = await newActiveNumber(appliance, third)
      const { outbound_gateway_id } = await succeed(third.api.get(`/phone-numbers/${number.id}`))
      const call = async (input: object) => {
        const { data } = await succeed(
          third.api.post('/calls/make', { from: { number: number.number }, ...input }),
        )
        await eventually(
          async () => succeed(third.api.get(`/calls/${data.call_id}`)),
          ({ ended_at }) => ended_at !== null,
          { what: 'the call ends' },
        )
        return (await succeed(third.api.get(`/calls/${data.call_id}/events`))).data
      }
      const reason = { reason: 'gateway_pending', problem: 'The gateway waits for the operator’s approval' }
      const waits = await make(third.api, to('9.9.9.9'))
      const actions = [
        { action: 'to_operator', params: { phone_number: '+12025550100', gateway_id: waits.id } },
      ]
      const steps = await call({ to: { number: '+12025550100' }, actions })
      const step = steps.find(({ event }: { event: string }) => event === 'call.action')
      expect(step.details).to.deep.include({ outcome: 'failed', ...reason })
      await succeed(third.api.patch(`/sip-trunks/gateways/${outbound_gateway_id}`, to('9.9.9.9')))
      const ended = (await call({ to: { number: '+12025550101' }, actions: [] })).at(-1)
      expect(ended).to.deep.include({ event: 'call.ended', details: reason })
      await approve(third, outbound_gateway_id)
      expect((await call({ to: { number: '+12025550101' }, actions: [] })).at(-1)).to.not.have.property(
        'details',
      )
    })

    it('leave SIP URIs of others alone: those are judged when they are dialled', async () => {
      const number = await newActiveNumber(appliance, other)
      const answer = async (host: string) =>
        other.api.post('/calls/make', {
          to: { number: '+12025550100' },
          from: { number: `+${number.number}` },
          actions: [{ action: 'to_operator', params: { phone_number: `sip:118118@${host}` } }],
        })
      for (const host of ['sip.first.example', 'SIP.first.example:5080', '9.9.9.9', 'pbx.nobody.example'])
        expect((await answer(host)).status, host).to.equal(201)
    })
  })
})

const only = (host: string) => ({ outbound_uris: [{ ...gateway.outbound_uris[0]!, uri: host }] })
