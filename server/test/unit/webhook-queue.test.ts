/** Several servers on one queue of deliveries, and webhooks of very different speed, on a real MariaDB. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { AuditEntry } from '../../src/infrastructure/database/audit-entry.entity.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { entities } from '../../src/app/entities.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { GuardedClient } from '../../src/infrastructure/http-client/guarded-client.js'
import { DeliveryQueue } from '../../src/features/webhooks/delivery-queue.js'
import { RetrySchedule } from '../../src/features/webhooks/retry-schedule.js'
import { Webhooks } from '../../src/features/webhooks/webhooks.js'
import { Workspace } from '../../src/features/workspaces/workspace.entity.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'
import { nothingKept } from '../support/nothing-kept.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'

describe('the queue of deliveries', function () {
  this.timeout(30_000)
  const receiver = new WebhookReceiver()
  const client = new GuardedClient({ allowed_networks: [parseNetwork('127.0.0.1/32')!], dns_servers: [] })
  const secrets = new SecretBox(new Keyring(randomBytes(32)))
  let database: Database
  let servers: Webhooks[] = []

  before(async () => {
    await receiver.start()
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 20 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
  })
  afterEach(async () => {
    await receiver.stop()
    await Promise.all(servers.map(async ({ worker }) => worker.stop()))
    servers = []
    for (const table of ['webhook_queue', 'webhook_deliveries', 'webhooks']) {
      await database.source.query(`DELETE FROM ${table}`)
    }
    receiver.received.length = 0
    receiver.mostOpen = 0
    receiver.answering = () => 204
    await receiver.start()
  })
  after(async () => {
    client?.close()
    await receiver?.stop()
    await database?.close()
  })

  function newServer(): Webhooks {
    const settings = {
      ...{ timeout: 3, first_retry: 1, longest_pause: 1, retry_for: 60, disable_after: 60 },
    }
    const log = pino({ level: 'silent' })
    const server = new Webhooks({ database, secrets, client, log, settings, limit: 20, kept: nothingKept })
    servers.push(server)
    return server
  }

  async function workspaceWith(server: Webhooks, ...paths: string[]): Promise<{ id: string }> {
    const now = new Date()
    const id = `ws-${randomBytes(4).toString('hex')}`
    await database
      .platformTable(Workspace)
      .insert({ id, title: id, country_code: 'US', created_at: now, updated_at: now })
    for (const path of paths)
      await server.service.create({ id }, { url: receiver.url(path), events: ['call.ended'] })
    return { id }
  }

  async function happen(server: Webhooks, workspace: { id: string }, count: number): Promise<void> {
    await database.transaction(async (tx) => {
      for (let index = 0; index < count; index++) {
        const event = {
          id: newId('evt'),
          event: 'call.ended',
          workspace_id: workspace.id,
          created_at: new Date(),
          data: {},
        }
        await server.events.record(tx, [event])
      }
    })
  }

  const reached = async (count: number, path?: string) =>
    eventually(
      async () => (path === undefined ? receiver.received : receiver.at(path)).length,
      (length) => length >= count,
      { withinMs: 20_000, what: `${count} deliveries` },
    )

  it('is emptied by two servers together, each delivery once', async () => {
    const [one, two] = [newServer(), newServer()]
    const workspaces = await Promise.all(['/a', '/b', '/c'].map(async (path) => workspaceWith(one, path)))
    for (const workspace of workspaces) await happen(one, workspace, 50)
    one.worker.start()
    two.worker.start()
    await reached(150)
    await sleep(1_500)
    const ids = receiver.received.map(({ headers }) => headers['jackfield-delivery'])
    expect(ids).to.have.length(150)
    expect(new Set(ids).size).to.equal(150)
    const rows = await database.source.query<unknown[]>('SELECT * FROM webhook_queue')
    expect(rows).to.deep.equal([])
  })

  it('delivers nothing of an event whose transaction fails', async () => {
    const server = newServer()
    const workspace = await workspaceWith(server, '/a')
    server.worker.start()
    const failed = database.transaction(async (tx) => {
      const event = {
        id: newId('evt'),
        event: 'call.ended',
        workspace_id: workspace.id,
        created_at: new Date(),
        data: {},
      }
      await server.events.record(tx, [event])
      await sleep(200)
      throw new Error('rolled back')
    })
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('rolled back')
    await happen(server, workspace, 1)
    await reached(1)
    await sleep(300)
    expect(receiver.received).to.have.length(1)
  })

  it('keeps one webhook’s dead server from another’s deliveries, though many are due to it', async () => {
    const server = newServer()
    receiver.answering = ({ path }) => (path.startsWith('/dead') ? null : 204)
    const dead = await workspaceWith(server, ...[1, 2, 3, 4].map((index) => `/dead${index}`))
    const alive = await workspaceWith(server, '/alive')
    await happen(server, dead, 100)
    server.worker.start()
    await reached(8)
    const since = Date.now()
    await happen(server, alive, 20)
    await reached(20, '/alive')
    expect(Date.now() - since).to.be.below(2_500)
    const hanging = receiver.received.filter(({ path }) => path.startsWith('/dead')).length
    expect(hanging, 'requests that the dead servers hold').to.be.at.most(10)
  })

  it('switches a webhook off once, though several deliveries come back at once', async () => {
    const server = newServer()
    receiver.answering = () => 410
    const workspace = await workspaceWith(server, '/gone')
    await happen(server, workspace, 20)
    server.worker.start()
    await reached(2)
    const actions = async () =>
      database.platformTable(AuditEntry).findBy({ workspace_id: workspace.id, action: 'webhook.disable' })
    const [entry] = await eventually(actions, (all) => all.length > 0)
    expect(entry).to.deep.include({
      actor_kind: 'system',
      actor_id: null,
      target_name: receiver.url('/gone'),
    })
    expect(entry?.changes).to.deep.equal({
      is_active: { from: true, to: false },
      disabled_reason: { from: null, to: 'Its server answered 410 Gone' },
    })
    await sleep(1_500)
    expect(await actions()).to.have.length(1)
    expect(receiver.received.length, 'attempts under way when it was switched off').to.be.at.most(10)
  })

  it('finds the next delivery of each webhook without reading those behind it', async () => {
    const server = newServer()
    const workspace = await workspaceWith(server, '/many')
    await database.source.query(`
      INSERT INTO webhook_queue (delivery_id, workspace_id, webhook_id, due_at, give_up_at)
      SELECT CONCAT('whd_', seq), '${workspace.id}', CONCAT('wh_', seq % 5), NOW(3), NOW(3) FROM seq_1_to_50000`)
    await database.source.query('ANALYZE TABLE webhook_queue')
    const read = async () => {
      const [row] = await database.source.query<{ Value: string }[]>(
        "SHOW GLOBAL STATUS LIKE 'Handler_read_next'",
      )
      return Number(row?.Value)
    }
    const before = await read()
    expect(await new DeliveryQueue(database).due(new Date(Date.now() + 60_000))).to.have.length(5)
    expect((await read()) - before).to.be.below(1_000)
  })

  it('is not slowed by a webhook of the same workspace that fails', async () => {
    const server = newServer()
    receiver.answering = ({ path }) => (path === '/broken' ? 500 : 204)
    const workspace = await workspaceWith(server, '/broken', '/fine')
    server.worker.start()
    await happen(server, workspace, 40)
    await reached(40, '/fine')
    expect(new Set(receiver.at('/fine').map(({ headers }) => headers['jackfield-delivery'])).size).to.equal(
      40,
    )
  })
})

describe('the schedule of retries', () => {
  const settings = { first_retry: 10, longest_pause: 21_600, retry_for: 259_200 }

  function pausesOf(random: number): number[] {
    const schedule = new RetrySchedule(settings, () => random)
    const begun = new Date()
    const give_up_at = schedule.giveUpAt(begun)
    const pauses = []
    let at = begun
    for (let retries = 0; ; retries++) {
      const next = schedule.next(at, { retries, give_up_at })
      if (!next) return pauses
      pauses.push(Math.round((next.getTime() - at.getTime()) / 1000))
      at = next
    }
  }

  it('is that of the documentation: threefold pauses up to six hours, for three days', () => {
    const pauses = pausesOf(0.5)
    expect(pauses.slice(0, 9)).to.deep.equal([10, 30, 90, 270, 810, 2_430, 7_290, 21_600, 21_600])
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).to.equal(259_200)
    expect(pauses).to.have.length(19)
  })

  it('varies by a fifth, and never beyond its end', () => {
    expect(pausesOf(0)[0]).to.equal(8)
    expect(pausesOf(0.999)[0]).to.equal(12)
    for (const random of [0, 0.999]) {
      // Each pause is rounded to a second.
      const sum = pausesOf(random).reduce((total, pause) => total + pause, 0)
      expect(sum).to.be.closeTo(259_200, 10)
    }
  })
})
