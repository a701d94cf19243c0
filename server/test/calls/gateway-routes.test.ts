/** Where calls over gateways are sent, at the wire: to where their names lead, and not to what is not theirs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { eventually } from '../support/api-client.js'
import { DnsServer } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'

/** Longer than records are kept at the least. */
const recordsMs = 6_000

describe('gateways by name on the freeswitch', function () {
  this.timeout(90_000)
  let bench: CallBench
  let dns: DnsServer
  const zone: Record<string, readonly string[] | undefined> = {
    'carrier.test': ['127.0.0.1'],
    'inside.test': ['10.0.0.1', '169.254.169.254', 'fd00::1'],
    'turning.test': ['127.0.0.9'],
  }
  let numbers = 0

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    dns = await DnsServer.start((name) => (name in zone ? zone[name] : []))
    bench = await CallBench.start('freeswitch', {
      settings: { JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address, JACKFIELD_LOG_LEVEL: 'info' },
    })
  })
  after(async () => {
    await bench?.stop()
    dns?.close()
  })

  const tenth = () => `20255501${String((numbers += 1) + 10)}`
  const port = () => bench.carrier!.port
  const uri = (host: string, at = port()) => ({
    ...{ uri: host, port: at, protocol: 'udp' as const, priority: 1 },
  })
  /** Calls over a new gateway to a host. */
  const callOver = async (host: string, at?: number) => {
    const national = tenth()
    await bench.connectNumber(national, [uri(host, at)])
    const id = await bench.call('+12025550101', [], { from: { number: `+1${national}` } })
    return bench.ended(id)
  }

  it('reach what their name leads to, which the carrier is asked for', async () => {
    const record = await callOver('carrier.test')
    expect(record).to.include({ status: 'busy', sip_code: 486 })
    expect(record.legs[0]!.uri).to.equal(`carrier.test:${port()};udp`)
    const invites = await bench.carrier!.waitFor('INVITE', ({ text }) =>
      text.startsWith('INVITE sip:+12025550101@carrier.test:'),
    )
    expect(invites[0]!.text).to.not.match(/X-Edge/i)
  })

  it('reach nothing private, by whatever name, and the log says what would allow it', async () => {
    for (const host of ['inside.test', 'nowhere.test']) {
      const record = await callOver(host)
      expect(record.legs, host).to.deep.equal([])
      expect(record.status).to.equal('failed')
    }
    expect(bench.appliance.log).to.include('JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS')
  })

  it('are called where they were found last while DNS is silent', async () => {
    expect((await callOver('carrier.test')).sip_code).to.equal(486)
    zone['carrier.test'] = undefined
    try {
      await sleep(recordsMs)
      expect((await callOver('carrier.test')).sip_code).to.equal(486)
    } finally {
      zone['carrier.test'] = ['127.0.0.1']
    }
  })

  it('take a carrier by an answered call, and not by its name; others then wait for the operator', async () => {
    const thief = await bench.appliance.workspace()
    const stateOf = async (id: string) => (await thief.api.get(`/sip-trunks/gateways/${id}`)).body.state
    const gateway = async (host: string) =>
      thief.api.post('/sip-trunks/gateways', {
        ...{ title: 'Mine', outbound_caller_id: '+12025550188', outbound_uris: [uri(host)] },
      })
    const early = (await gateway('carrier.test')).body
    expect(early.state).to.equal('active')
    expect((await callOver('carrier.test')).sip_code, 'nobody’s name keeps it from being called').to.equal(
      486,
    )
    expect(await stateOf(early.id)).to.equal('active')
    const national = tenth()
    await bench.connectNumber(national, [uri('carrier.test')])
    const answered = await bench.call('+12025550100', [{ action: 'hangup' }], {
      from: { number: `+1${national}` },
    })
    expect((await bench.ended(answered)).status).to.equal('completed')
    await eventually(
      async () => stateOf(early.id),
      (state) => state === 'pending_approval',
      { what: 'the gateway of another workspace waits' },
    )
    for (const host of ['127.0.0.1', 'carrier.test'])
      expect((await gateway(host)).body, host).to.include({ state: 'pending_approval', is_approved: false })
    const made = await gateway('turning.test')
    expect(made.body.state).to.equal('active')
    const { body: acl } = await thief.api.post('/sip-trunks/acls', {
      ...{ title: 'Any', mode: 'ip', allowed_ips: ['127.0.0.1'] },
    })
    const { body: number } = await thief.api.post('/phone-numbers/connect', {
      ...{ title: 'Mine', number: '2025550188', country_code: 'US', inbound_acl_id: acl.id },
      ...{ enable_outbound: true, outbound_gateway_id: made.body.id },
    })
    const { operator } = bench.appliance
    const activated = await operator.patch(`/workspaces/${thief.id}/phone-numbers/${number.id}`, {
      status: 'active',
    })
    expect(activated.status).to.equal(200)
    zone['turning.test'] = ['127.0.0.1']
    await sleep(recordsMs)
    const call = async () => {
      const { status, body } = await thief.api.post('/calls/make', {
        to: { number: '+12025550101' },
        from: { number: '+12025550188' },
        actions: [],
      })
      expect(status, JSON.stringify(body)).to.equal(201)
      return eventually(
        async () => (await thief.api.get(`/calls/${body.data.call_id}`)).body,
        ({ ended_at }) => ended_at !== null,
      )
    }
    const refused = await call()
    expect(refused).to.deep.include({ legs: [], status: 'failed' })
    const { data } = (await thief.api.get(`/calls/${refused.call_id}/events`)).body
    expect(data.at(-1)).to.deep.include({
      event: 'call.ended',
      details: { reason: 'gateway_pending', problem: 'The gateway waits for the operator’s approval' },
    })
    expect(await stateOf(made.body.id)).to.equal('pending_approval')
    expect(bench.appliance.log).to.include('or a carrier of another workspace')
    const asOperator = operator.with({ host: `${thief.id}.localhost` })
    const approved = await asOperator.patch(`/sip-trunks/gateways/${made.body.id}`, { is_approved: true })
    expect(approved.status).to.equal(200)
    expect((await call()).sip_code).to.equal(486)
  })
})
