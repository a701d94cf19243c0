/** The action `to_operator` to SIP URIs, at the wire: where they lead, what they cost, and where they may not lead. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { ActionsBench, type TestAction, type TestCall, bothTalk } from '../support/actions-bench.js'
import { feePerMinute } from '../support/call-bench.js'
import { DnsServer } from '../support/dns-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { Carrier } from '../support/sipp.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { Telephone } from '../support/telephone.js'
import { selfSigned } from '../support/tls-relay.js'

const operatorHz = 1500
const callerHz = 440

const zone: Record<string, string[]> = {
  'pbx.test': ['127.0.0.1'],
  'inside.test': ['127.0.0.2', '10.0.0.1'],
}

describe('to_operator to SIP URIs on the freeswitch', function () {
  this.timeout(60_000)
  let bench: ActionsBench
  let dns: DnsServer
  /** At a PBX of their own. */
  let operator: Telephone
  let carrier: Telephone
  /** The number whose gateway leads to the carrier. */
  let from: string
  let directory: string
  let tls: { certificate: string; key: string }

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    directory = await mkdtemp(join(tmpdir(), 'jackfield-tls-'))
    tls = await selfSigned(directory)
    dns = await DnsServer.start((name) => zone[name] ?? [])
    bench = await ActionsBench.start({
      edge: { tlsCaFile: tls.certificate },
      settings: {
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
        JACKFIELD_HTTP_CLIENT_DNS_SERVERS: dns.address,
      },
    })
    ;({ phone: carrier, from } = await bench.operator())
    operator = await Telephone.open({
      ...{ username: 'bob', domain: 'pbx.test', server: '127.0.0.1:1', toneHz: operatorHz },
    })
  })
  after(async () => {
    await operator?.close()
    await bench?.stop()
    dns?.close()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const to = (uri: string): TestAction => ({
    action: 'to_operator',
    params: { phone_number: uri, from, timeout: 5 },
  })

  const reached = async (seen: number, phone = operator) => phone.called(seen)
  const areBridged = async (call: TestCall, dialog: PhoneDialog) =>
    bothTalk(call, dialog, operatorHz, callerHz)

  for (const host of ['127.0.0.1', 'pbx.test']) {
    it(`are reached at ${host}, free of charge`, async () => {
      operator.onCall = 'answer'
      const seen = operator.incoming.length
      const call = await bench.run('outbound', [to(`sip:bob@${host}:${operator.port};transport=udp`)])
      const dialog = await reached(seen)
      await areBridged(call, dialog)
      expect(dialog.received[0]).to.match(new RegExp(`^INVITE sip:bob@${host.replaceAll('.', '\\.')}:`))
      expect(dialog.received[0]).to.not.match(/X-Edge|X-Jackfield/i)
      await dialog.hangUp()
      const { record } = await call.over()
      expect(record.legs.at(-1)).to.include({
        ...{ role: 'destination', number: `bob@${host}`, gateway_id: null },
        uri: `sip:bob@${host}:${operator.port}`,
      })
      expect(record.cost).to.be.closeTo((billed(record) * feePerMinute) / 60, 1e-6)
    })
  }

  it('are paid for as a telephone number where they name one', async () => {
    operator.onCall = 'answer'
    const seen = operator.incoming.length
    const call = await bench.run('outbound', [to(`sip:+12025550106@127.0.0.1:${operator.port}`)])
    const dialog = await reached(seen)
    await areBridged(call, dialog)
    await dialog.hangUp()
    const { record } = await call.over()
    const first = (billed(record) * feePerMinute) / 60
    expect(record.cost).to.be.greaterThan(first + feePerMinute / 120)
  })

  it('are not followed to an address that a name hides', async () => {
    const seen = operator.incoming.length
    const call = await bench.run('outbound', [
      to(`sip:bob@inside.test:${operator.port}`),
      to(`sip:bob@nowhere.test:${operator.port}`),
    ])
    await call.over()
    expect(await call.outcomes()).to.deep.equal(['to_operator:failed', 'to_operator:failed'])
    expect(operator.incoming.length).to.equal(seen)
  })

  it('are no way to a carrier of others, which knows us and not who calls, by whatever name', async () => {
    const { port } = carrier
    const stranger = await bench.calls.appliance.workspace()
    const uris = [{ uri: '127.0.0.1', port, protocol: 'udp', priority: 1 }]
    const { body: gateway } = await stranger.api.post('/sip-trunks/gateways', {
      ...{ title: 'Squat', outbound_uris: uris },
    })
    expect(gateway.state).to.equal('active')
    const reached = async () => {
      const seen = carrier.incoming.length
      const outcomes: string[][] = []
      for (const host of ['127.0.0.1', 'pbx.test']) {
        const call = await bench.run('outbound', [to(`sip:118118@${host}:${port}`)])
        await call.over()
        outcomes.push(await call.outcomes())
      }
      return { calls: carrier.incoming.length - seen, outcomes: outcomes.flat() }
    }
    carrier.onCall = 486
    expect((await reached()).calls, 'a name takes nothing').to.equal(2)
    // The operator approves the other workspace's, and this one's has not been used.
    const { operator: platform } = bench.calls.appliance
    const asOperator = platform.with({ host: `${stranger.id}.localhost` })
    const path = `/sip-trunks/gateways/${gateway.id}`
    expect((await asOperator.patch(path, { is_approved: true })).status).to.equal(200)
    try {
      expect(await reached()).to.deep.equal({
        calls: 0,
        outcomes: ['to_operator:failed', 'to_operator:failed'],
      })
      const call = await bench.run('outbound', [to(`sip:118118@127.0.0.1:${port}`)])
      await call.over()
      const step = (await bench.calls.timeline(call.id)).find(({ event }) => event === 'call.action')
      expect(step?.details).to.deep.include({ outcome: 'failed', reason: 'uri_not_allowed' })
      expect(JSON.stringify(step)).to.not.match(/carrier|another/)
    } finally {
      await asOperator.delete(path)
    }
  })

  it('are of no country when they are short, and called where all countries are', async () => {
    const workspace = bench.calls.workspace.id
    const { operator: platform } = bench.calls.appliance
    const allow = async (allowed_countries: string[] | null) => {
      expect((await platform.patch(`/workspaces/${workspace}`, { allowed_countries })).status).to.equal(200)
      await sleep(2_500)
    }
    const seen = operator.incoming.length
    await allow(['US'])
    try {
      const call = await bench.run('outbound', [to(`sip:1-181-18@127.0.0.1:${operator.port}`)])
      await call.over()
      expect(await call.outcomes()).to.deep.equal(['to_operator:failed'])
      expect(operator.incoming.length).to.equal(seen)
    } finally {
      await allow(null)
    }
  })

  const refused: [uri: string, rule: string][] = [
    ['sip:bob@10.0.0.1', 'must lead to a public address'],
    ['sip:bob@127.0.0.2:5060', 'must lead to a public address'],
    ['sip:bob@169.254.169.254', 'must lead to a public address'],
    ['sip:bob@[::1]', 'must lead to a public address'],
    ['sip:bob@[::ffff:10.0.0.1]', 'must lead to a public address'],
    ['sip:bob@pbx.test:25', 'is no SIP URI'],
    ['sip:bob@pbx.test;transport=ws', 'is no SIP URI'],
    ['sip:bob:secret@pbx.test', 'is no SIP URI'],
    ['sip:bob@0x7f000001', 'is no SIP URI'],
    ['sip:bob@2130706433', 'is no SIP URI'],
    ['sip:bob@pbx.test>;fs_path=sip:x', 'is no SIP URI'],
    ['sips:bob@pbx.test', 'is no SIP URI'],
    ['sip:pbx.test', 'is no SIP URI'],
  ]
  for (const [uri, rule] of refused) {
    it(`are refused: ${uri}`, async () => {
      const { status, body } = await bench.api.post('/calls/make', {
        to: { number: from },
        actions: [to(uri)],
      })
      expect(status).to.equal(400)
      const [problem] = body.errors as { field: string; messages: string[] }[]
      expect(problem!.field).to.equal('actions.0.params.phone_number')
      expect(problem!.messages[0]).to.include(rule)
    })
  }

  for (const transport of ['tcp', 'tls'] as const) {
    it(`are reached over ${transport}`, async () => {
      const pbx = await Carrier.start({ transport, tls, toneHz: operatorHz })
      try {
        const call = await bench.run('outbound', [
          to(`sip:bob@${pbx.host}:${pbx.port};transport=${transport}`),
        ])
        await call.hears(operatorHz)
        await call.dialog.hangUp()
        const { record } = await call.over()
        expect(record.legs.at(-1)!.uri).to.equal(`sip:bob@${pbx.host}:${pbx.port}`)
        const [invite] = await pbx.waitFor('INVITE', ({ text }) => text.startsWith('INVITE sip:bob@'))
        expect(invite!.text).to.match(/^Via: SIP\/2\.0\/T(CP|LS) /im)
      } finally {
        await pbx.stop()
      }
    })
  }
})
