/** Who may call a number, and who is said to call: from the API and the carrier's INVITE to the call's record. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { DnsServer } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import type { Telephone } from '../support/telephone.js'

describe('calls from trunks on the freeswitch', function () {
  this.timeout(60_000)
  /** The address that carrier.test leads to. */
  let carrierHost = '127.0.0.85'
  let dns: DnsServer
  let bench: InboundBench
  let flow: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    dns = await DnsServer.start((name) => (name === 'carrier.test' ? [carrierHost] : []))
    bench = await InboundBench.start({ settings: { JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address } })
    flow = await bench.flow([{ id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }])
    await bench.takesTo(flow)
    await bench.trustsCarrier()
  })
  after(async () => {
    await bench?.stop()
    dns?.close()
  })

  it('are of the number that the carrier wrote, by the country of its ACL, from who calls in that country', async () => {
    const acl = `/sip-trunks/acls/${bench.bench.aclId}`
    const caller = await bench.caller({ username: '02079460123' })
    const called = async (written: string) => {
      expect(await statusOf(caller, written), written).to.equal(486)
      const { from, to } = await bench.lastCall()
      return { from, to }
    }
    const to = bench.number
    expect(await called('2025550199')).to.deep.equal({ from: '02079460123', to })
    try {
      expect((await bench.api.patch(acl, { country: 'GB' })).status).to.equal(200)
      expect(await called('0012025550199')).to.deep.equal({ from: '+442079460123', to })
      expect(await statusOf(caller, '2025550199')).to.equal(403)
    } finally {
      await bench.api.patch(acl, { country: '' })
    }
  })

  const statusOf = async (phone: Telephone, number = bench.number): Promise<number> =>
    phone.call(number).answered()

  /** Connects a number that runs the flow. */
  const connect = async (national: string, allowed_ips: string[], mode: 'ip' | 'domain'): Promise<string> => {
    const acl = await bench.api.post('/sip-trunks/acls', { title: 'Carrier', mode, allowed_ips })
    const number = await bench.api.post('/phone-numbers/connect', {
      ...{ title: 'New', number: national, country_code: 'US', enable_outbound: false },
      inbound_acl_id: acl.body.id,
    })
    expect(number.status, JSON.stringify(number.body)).to.equal(201)
    await bench.takesTo(flow, number.body.id as string)
    return number.body.id as string
  }

  for (const [who, headers, from] of [
    ['From', {}, '+12125550123'],
    ['what the carrier asserts', { 'P-Asserted-Identity': '"Ann Lee" <sip:+12125550177@x>' }, '+12125550177'],
    ['nobody who withholds it', { Privacy: 'id' }, 'anonymous'],
    [
      'nobody who withholds it, whatever the carrier asserts',
      { Privacy: 'id', 'P-Asserted-Identity': '<tel:+12125550177>' },
      'anonymous',
    ],
  ] as const) {
    it(`come from ${who}`, async () => {
      const phone = await bench.caller({ headers: { ...headers } })
      expect(await statusOf(phone)).to.equal(486)
      expect(await bench.lastCall()).to.include({ from, to: bench.number, direction: 'inbound' })
    })
  }

  it('are not even a call when the edge refuses them', async () => {
    const calls = async (): Promise<number> =>
      (await bench.api.get('/calls?limit=1')).body.meta.total as number
    const before = await calls()
    expect(await statusOf(await bench.caller(), '+12025550000')).to.equal(403)
    expect(await statusOf(await bench.caller({ host: '127.0.0.87' }))).to.equal(403)
    expect(await calls()).to.equal(before)
  })

  it('make a pending number active', async () => {
    const id = await connect('2025550181', ['127.0.0.1'], 'ip')
    expect((await bench.api.get(`/phone-numbers/${id}`)).body.status).to.equal('pending')
    expect(await statusOf(await bench.caller({ host: '127.0.0.87' }), '+12025550181')).to.equal(403)
    expect((await bench.api.get(`/phone-numbers/${id}`)).body.status).to.equal('pending')
    expect(await statusOf(await bench.caller(), '+12025550181')).to.equal(486)
    const active = (await bench.api.get(`/phone-numbers/${id}`)).body
    expect(active).to.include({ status: 'active', is_verified: false, verified_by: null })
  })

  it('make nobody the owner of a number that they call themselves: it is never shown to others', async () => {
    const { appliance, workspace, carrier } = bench.bench
    const asOperator = appliance.operator.with({ host: `${workspace.id}.localhost` })
    const { body: gateway } = await asOperator.post('/sip-trunks/gateways', {
      ...{ title: 'Operator', outbound_uris: [bench.bench.healthyUri(1)] },
    })
    expect(gateway).to.include({ is_approved: true })
    const acl = await bench.api.post('/sip-trunks/acls', {
      title: 'Me',
      mode: 'ip',
      allowed_ips: ['127.0.0.1'],
    })
    for (const national of ['8005550199', '2025550185']) {
      const stolen = `+1${national}`
      const { body: number } = await bench.api.post('/phone-numbers/connect', {
        ...{ title: 'Bank', number: national, country_code: 'US', enable_outbound: true },
        ...{ inbound_acl_id: acl.body.id, outbound_gateway_id: gateway.id },
      })
      await bench.takesTo(flow, number.id as string)
      expect(await statusOf(await bench.caller(), stolen)).to.equal(486)
      expect((await bench.api.get(`/phone-numbers/${number.id}`)).body.status).to.equal('active')
      const seen = (await carrier!.messages()).length
      const refused = await bench.api.post('/calls/make', {
        from: { number: stolen, name: 'Bank of X' },
        ...{ to: { number: '+12025550100' }, actions: [] },
      })
      expect(refused.status, JSON.stringify(refused.body)).to.equal(400)
      expect(refused.body.message).to.include('not verified')
      const account = await bench.api.post('/sip-accounts', {
        ...{ title: 'Desk', username: `desk${national}`, password: 'correct horse' },
        outbound_caller_id: stolen,
      })
      expect(account.status).to.equal(201)
      // The number's own flow calls on with the workspace's number that is verified.
      const out = await bench.flow([
        { id: 'out', type: 'to_operator', params: { phone_number: '+12025550101', timeout: 5 } },
      ])
      await bench.takesTo(out, number.id as string)
      await statusOf(await bench.caller(), stolen)
      const invites = (await carrier!.messages()).slice(seen).filter(({ method }) => method === 'INVITE')
      expect(invites.length).to.be.greaterThan(0)
      for (const { text } of invites) {
        expect(text).to.not.include(national)
        expect(text).to.include('12025550199')
      }
    }
  })

  it('make no number active that another workspace has, too: the operator says whose it is', async () => {
    const { appliance } = bench.bench
    const squatter = await appliance.workspace()
    const { body: acl } = await squatter.api.post('/sip-trunks/acls', {
      ...{ title: 'World', mode: 'ip', allowed_ips: ['0.0.0.0/0'] },
    })
    const { body: squat } = await squatter.api.post('/phone-numbers/connect', {
      ...{ title: 'Mine', number: '2025550183', country_code: 'US', enable_outbound: false },
      inbound_acl_id: acl.id,
    })
    const id = await connect('2025550183', ['127.0.0.1'], 'ip')
    expect(appliance.log).to.include('a number is connected in several workspaces')
    const statuses = async () => [
      (await squatter.api.get(`/phone-numbers/${squat.id}`)).body.status,
      (await bench.api.get(`/phone-numbers/${id}`)).body.status,
    ]
    expect(await statusOf(await bench.caller(), '+12025550183')).to.equal(480)
    expect(await statuses()).to.deep.equal(['pending', 'pending'])
    expect((await squatter.api.get('/calls')).body.data).to.deep.equal([])
    expect(appliance.log).to.include('a pending number of several workspaces')
    const path = `/workspaces/${bench.bench.workspace.id}/phone-numbers/${id}`
    await appliance.operator.patch(path, { is_verified: true })
    expect(await statusOf(await bench.caller(), '+12025550183')).to.equal(486)
    expect(await statuses()).to.deep.equal(['pending', 'active'])
  })

  it('come from where a name in the ACL leads, and from nowhere else once it leads elsewhere', async () => {
    const id = await connect('2025550182', ['carrier.test'], 'domain')
    const [first, second] = [
      await bench.caller({ host: '127.0.0.85' }),
      await bench.caller({ host: '127.0.0.86' }),
    ]
    const becomes = async (phone: Telephone, status: number): Promise<void> => {
      await eventually(
        async () => statusOf(phone, '+12025550182'),
        (heard) => heard === status,
        { what: `${status} for ${phone.uri}` },
      )
    }
    await becomes(first, 486)
    expect(await statusOf(second, '+12025550182')).to.equal(403)
    carrierHost = '127.0.0.86'
    const acl = (await bench.api.get(`/phone-numbers/${id}`)).body.inbound_acl_id as string
    // As an ACL is written its new names alone are resolved: taken out and put back, it is new.
    await bench.api.patch(`/sip-trunks/acls/${acl}`, { mode: 'ip', allowed_ips: ['192.0.2.1'] })
    await bench.api.patch(`/sip-trunks/acls/${acl}`, { mode: 'domain', allowed_ips: ['carrier.test'] })
    await becomes(second, 486)
    expect(await statusOf(first, '+12025550182')).to.equal(403)

    await settle()
    await becomes(second, 486)
    expect(await kept()).to.include(id)
    carrierHost = '127.0.0.85'
    await query(bench.bench.appliance, 'UPDATE inbound_acl_hosts SET due_at = NOW(3) WHERE acl_id = ?', [acl])
    await eventually(
      async () => statusOf(first, '+12025550182'),
      (heard) => heard === 486,
      {
        ...{ what: 'a call from the new address', withinMs: 15_000 },
      },
    )
    expect(await statusOf(second, '+12025550182'), 'what the edge kept').to.equal(403)
  })

  const rpc = async (method: string, params: string[]) => bench.bench.appliance.kamailio!.rpc(method, params)
  /** Just after a change the edge keeps nothing. */
  const settle = async () => rpc('htable.delete', ['settling', 'numbers']).catch(() => undefined)
  /** What the edge keeps of calls that it let through. */
  const kept = async (): Promise<string> => JSON.stringify(await rpc('htable.dump', ['called']))
  const generation = async (): Promise<unknown> =>
    JSON.stringify(await rpc('htable.get', ['generation', 'numbers']))

  it('are let through by what the edge keeps, until a change is answered', async () => {
    const phone = await bench.caller()
    const id = await connect('2025550189', ['127.0.0.1'], 'ip')
    const acl = (await bench.api.get(`/phone-numbers/${id}`)).body.inbound_acl_id as string
    const other = (
      await bench.api.post('/sip-trunks/acls', { title: 'B', mode: 'ip', allowed_ips: ['192.0.2.1'] })
    ).body.id as string
    const { appliance, workspace } = bench.bench
    const asOperator = async (status: string) =>
      appliance.operator.patch(`/workspaces/${workspace.id}/phone-numbers/${id}`, { status })
    const number = `/phone-numbers/${id}`
    const changes = {
      'another address': [
        async () => bench.api.patch(`/sip-trunks/acls/${acl}`, { allowed_ips: ['192.0.2.1'] }),
        async () => bench.api.patch(`/sip-trunks/acls/${acl}`, { allowed_ips: ['127.0.0.1'] }),
      ],
      'another ACL': [
        async () => bench.api.patch(number, { inbound_acl_id: other }),
        async () => bench.api.patch(number, { inbound_acl_id: acl }),
      ],
      'a number out of service': [async () => asOperator('inactive'), async () => asOperator('active')],
      'no number': [async () => bench.api.delete(number)],
    }
    for (const [what, [change, back]] of Object.entries(changes)) {
      await eventually(
        async () => (await settle(), await statusOf(phone, '+12025550189'), kept()),
        (all) => all.includes(id),
        {
          ...{ what: 'a kept number', withinMs: 10_000 },
        },
      )
      const before = await generation()
      const { status, body } = await change!()
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(await generation(), what).not.to.equal(before)
      expect(await statusOf(phone, '+12025550189'), what).to.be.oneOf([403, 480])
      await back?.()
    }
  })
})
