/** What the operator is told of the platform: its parts, what waits, and what is still to be set up. */
import { expect } from 'chai'
import { checks } from '../../src/features/platform/checks.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import { Appliance, availableSwitches } from '../support/appliance.js'
import { RedisServer } from '../support/redis.js'
import { SmtpReceiver } from '../support/smtp-receiver.js'
import { newCarrier } from './carrier-fixtures.js'
import { query } from './database.js'
import {
  acl,
  mailSettings,
  newActiveNumber,
  newCall,
  newGateway,
  startUnlimited,
  succeed,
} from './fixtures.js'

const unlimited = { JACKFIELD_RATE_LIMITS_DEFAULT: '1000000', JACKFIELD_RATE_LIMITS_HEAVY: '1000000' }

const statusOf = async (operator: ApiClient) => succeed(operator.get('/operator/status'))

/** The items of the checklist, by id. */
async function checklistOf(operator: ApiClient): Promise<Record<string, any>> {
  const { items } = await succeed(operator.get('/operator/checklist'))
  return Object.fromEntries(items.map((item: { id: string }) => [item.id, item]))
}

describe('what the operator is told of the platform', function () {
  this.timeout(120_000)

  describe('on the switches', () => {
    let appliance: Appliance | undefined
    afterEach(async () => appliance?.stop())

    it('tells each part’s version and what it does, and when it is down', async () => {
      for (const kind of await availableSwitches()) {
        appliance = await Appliance.start({ switch: kind, edge: {}, settings: unlimited })
        const { operator } = appliance
        const seen = await statusOf(operator)
        expect(seen.state, JSON.stringify(seen)).to.equal('ok')
        expect(seen.switch.facts).to.include({ kind, channels: 0 })
        expect(seen.switch.facts.version).to.match(/^\d+\.\d+/)
        expect(seen.switch.facts.max_channels).to.be.greaterThan(0)
        expect(seen.switch.facts.keeps_journal).to.equal(true)
        expect(seen.edge.facts.version).to.match(/^\d+\.\d+/)
        expect(seen.database.facts.size_bytes).to.be.greaterThan(0)
        expect(seen.redis.state).to.equal('absent')
        expect(seen.servers).to.have.length(1)
        expect(seen.servers[0].facts).to.include({ drives_calls: true })
        expect(seen.servers[0].facts.disks[0].purpose).to.equal('media')

        const list = await checklistOf(operator)
        expect(list['switch'].reason).to.equal(kind)
        expect(list['sip_address']).to.include({ state: 'todo', reason: 'loopback_address' })
        expect(list['sip_certificate']).to.include({ state: 'todo', reason: 'self_signed' })
        expect(list['web_address'].reason).to.equal('only_this_machine')

        await appliance.kamailio?.stop()
        const without = await statusOf(operator)
        expect(without.state).to.equal('degraded')
        expect(without.edge).to.deep.equal({ state: 'down', facts: null })
        expect(without.database.state).to.equal('up')
        await appliance.stop()
        appliance = undefined
      }
    })
  })

  it('names a FreeSWITCH that keeps no journal', async () => {
    const finds = async (facts: object | null) => {
      const evidence = { status: { switch: { facts } } } as unknown as Parameters<typeof checks.switch>[0]
      return (await checks.switch(evidence)).reason
    }
    expect(await finds({ kind: 'freeswitch', version: '1', keeps_journal: false })).to.equal('no_journal')
    expect(await finds({ kind: 'freeswitch', version: '1', keeps_journal: true })).to.equal('freeswitch')
    expect(await finds({ kind: 'sandbox', version: '1', keeps_journal: false })).to.equal('sandbox')
    expect(await finds(null)).to.equal('switch_down')
  })

  describe('of its work', () => {
    let appliance: Appliance
    let operator: ApiClient
    let mail: SmtpReceiver
    before(async () => {
      mail = await SmtpReceiver.start()
      appliance = await startUnlimited(mailSettings(mail.port))
      operator = appliance.operator
    })
    after(async () => {
      await appliance?.stop()
      await mail?.stop()
    })

    it('lists what a new platform lacks, and ticks off what is done', async () => {
      const empty = await checklistOf(operator)
      const states = Object.fromEntries(Object.entries(empty).map(([id, { state }]) => [id, state]))
      expect(states).to.deep.include({ workspace: 'todo', credit: 'todo', trunk: 'todo', number: 'todo' })
      expect(states).to.deep.include({ sms_carrier: 'optional', ai_provider: 'optional', push: 'optional' })
      expect(states).to.deep.include({ caller_signing: 'optional', caller_verification: 'optional' })
      expect(empty['workspace'].command).to.contain('jackfield workspace create')

      const workspace = await appliance.workspace({ credit: 0 })
      const made = await checklistOf(operator)
      expect(made['workspace']).to.include({ state: 'done', message: 'Workspaces: 1.' })
      expect(made['credit'].state).to.equal('todo')

      await succeed(operator.post(`/workspaces/${workspace.id}/credit`, { amount: 10 }))
      await newGateway(workspace.api)
      const number = await newActiveNumber(appliance, workspace)
      const set = await checklistOf(operator)
      for (const id of ['credit', 'trunk', 'number']) expect(set[id].state, id).to.equal('done')

      await succeed(
        operator.patch(`/workspaces/${workspace.id}/phone-numbers/${number.id}`, { status: 'pending' }),
      )
      expect((await checklistOf(operator))['number']).to.include({ state: 'todo', reason: 'numbers_pending' })
    })

    it('looks at the certificate to sign with, and at ACLs whose callers nobody verifies', async () => {
      const now = new Date('2026-01-01T00:00:00Z')
      const finds = async (
        id: 'caller_signing' | 'caller_verification',
        stir: object,
        verifying_acls = 0,
      ) => {
        const evidence = { stir, now, counts: { verifying_acls } } as unknown as Parameters<
          typeof checks.caller_signing
        >[0]
        return (await checks[id](evidence)).reason
      }
      for (const [until, reason] of [
        [null, 'no_signing'],
        ['2026-01-16', 'signing'],
        ['2026-01-14', 'signing_expires'],
        ['2026-01-01', 'signing_expired'],
      ] as const)
        expect(await finds('caller_signing', { signsUntil: until && new Date(until) })).to.equal(reason)
      expect(await finds('caller_verification', { verifies: true }, 1)).to.equal('verification')
      expect(await finds('caller_verification', { verifies: false })).to.equal('no_verification')
      expect(await finds('caller_verification', { verifies: false }, 1)).to.equal('authorities_missing')

      // As it is where the authorities were taken away after the ACL was made.
      const { api } = await appliance.workspace()
      const { id } = await succeed(api.post('/sip-trunks/acls', acl))
      await query(appliance, "UPDATE inbound_acls SET unverified_callers = 'refuse' WHERE id = ?", [id])
      const list = await checklistOf(operator)
      expect(list['caller_verification']).to.deep.include({ state: 'failing', values: { count: '1' } })
    })

    it('names gateways whose addresses calls may not be sent to, as they were before the networks were named', async () => {
      const { api, id: workspace } = await appliance.workspace()
      const gateway = await newGateway(api)
      await query(
        appliance,
        `INSERT INTO gateway_addresses
           (gateway_id, workspace_id, host, port, address, first_seen_at, seen_at, due_at)
         VALUES (?, ?, 'carrier.inside', 5060, '10.0.0.9', NOW(3), NOW(3), NULL)`,
        [gateway, workspace],
      )
      const { trunk } = await checklistOf(operator)
      expect(trunk).to.deep.include({
        ...{ state: 'failing', reason: 'gateways_refused' },
        values: { count: '1', gateway, host: 'carrier.inside' },
      })
      expect(trunk.advice).to.include('JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS')
      await succeed(api.delete(`/sip-trunks/gateways/${gateway}`))
    })

    it('says whether the mail server takes our mail, in its words', async () => {
      expect((await checklistOf(operator))['mail']).to.include({ state: 'done' })
      await mail.stop()
      const refused = (await checklistOf(operator))['mail']
      expect(refused).to.include({ state: 'failing', reason: 'mail_refused' })
      expect(refused.message).to.contain('ECONNREFUSED')
    })

    it('names a carrier whose link is down, and counts what waits for it', async () => {
      const idle = await newCarrier(appliance, { title: 'Idle', is_active: false })
      expect((await checklistOf(operator))['sms_carrier']).to.include({ reason: 'carriers_idle' })
      await newCarrier(appliance, { title: 'Blue' })
      const down = await eventually(
        async () => (await checklistOf(operator))['sms_carrier'],
        ({ reason }) => reason === 'carriers_down',
        { withinMs: 20_000, what: 'a carrier that is down' },
      )
      expect(down.message).to.contain('Blue')
      const { work } = await statusOf(operator)
      expect(work.carriers.find(({ id }: { id: string }) => id === idle)).to.include({
        ...{ title: 'Idle', state: 'inactive', waiting: 0 },
      })
    })

    it('counts channels and calls that live', async () => {
      const workspace = await appliance.workspace()
      await newActiveNumber(appliance, workspace)
      await newCall(workspace.api)
      await eventually(
        async () => statusOf(operator),
        ({ switch: { facts }, work }) => facts.channels > 0 && work.live_calls > 0,
        { withinMs: 10_000, what: 'a live call' },
      )
    })

    it('counts webhooks, jobs and registrations that there are', async () => {
      const past = new Date(Date.now() - 60_000)
      await query(
        appliance,
        `INSERT INTO outbox (id, kind, payload, due_at, attempts, created_at) VALUES ('job_1', 'nobodys', '{}', ?, 3, ?)`,
        [past, past],
      )
      await query(
        appliance,
        `INSERT INTO location (ruid, username, domain, contact, expires) VALUES
         ('a', 'hall', 'acme.sip.localhost', 'sip:a', UNIX_TIMESTAMP() + 60),
         ('b', 'hall', 'acme.sip.localhost', 'sip:b', UNIX_TIMESTAMP() + 60),
         ('c', 'old', 'acme.sip.localhost', 'sip:c', UNIX_TIMESTAMP() - 60)`,
      )
      const { work } = await statusOf(operator)
      expect(work.jobs).to.deep.include({
        ...{ kind: 'nobodys', waiting: 1, failing: 1, oldest_at: past.toISOString() },
      })
      expect(work).to.include({ registrations: 2, registered_accounts: 1 })
      expect(work.webhooks).to.deep.equal({ waiting: 0, oldest_due_at: null, switched_off: 0 })
    })
  })

  it('asks all servers, and tells which drives the calls', async () => {
    const redis = await RedisServer.start()
    const appliance = await Appliance.start({ settings: { ...unlimited, JACKFIELD_REDIS_URL: redis.url } })
    try {
      const another = appliance.operator.with({ port: await appliance.startAnotherServer() })
      for (const operator of [appliance.operator, another]) {
        const seen = await eventually(
          async () => statusOf(operator),
          ({ servers, state }) => servers.length === 2 && state === 'ok',
          { withinMs: 20_000, what: 'two servers' },
        )
        expect(seen.redis.state).to.equal('up')
        expect(seen.switch.facts.kind).to.equal('sandbox')
        expect(seen.servers.map(({ facts }: any) => facts.drives_calls).toSorted()).to.deep.equal([
          false,
          true,
        ])
        expect(seen.servers.filter(({ is_this }: any) => is_this)).to.have.length(1)
      }
    } finally {
      await appliance.stop()
      await redis.stop()
    }
  })
})
