/** Gateways whose servers, ports and transports DNS tells (SRV and NAPTR, RFC 3263), on a real FreeSWITCH and Kamailio. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { CallBench, type GatewayUri } from '../support/call-bench.js'
import { DnsServer, type Naptr, type Srv } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { Carrier } from '../support/sipp.js'

describe('gateways by their SRV records on the freeswitch', function () {
  this.timeout(60_000)
  let bench: CallBench
  let stream: Carrier
  let dns: DnsServer
  const zone: Record<string, readonly (string | Srv | Naptr)[]> = {}
  let numbers = 0

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    dns = await DnsServer.start((name) => zone[name] ?? [])
    bench = await CallBench.start('freeswitch', {
      settings: { JACKFIELD_SIP_TRUNKS_DNS_SERVERS: dns.address },
    })
    stream = await Carrier.start({ transport: 'tcp' })
    const { port } = bench.carrier!
    const dead = bench.deadUri(1).port
    Object.assign(zone, {
      'sip1.carrier.test': ['127.0.0.1'],
      'sip2.carrier.test': ['127.0.0.1'],
      'inside.test': ['10.0.0.1'],
      '_sip._udp.carrier.test': [{ target: 'sip1.carrier.test', port }],
      '_sip._udp.spare.test': [
        { target: 'sip2.carrier.test', port, priority: 20 },
        { target: 'sip1.carrier.test', port: dead, priority: 10 },
      ],
      '_sip._udp.plain.test': [{ target: 'sip1.carrier.test', port: dead }],
      'plain.test': ['127.0.0.1'],
      '_sip._udp.sly.test': [
        { target: 'inside.test', port: 5060 },
        { target: '169.254.169.254', port: 5060 },
        { target: 'sip1.carrier.test', port: 53 },
      ],
      'chosen.test': [
        { service: 'SIP+D2U', replacement: '_sip._udp.plain.test', order: 20 },
        { service: 'SIP+D2T', replacement: '_sip._tcp.chosen.test', order: 10 },
      ],
      '_sip._tcp.chosen.test': [{ target: 'sip2.carrier.test', port: stream.port }],
    })
  })
  after(async () => {
    await stream?.stop()
    await bench?.stop()
    dns?.close()
  })

  /** Calls a busy number over a new gateway. */
  const callOver = async (uri: string, more: Partial<GatewayUri> = { protocol: 'udp' }) => {
    const national = `20255502${String((numbers += 1) + 10)}`
    await bench.connectNumber(national, [{ uri, priority: 1, ...more }])
    return bench.ended(await bench.call('+12025550101', [], { from: { number: `+1${national}` } }))
  }
  const legsOf = ({ legs }: Awaited<ReturnType<typeof callOver>>) => legs.map(({ uri }) => uri)

  it('reach the server and the port that the records name, and ask it for the domain', async () => {
    const record = await callOver('carrier.test')
    expect(record).to.include({ status: 'busy', sip_code: 486 })
    expect(legsOf(record)).to.deep.equal([`sip1.carrier.test:${bench.carrier!.port};udp`])
    const [invite] = await bench.carrier!.waitFor('INVITE', ({ text }) => text.startsWith('INVITE '))
    expect(invite!.text).to.match(/^INVITE sip:\+12025550101@carrier\.test SIP/)
  })

  it('reach the next server when the first is silent, and own what answers there', async () => {
    const national = '2025550250'
    await bench.connectNumber(national, [{ uri: 'spare.test', protocol: 'udp', priority: 1 }])
    const call = await bench.call('+12025550100', [{ action: 'hangup' }], {
      from: { number: `+1${national}` },
    })
    const record = await bench.ended(call)
    expect(record.status).to.equal('completed')
    expect(legsOf(record)).to.deep.equal([
      `sip1.carrier.test:${bench.deadUri(1).port};udp`,
      `sip2.carrier.test:${bench.carrier!.port};udp`,
    ])
    const thief = await bench.appliance.workspace()
    const { body } = await thief.api.post('/sip-trunks/gateways', {
      ...{ title: 'Mine', outbound_uris: [{ uri: 'carrier.test', protocol: 'udp' }] },
    })
    await eventually(
      async () => (await thief.api.get(`/sip-trunks/gateways/${body.id}`)).body.state,
      (state) => state === 'pending_approval',
      { what: 'a gateway whose records lead to a carrier of another workspace waits' },
    )
  })

  it('ask for addresses alone where a port is given', async () => {
    const { port } = bench.carrier!
    const record = await callOver('plain.test', { port, protocol: 'udp' })
    expect(record.sip_code).to.equal(486)
    expect(legsOf(record)).to.deep.equal([`plain.test:${port};udp`])
    expect(dns.questions.filter((question) => /^(SRV|NAPTR) .*plain/.test(question))).to.deep.equal([])
  })

  it('take the transport that NAPTR records prefer where none is given', async () => {
    const record = await callOver('chosen.test', {})
    expect(record.sip_code).to.equal(486)
    expect(legsOf(record)).to.deep.equal([`sip2.carrier.test:${stream.port};tcp`])
    const [invite] = await stream.waitFor('INVITE', ({ text }) => text.startsWith('INVITE '))
    expect(invite!.text).to.match(/^Via: SIP\/2\.0\/TCP/m)
  })

  it('reach nothing private, and no port of another service, by records either', async () => {
    const record = await callOver('sly.test')
    expect(record).to.deep.include({ status: 'failed', legs: [] })
  })
})
