/** What the servers of cells write and read of one another, on a real MariaDB. */
import { expect } from 'chai'
import { pino } from 'pino'
import { CellService } from '../../src/features/cells/cell.service.js'
import { Cells } from '../../src/features/cells/cells.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { OwnConnection } from '../../src/infrastructure/database/own-connection.js'
import { entities } from '../../src/app/entities.js'
import { ApiError } from '../../src/infrastructure/http/errors.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'

const deadlineMs = 1_500

describe('cells in their table', function () {
  this.timeout(30_000)
  let database: Database
  let settings: ConstructorParameters<typeof OwnConnection>[0]
  let logged: string[]
  let heardAt: Date | null
  const all: Cells[] = []

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    settings = { host, port, user, password, name, socket: '', pool: 2 }
    database = new Database(settings, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
  })
  beforeEach(() => {
    logged = []
    heardAt = new Date('2026-01-01T10:00:00.000Z')
  })
  afterEach(async () => {
    await Promise.all(all.splice(0).map(async (one) => one.stop()))
    await database.source.query('DELETE FROM cells')
  })
  after(async () => database?.close())

  const cell = async (name: string, switchAddress: string, serverId = `server-${name}-${switchAddress}`) => {
    const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
    const own = {
      ...{ name, switchAddress, serverId, mayDrive: true },
      ...{ drives: () => true, isUp: () => heardAt !== null, heardAt: () => heardAt },
    }
    const made = new Cells(new OwnConnection(settings, deadlineMs), own, log)
    all.push(made)
    await made.start()
    return made
  }
  const driven = (one: Cells) => {
    let isDriven = false
    one.whenOurs(() => (isDriven = true))
    return () => isDriven
  }
  const row = async (name: string) =>
    (
      await database.source.query<{ switch_address: string; beat_at: Date; heard_at: Date | null }[]>(
        'SELECT * FROM cells WHERE name = ?',
        [name],
      )
    )[0]
  const service = new CellService({
    get database() {
      return database
    },
    changed: async () => {
      await Promise.all(all.map(async (one) => one.refresh()))
    },
  })
  const refusal = (one: Cells) => {
    try {
      one.check()
      return null
    } catch (error) {
      return (error as ApiError).status
    }
  }

  it('are one switch each: a second of one name drives nothing while the first lives', async () => {
    const first = await cell('one', '10.0.0.11:5080')
    const standby = await cell('one', '10.0.0.11:5080', 'another-server')
    const second = await cell('one', '10.0.0.12:5080')
    expect([driven(first)(), driven(standby)(), driven(second)()]).to.deep.equal([true, true, false])
    expect(logged.join()).to.contain('JACKFIELD_CELL').and.contain('10.0.0.11:5080')
    await second.refresh()
    expect((await row('one'))?.switch_address).to.equal('10.0.0.11:5080')

    const isDriven = driven(second)
    await Promise.all(all.splice(0, 2).map(async (one) => one.stop()))
    await second.refresh()
    expect(isDriven(), 'it may just restart').to.equal(false)
    await database.source.query('UPDATE cells SET beat_at = beat_at - INTERVAL 1 HOUR')
    const began = performance.now()
    await second.refresh()
    expect(isDriven(), 'an old beat is no silence that it has seen').to.equal(false)
    await eventually(async () => Promise.resolve(isDriven()), Boolean, {
      ...{ what: 'the name', withinMs: 15_000 },
    })
    expect(performance.now() - began).to.be.above(5_000)
    expect((await row('one'))?.switch_address).to.equal('10.0.0.12:5080')
  })

  it('lose their switch to another that has taken the name, until that one is silent', async () => {
    const one = await cell('one', '10.0.0.11:5080')
    let [lost, again] = [0, 0]
    one.on('lost', () => (lost += 1))
    await database.source.query(
      `UPDATE cells SET switch_address = '10.0.0.12:5080', server_id = 'another', beat_at = UTC_TIMESTAMP(3)`,
    )
    await one.refresh()
    expect(lost).to.equal(1)
    expect((await row('one'))?.switch_address).to.equal('10.0.0.12:5080')
    one.on('claimed', () => (again += 1))
    await eventually(
      async () => Promise.resolve(again),
      (count) => count === 1,
      { what: 'the name again', withinMs: 15_000 },
    )
    expect(lost).to.equal(1)
    expect((await row('one'))?.switch_address).to.equal('10.0.0.11:5080')
  })

  it('say that they live while others hold all connections, and again when the database has hung', async () => {
    const one = await cell('one', '')
    const before = (await row('one'))!.beat_at
    const busy = Promise.all([1, 2].map(async () => database.source.query('SELECT SLEEP(1)')))
    await one.refresh()
    await busy
    const after = (await row('one'))!.beat_at
    expect(after).to.be.above(before)

    const held = database.source.createQueryRunner()
    await held.query('LOCK TABLES cells WRITE')
    const began = performance.now()
    await one.refresh()
    expect(performance.now() - began, 'given up').to.be.below(deadlineMs * 4)
    await held.query('UNLOCK TABLES')
    await held.release()
    await eventually(
      async () => (await row('one'))!.beat_at,
      (beat) => beat > after,
      { what: 'another beat' },
    )
  })

  it('say when their switches were last known to live, by their own clocks', async () => {
    const first = await cell('one', '10.0.0.11:5080')
    expect(first.heardBefore).to.equal(null)
    expect((await row('one'))?.heard_at).to.deep.equal(heardAt)
    await first.stop()
    const last = heardAt
    heardAt = null
    const second = await cell('one', '10.0.0.11:5080', 'its-successor')
    expect(second.heardBefore, 'what a successor knows of an earlier switch').to.deep.equal(last)
    expect((await row('one'))?.heard_at, 'it has no switch itself').to.deep.equal(last)
    heardAt = new Date('2026-01-01T11:00:00.000Z')
    await second.refresh()
    expect((await row('one'))?.heard_at).to.deep.equal(heardAt)
  })

  it('that drain leave new calls to the others, and refuse them where there is none', async () => {
    const [one, two] = [await cell('one', '10.0.0.11:5080'), await cell('two', '10.0.0.12:5080')]
    const drained = await service.setDraining('one', true)
    expect(drained).to.include({ name: 'one', is_draining: true, is_up: true, live_calls: 0 })
    expect([one.ofNewCall, two.ofNewCall, refusal(one)]).to.deep.equal(['two', 'two', null])
    expect(one.isClosed, 'edges do not know it yet').to.equal(false)
    await service.setDraining('two', true)
    expect([refusal(one), refusal(two), one.isClosed]).to.deep.equal([503, 503, true])
    await service.setDraining('one', false)
    expect([one.ofNewCall, two.ofNewCall, refusal(two)]).to.deep.equal(['one', 'one', null])
    const actions = await database.source.query<object[]>(
      "SELECT action, target_id FROM audit_log WHERE target_type = 'cell' ORDER BY created_at, id",
    )
    expect(actions).to.have.lengthOf(3)
    const unknown = await service.setDraining('three', true).catch((error: unknown) => error)
    expect((unknown as ApiError).status).to.equal(404)
  })
})
