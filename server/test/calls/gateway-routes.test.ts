/** Where calls over gateways are sent, at the wire: to where their names lead, and not to what is not theirs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { AnsweringEnd } from '../support/answering-end.js'
import { eventually } from '../support/api-client.js'
import { DnsServer } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'

/** Longer than records are kept at the least. */
const recordsMs = 6_000

/** An address that is pinged. */
interface Seen {
  state: string
  status_code: number | null
  round_trip_ms: number
  since: string
}

const pinging = { JACKFIELD_SIP_TRUNKS_PING_INTERVAL: '5' }

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
      settings: { JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address, JACKFIELD_LOG_LEVEL: 'info', ...pinging },
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

  describe('that are pinged', () => {
    let first: AnsweringEnd
    let second: AnsweringEnd
    let national: string
    let gateway: string

    before(async () => {
      first = await AnsweringEnd.open({ OPTIONS: 0, INVITE: 486 })
      second = await AnsweringEnd.open({ OPTIONS: 404, INVITE: 486 })
      national = tenth()
      const number = await bench.connectNumber(national, [
        { ...uri('127.0.0.1', first.port), priority: 1 },
        { ...uri('127.0.0.1', second.port), priority: 2 },
      ])
      gateway = (await bench.api.get(`/phone-numbers/${number}`)).body.outbound_gateway_id
    })
    after(() => {
      first.close()
      second.close()
    })

    const reachability = async () =>
      (await bench.api.get(`/sip-trunks/gateways/${gateway}`)).body.reachability
    /** Waits until the addresses are in these states. */
    const seen = async (...states: string[]) =>
      eventually(
        reachability,
        (all: Seen[]) => JSON.stringify(all.map(({ state }) => state)) === JSON.stringify(states),
        { what: `addresses ${states.join(', ')}`, withinMs: 15_000 },
      )
    const called = async () => {
      const call = await bench.call('+12025550101', [], { from: { number: `+1${national}` } })
      return (await bench.ended(call)).legs.map((leg) => leg.uri)
    }
    const uriOf = ({ port: at }: AnsweringEnd) => `127.0.0.1:${at};udp`

    it('are not, until they ask for it', async () => {
      expect(await reachability()).to.equal(undefined)
      expect(await called()).to.deep.equal([uriOf(first)])
      expect(first.count('OPTIONS') + second.count('OPTIONS')).to.equal(0)
    })

    it('say which addresses answer, and those that do not are called last', async () => {
      const saved = await bench.api.patch(`/sip-trunks/gateways/${gateway}`, { options_ping: true })
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200)
      const [silent, answering] = (await seen('unreachable', 'reachable')) as [Seen, Seen]
      expect(silent).to.deep.include({
        host: '127.0.0.1',
        address: '127.0.0.1',
        port: first.port,
        status_code: null,
      })
      expect(answering).to.deep.include({ port: second.port, transport: 'udp', status_code: 404 })
      expect(answering.round_trip_ms).to.be.within(0, 1_000)
      expect(Date.parse(answering.since)).to.be.closeTo(Date.now(), 15_000)
      expect(await called()).to.deep.equal([uriOf(second)])
    })

    it('are called all the same where none answers, and an alert says so', async () => {
      Object.assign(second.status, { OPTIONS: 503 })
      const [, full] = (await seen('unreachable', 'unreachable')) as [Seen, Seen]
      expect(full.status_code).to.equal(503)
      expect(await called()).to.deep.equal([uriOf(first)])
      const [alert] = await eventually(
        async () => (await bench.api.get('/alerts?kind=gateway_unreachable')).body.data,
        (found: { message: string }[]) => found.length > 0,
        { what: 'alert', withinMs: 15_000 },
      )
      expect(alert!.message).to.include(gateway)
    })

    it('are called in their order again soon after they answer', async () => {
      Object.assign(first.status, { OPTIONS: 200 })
      await seen('reachable', 'unreachable')
      expect(await called()).to.deep.equal([uriOf(first)])
      const metrics = await bench.appliance.operator.get('/metrics')
      expect(String(metrics.body)).to.match(/jackfield_edge_carrier_addresses\{state="reachable"\} 1/)
    })

    it('are not while they wait for the operator', async () => {
      const { body } = await bench.api.post('/sip-trunks/gateways', {
        ...{ title: 'Inside', outbound_uris: [uri('10.0.0.1', 5070)], options_ping: true },
      })
      expect(body.state).to.equal('pending_approval')
      expect(body.reachability).to.deep.equal([
        {
          ...{ host: '10.0.0.1', address: null, port: 5070, transport: 'udp', state: 'unknown' },
          ...{ status_code: null, round_trip_ms: null, since: null, checked_at: null },
        },
      ])
    })
  })
})
