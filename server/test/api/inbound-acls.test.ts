import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { DnsServer } from '../support/dns-server.js'
import { runStatement } from '../support/mariadb.js'
import { query } from './database.js'
import { acl, fieldsOf, numberInput, startUnlimited, succeed } from './fixtures.js'

describe('inbound ACLs', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited()
    api = (await appliance.workspace()).api
  })
  after(async () => appliance?.stop())

  const create = async (changes: object) => api.post('/sip-trunks/acls', { ...acl, ...changes })

  it('refuse no unverified callers where the operator names no authorities', async () => {
    const made = await succeed(create({}))
    expect(made.unverified_callers).to.equal('take')
    for (const unverified_callers of ['refuse', 'refuse_failed', 'ask']) {
      expect(fieldsOf(await create({ unverified_callers }))).to.deep.equal(['unverified_callers'])
      const changed = await api.patch(`/sip-trunks/acls/${made.id}`, { unverified_callers })
      expect(fieldsOf(changed), unverified_callers).to.deep.equal(['unverified_callers'])
    }
  })

  it('trust what a carrier asserts of the caller only when told to', async () => {
    const made = await succeed(create({}))
    expect(made.trusts_identity).to.equal(false)
    const changed = await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { trusts_identity: true }))
    expect(changed.trusts_identity).to.equal(true)
    expect((await succeed(create({ trusts_identity: true }))).trusts_identity).to.equal(true)
    expect(fieldsOf(await create({ trusts_identity: 'yes' }))).to.deep.equal(['trusts_identity'])
  })

  it('say how the carrier writes numbers, and where the called one stands', async () => {
    const made = await succeed(create({}))
    const unset = { country: '', inbound_number_format: 'auto', inbound_number_prefix: '' }
    expect(made).to.include({ ...unset, called_number_from: 'request_uri' })
    const set = { country: 'GB', inbound_number_format: 'national', inbound_number_prefix: '77' }
    const path = `/sip-trunks/acls/${made.id}`
    const changed = await succeed(api.patch(path, { ...set, called_number_from: 'to' }))
    expect(changed)
      .to.include({ ...set, called_number_from: 'to' })
      .and.not.have.property('calling_code')
    expect(await succeed(api.patch(path, { title: 'Other' }))).to.include(set)
    expect(await succeed(create(set))).to.include(set)
    for (const [field, value] of [
      ...['gb', 'XX', 'GBR', 44].map((country) => ['country', country]),
      ...['plus', ''].map((format) => ['inbound_number_format', format]),
      ...['#', '123456789', '1 '].map((prefix) => ['inbound_number_prefix', prefix]),
      ...['from', 'To'].map((place) => ['called_number_from', place]),
    ] as [string, unknown][]) {
      expect(fieldsOf(await create({ [field]: value })), String(value)).to.deep.equal([field])
      expect(fieldsOf(await api.patch(path, { [field]: value })), String(value)).to.deep.equal([field])
    }
  })

  it('hold addresses and blocks of IPv4 and IPv6', async () => {
    for (const entry of [
      '192.0.2.1',
      '192.0.2.0/24',
      '0.0.0.0/0',
      '2001:db8::1',
      '2001:db8::/32',
      '::/128',
      ...['192.0.2.7/24', '192.0.2.1/32', '255.255.255.255/0', '::/0', '2001:DB8::1/64', '::ffff:192.0.2.1'],
    ]) {
      expect((await create({ allowed_ips: [entry] })).status, entry).to.equal(201)
    }
    for (const entry of [
      ...['192.0.2.256', '192.0.2.1/33', '192.0.2.1/', '192.0.2.1/024', '192.0.2.1/8/8', '192.0.2'],
      ...['2001:db8::/129', '2001:db8::1::2', 'fe80::1%eth0', 'a b', ' 192.0.2.1', '192.0.2.1\n'],
    ]) {
      expect(fieldsOf(await create({ allowed_ips: ['192.0.2.9', entry] })), entry).to.deep.equal([
        'allowed_ips.1',
      ])
    }
  })

  it('hold addresses, blocks and names in either mode', async () => {
    const mixed = ['sip.example.com', 'carrier', '198.51.100.10', '2001:db8::/48']
    for (const mode of ['ip', 'domain']) {
      const made = await succeed(create({ mode, allowed_ips: mixed }))
      expect(made.allowed_ips).to.deep.equal(mixed)
      const other = mode === 'ip' ? 'domain' : 'ip'
      const changed = await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { mode: other }))
      expect(changed).to.include({ mode: other })
      const admitted = await query(
        appliance,
        `SELECT host FROM inbound_acl_addresses WHERE acl_id = ? AND host = ''`,
        [made.id],
      )
      expect(admitted, mode).to.have.length(2)
      const answer = await create({ mode, allowed_ips: ['192.0.2.1', 'a b', 'ok.example', '-x.example'] })
      expect(fieldsOf(answer)).to.deep.equal(['allowed_ips.1', 'allowed_ips.3'])
    }
  })

  it('hold up to 5 entries, none of them twice', async () => {
    const entries = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index + 1}`)
    expect((await create({ allowed_ips: entries(5) })).status).to.equal(201)
    expect(fieldsOf(await create({ allowed_ips: entries(6) }))).to.deep.equal(['allowed_ips'])
    for (const mode of ['ip', 'domain']) {
      expect((await succeed(create({ mode, allowed_ips: [] }))).allowed_ips).to.deep.equal([])
      const { title } = acl
      expect((await succeed(api.post('/sip-trunks/acls', { title, mode }))).allowed_ips).to.deep.equal([])
    }
    for (const [first, second] of [
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1', '192.0.2.1/32'],
      ['192.0.2.0/24', '192.0.2.255/24'],
      ['2001:db8::1', '2001:0DB8:0:0::0001'],
      ['2001:db8::/64', '2001:db8::ffff:0:0:1/64'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
    ]) {
      expect(fieldsOf(await create({ allowed_ips: [first, second] })), second).to.deep.equal(['allowed_ips'])
    }
    for (const [first, second] of [
      ['192.0.2.1', '192.0.2.2'],
      ['192.0.2.0/24', '192.0.2.0/25'],
      ['192.0.2.127/25', '192.0.2.128/25'],
      ['0.0.0.1', '::1'],
      ['2001:db8::/64', '2001:db8:0:1::/64'],
    ]) {
      expect((await create({ allowed_ips: [first, second] })).status, second).to.equal(201)
    }
    const names = { mode: 'domain', allowed_ips: ['sip.example.com', 'SIP.example.com'] }
    expect(fieldsOf(await create(names))).to.deep.equal(['allowed_ips'])
  })

  it('have titles of 1 to 36 characters', async () => {
    for (const title of ['x', 'é'.repeat(36)]) expect((await create({ title })).body.title).to.equal(title)
    for (const title of ['', 'x'.repeat(37), 'a\nb'])
      expect(fieldsOf(await create({ title }))).to.deep.equal(['title'])
  })

  it('change only in what is sent', async () => {
    const made = await succeed(create({}))
    const changed = await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { title: 'Branch' }))
    expect(changed).to.deep.equal({ ...made, title: 'Branch', updated_at: changed.updated_at })
    expect(await succeed(api.get(`/sip-trunks/acls/${made.id}`))).to.deep.equal(changed)
    const empty = await succeed(api.patch(`/sip-trunks/acls/${made.id}`, {}))
    expect(empty).to.include({ title: 'Branch', mode: 'ip' })
    expect(await succeed(api.patch(`/sip-trunks/acls/${made.id}`, { mode: 'domain' }))).to.deep.include({
      mode: 'domain',
      allowed_ips: made.allowed_ips,
    })
    const both = { mode: 'domain', allowed_ips: ['sip.example.com'] }
    expect(await succeed(api.patch(`/sip-trunks/acls/${made.id}`, both))).to.deep.include(both)
  })

  it('let in what they say, also when requests race', async () => {
    const rowsOf = async (table: string, id: string, column: string) =>
      (await query(appliance, `SELECT ${column} AS entry FROM ${table} WHERE acl_id = ?`, [id])).map(
        ({ entry }) => String(entry),
      )
    for (let round = 0; round < 5; round++) {
      const { id } = await succeed(create({}))
      const path = `/sip-trunks/acls/${id}`
      const changed = await Promise.all([
        api.patch(path, { mode: 'domain', allowed_ips: ['sip.example.com'] }),
        api.patch(path, { allowed_ips: ['192.0.2.9'] }),
        api.patch(path, { mode: 'ip' }),
      ])
      expect(changed.map(({ status }) => status)).to.deep.equal([200, 200, 200])
      const { mode, allowed_ips } = await succeed(api.get(path))
      // Either mode takes all entries: names are looked up in the mode domain alone.
      const [entry] = allowed_ips
      expect(['sip.example.com', '192.0.2.9'].map((one) => [one])).to.deep.include(allowed_ips)
      expect(await rowsOf('inbound_acl_hosts', id, 'host'), mode).to.deep.equal(
        mode === 'domain' && entry === 'sip.example.com' ? [entry] : [],
      )
      expect(await rowsOf('inbound_acl_addresses', id, 'INET6_NTOA(first_address)'), mode).to.deep.equal(
        entry === '192.0.2.9' ? ['::ffff:192.0.2.9'] : [],
      )
    }
  })

  it('are deleted, but not while numbers use them', async () => {
    const input = await numberInput(api)
    const { id, number } = await succeed(api.post('/phone-numbers/connect', input))
    const path = `/sip-trunks/acls/${input.inbound_acl_id}`
    const refused = await api.delete(path)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(number)
    await succeed(api.delete(`/phone-numbers/${id}`))
    const deleted = await succeed(api.delete(path))
    expect(deleted).to.have.all.keys('id', 'workspace_id', 'title')
    expect((await api.get(path)).status).to.equal(404)
  })

  it('are sorted and searched', async () => {
    const { api: fresh } = await appliance.workspace()
    for (const title of ['Beta', 'alpha', '100% pure', 'x_y']) {
      await succeed(fresh.post('/sip-trunks/acls', { ...acl, title }))
    }
    const titles = async (query: string) =>
      (await succeed(fresh.get(`/sip-trunks/acls?${query}`))).data.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('sort_field=title&sort_order=asc')).to.deep.equal([
      '100% pure',
      'alpha',
      'Beta',
      'x_y',
    ])
    expect(await titles('sort=title&order=desc')).to.deep.equal(['x_y', 'Beta', 'alpha', '100% pure'])
    expect(await titles('')).to.deep.equal(['x_y', '100% pure', 'alpha', 'Beta'])
    expect(await titles('search=ALPHA')).to.deep.equal(['alpha'])
    expect(await titles('search=%25')).to.deep.equal(['100% pure'])
    expect(await titles('search=_')).to.deep.equal(['x_y'])
    expect(await titles('search=%C3%A9%E6%BC%A2')).to.deep.equal([])
  })
})

describe('names in inbound ACLs', () => {
  let appliance: Appliance
  let api: TestWorkspace['api']
  let dns: DnsServer
  /** What the name server knows. */
  const zone = new Map<string, readonly string[] | 'failure'>()
  before(async () => {
    dns = await DnsServer.start((name) => zone.get(name) ?? [])
    appliance = await startUnlimited({ JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address })
    api = (await appliance.workspace()).api
  })
  after(async () => {
    await appliance?.stop()
    dns?.close()
  })

  interface Host {
    host: string
    addresses: string[]
    resolved_at: string | null
    error: string | null
  }
  const create = async (...allowed_ips: string[]): Promise<string> =>
    (await succeed(api.post('/sip-trunks/acls', { title: 'Carrier', mode: 'domain', allowed_ips }))).id
  const hostsOf = async (id: string): Promise<Host[]> =>
    (await succeed(api.get(`/sip-trunks/acls/${id}`))).resolved_hosts
  const becomes = async (id: string, test: (hosts: Host[]) => boolean): Promise<Host[]> =>
    eventually(async () => hostsOf(id), test, { withinMs: 20_000, what: 'names resolved' })
  const becomeAddresses = async (id: string, ...addresses: string[]): Promise<Host[]> =>
    becomes(
      id,
      (hosts) => JSON.stringify(hosts.map((host) => host.addresses).flat()) === JSON.stringify(addresses),
    )
  const query = async (sql: string, values: unknown[] = []): Promise<any[]> =>
    runStatement(appliance.mariadb, appliance.databaseName, sql, values)
  /** As time does. */
  const makeDue = async (id: string): Promise<void> => {
    await query('UPDATE inbound_acl_hosts SET due_at = NOW(3) WHERE acl_id = ?', [id])
    await succeed(api.patch(`/sip-trunks/acls/${id}`, {}))
  }

  it('are resolved when an ACL is made, with the servers that SRV records name', async () => {
    zone.set('sip.carrier.test', ['192.0.2.10', '2001:db8::10'])
    zone.set('_sip._udp.sip.carrier.test', ['udp.carrier.test'])
    zone.set('_sip._tcp.sip.carrier.test', ['tcp.carrier.test', 'udp.carrier.test'])
    zone.set('_sips._tcp.sip.carrier.test', ['tls.carrier.test'])
    zone.set('udp.carrier.test', ['192.0.2.11'])
    zone.set('tcp.carrier.test', ['192.0.2.12', '192.0.2.10'])
    zone.set('tls.carrier.test', ['192.0.2.13'])
    const id = await create('SIP.carrier.test')
    const [host] = await becomes(id, ([first]) => Boolean(first?.resolved_at))
    expect(host).to.deep.include({
      host: 'sip.carrier.test',
      addresses: ['192.0.2.10', '192.0.2.11', '192.0.2.12', '192.0.2.13', '2001:db8::10'],
      error: null,
    })
    const [row] = await query(
      `SELECT COUNT(*) AS hits FROM inbound_acl_addresses
       WHERE acl_id = ? AND INET6_ATON('::ffff:192.0.2.13') BETWEEN first_address AND last_address`,
      [id],
    )
    expect(Number(row.hits)).to.equal(1)
  })

  it('follow DNS, and the ACL', async () => {
    zone.set('moving.test', ['192.0.2.20'])
    zone.set('staying.test', ['192.0.2.30'])
    const id = await create('moving.test', 'staying.test')
    await becomeAddresses(id, '192.0.2.20', '192.0.2.30')
    zone.set('moving.test', ['192.0.2.21', '192.0.2.22'])
    await makeDue(id)
    await becomeAddresses(id, '192.0.2.21', '192.0.2.22', '192.0.2.30')
    zone.set('new.test', ['192.0.2.40'])
    const path = `/sip-trunks/acls/${id}`
    await succeed(api.patch(path, { allowed_ips: ['new.test', 'staying.test'] }))
    expect((await hostsOf(id)).map(({ host }) => host)).to.deep.equal(['new.test', 'staying.test'])
    await becomeAddresses(id, '192.0.2.40', '192.0.2.30')
    const plain = await succeed(api.patch(path, { mode: 'ip', allowed_ips: ['192.0.2.50/31', '192.0.2.52'] }))
    expect(plain).not.to.have.property('resolved_hosts')
    const ranges = await query(
      'SELECT host, HEX(first_address) AS first, HEX(last_address) AS last FROM inbound_acl_addresses WHERE acl_id = ?',
      [id],
    )
    expect(ranges).to.deep.equal([
      { host: '', first: '00000000000000000000FFFFC0000232', last: '00000000000000000000FFFFC0000233' },
      { host: '', first: '00000000000000000000FFFFC0000234', last: '00000000000000000000FFFFC0000234' },
    ])
    expect(await query('SELECT host FROM inbound_acl_hosts WHERE acl_id = ?', [id])).to.deep.equal([])
  })

  it('keep their addresses for a day while DNS does not answer, and none that it denies', async () => {
    zone.set('failing.test', ['192.0.2.60'])
    const id = await create('failing.test')
    await becomeAddresses(id, '192.0.2.60')
    zone.set('failing.test', 'failure')
    await makeDue(id)
    const [failing] = await becomes(id, ([host]) => host?.error != null)
    expect(failing?.addresses).to.deep.equal(['192.0.2.60'])
    expect(failing?.error).to.match(/failing\.test/)
    await query('UPDATE inbound_acl_hosts SET resolved_at = NOW(3) - INTERVAL 25 HOUR WHERE acl_id = ?', [id])
    await makeDue(id)
    await becomes(id, ([host]) => host?.addresses.length === 0)
    zone.set('failing.test', ['192.0.2.61'])
    await makeDue(id)
    const [again] = await becomeAddresses(id, '192.0.2.61')
    expect(again?.error).to.equal(null)
    zone.set('failing.test', [])
    await makeDue(id)
    const [denied] = await becomeAddresses(id)
    expect(denied?.error).to.match(/no such name/)
  })

  it('are asked for again within five minutes, and not within half a minute', async () => {
    zone.set('often.test', ['192.0.2.70'])
    const id = await create('often.test')
    await becomeAddresses(id, '192.0.2.70')
    const [row] = await query(
      `SELECT TIMESTAMPDIFF(MICROSECOND, resolved_at, due_at) / 1e6 AS seconds FROM inbound_acl_hosts WHERE acl_id = ?`,
      [id],
    )
    expect(Number(row.seconds)).to.be.within(30, 300)
  })

  it('are resolved after a restart, when the server died before it came to them', async () => {
    await appliance.killServer()
    zone.set('late.test', ['192.0.2.80'])
    const [{ id }] = await query('SELECT id FROM inbound_acls LIMIT 1')
    await query(`INSERT INTO inbound_acl_hosts VALUES (?, 'late.test', NOW(3), NULL, NULL)`, [id])
    await appliance.startServer()
    await eventually(
      async () => query(`SELECT 1 FROM inbound_acl_addresses WHERE host = 'late.test'`),
      (rows) => rows.length === 1,
      { withinMs: 20_000, what: 'late.test resolved' },
    )
  })
})
