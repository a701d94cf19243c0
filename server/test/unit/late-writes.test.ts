/** What a cell that was taken for dead still writes of its calls when it is back, on a real MariaDB. */
import { completed } from '../../src/features/calls/model/termination.js'
import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { CallSessions } from '../../src/features/calls/running/call-sessions.js'
import { CallStore } from '../../src/features/calls/model/call-store.js'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import { newLeg } from '../../src/features/calls/model/new-leg.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { insertRows } from '../../src/infrastructure/database/rows.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { CallLeg } from '../../src/features/calls/model/call-leg.entity.js'
import { entities } from '../../src/app/entities.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'

const begun = new Date('2026-01-01T10:00:00.000Z')
/** When the cell was last heard of: the calls that others ended were charged until then. */
const lastSeen = new Date('2026-01-01T10:01:00.000Z')
const later = new Date('2026-01-01T10:09:00.000Z')

describe('a cell that was taken for dead', function () {
  this.timeout(30_000)
  let database: Database
  let store: CallStore
  let told: unknown[]
  let count = 0

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 5 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
    await database.source.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at)
       VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
    )
  })
  beforeEach(() => {
    told = []
    const nothing = {} as never
    const sink = { record: async (_: unknown, events: object[]) => Promise.resolve(told.push(...events)) }
    store = new CallStore(database, nothing, sink as never, nothing, nothing, 'back', nothing)
    store.on('changed', () => told.push('changed'))
  })
  afterEach(async () => database.source.query('UPDATE calls SET live = NULL'))
  after(async () => database?.close())

  const add = async (values: object): Promise<Call> => {
    const id = `call_${++count}`
    const row = {
      ...{ id, workspace_id: 'acme', cell: 'back', direction: 'outbound', status: 'created', live: 1 },
      ...{ from_number: '', from_name: '', to_number: '', to_name: '', max_duration: 1, script: '[]' },
      ...{ created_at: begun, duration: 0, cost: 0, program: 'over', line: 'caller', ...values },
    }
    await database.source.query(`INSERT INTO calls (${Object.keys(row).join()}) VALUES (?)`, [
      Object.values(row),
    ])
    return (await store.load(id))!
  }
  const rowOf = async ({ id }: Call) =>
    database.source.query<object[]>('SELECT * FROM calls WHERE id = ?', [id])
  const legOf = async ({ id }: CallLeg) =>
    (await database.source.query<Record<string, unknown>[]>('SELECT * FROM call_legs WHERE id = ?', [id]))[0]
  const eventsOf = async ({ id }: Call) =>
    database.source.query<object[]>('SELECT * FROM call_events WHERE call_id = ?', [id])
  const end = { ...completed('NORMAL_CLEARING', 'caller'), endedAt: later }

  it('brings no call back that others have ended, nor makes its legs longer than they were charged', async () => {
    const call = await add({ status: 'completed', live: null, answered_at: begun, ended_at: lastSeen })
    const ofCall = { role: 'called', number: '', uri: '' } as const
    const [answered, rung] = ['talked', 'rung'].map((channel) =>
      newLeg(call, { ...ofCall, channel_id: `${call.id}-${channel}` }),
    ) as [CallLeg, CallLeg]
    const ended = { ended_at: lastSeen, hangup_cause: 'CRASH' }
    await insertRows(database.source.manager, CallLeg, [
      { ...answered, created_at: begun, answered_at: begun, ...ended },
      { ...rung, created_at: begun, ...ended },
    ])
    const before = [await rowOf(call), await eventsOf(call)]
    await store.ringing(call, 180, later)
    await store.answered(call, rung, later)
    await store.bridged(call, 'bridge')
    expect(told).to.deep.equal([])
    await store.legAnswered(rung, later)
    const legEnd = { hangupCause: 'NORMAL_CLEARING', sipCode: null, answeredAt: later, endedAt: later }
    await store.legEnded(rung, legEnd)
    expect(await store.ended(call, end, { leg: answered, end: legEnd })).to.equal(false)
    expect([await rowOf(call), await eventsOf(call)]).to.deep.equal(before)
    expect(await legOf(rung)).to.deep.include({ answered_at: null, ended_at: lastSeen })
    expect(await legOf(answered)).to.deep.include({ answered_at: begun, ended_at: lastSeen })
  })

  it('writes the own end of a leg that came before that of its call was written', async () => {
    const call = await add({ answered_at: begun })
    const leg = newLeg(call, { channel_id: call.id, role: 'called', number: '', uri: '' })
    await insertRows(database.source.manager, CallLeg, [{ ...leg, created_at: begun }])
    const legEnd = { hangupCause: 'NORMAL_CLEARING', sipCode: 200, answeredAt: begun, endedAt: later }
    await store.legEnded(leg, legEnd)
    expect(await legOf(leg)).to.deep.include({
      ...{ answered_at: begun, ended_at: later, hangup_cause: 'NORMAL_CLEARING', sip_code: 200 },
    })
  })

  it('waits for no other call when a leg has ended', async () => {
    const [call, other] = [await add({ answered_at: begun }), await add({ answered_at: begun })]
    const leg = newLeg(call, { channel_id: call.id, role: 'called', number: '', uri: '' })
    await insertRows(database.source.manager, CallLeg, [{ ...leg, created_at: begun }])
    const legEnd = { hangupCause: 'NORMAL_CLEARING', sipCode: 200, answeredAt: begun, endedAt: later }
    await database.transaction(async (tx) => {
      await tx.query('SELECT id FROM calls WHERE id = ? FOR UPDATE', [other.id])
      await store.legEnded(leg, legEnd)
    })
    expect(await legOf(leg)).to.deep.include({ ended_at: later })
  })

  it('ends no call that another one goes on with, and lets go of it', async () => {
    const { sessions, waits } = sessionsOf(store)
    await eventually(async () => Promise.resolve(sessions.isReady), Boolean)
    const moved = await add({})
    await sessions.place({
      ...{ id: 'job_1', workspace_id: moved.workspace_id, attempts: 0, created_at: new Date() },
      payload: { call_id: moved.id },
    })
    expect(sessions.find(moved.id)).not.to.equal(undefined)
    await database.source.query("UPDATE calls SET cell = 'heir' WHERE id = ?", [moved.id])
    const before = await rowOf(moved)

    expect(await store.ended(moved, end)).to.equal(false)
    await store.ringing(moved, 180, later)
    await store.bridged(moved, 'bridge')
    expect(await rowOf(moved)).to.deep.equal(before)
    expect(told).to.deep.equal([])

    await sessions.dropEnded()
    await turn()
    expect(sessions.find(moved.id)).to.equal(undefined)
    expect(waits[0]?.aborted, 'its app is not waited for').to.equal(true)
    await Promise.all([...Array<undefined>(5)].map(async () => turn()))
    expect(await rowOf(moved)).to.deep.equal(before)
    expect(await eventsOf(moved)).to.deep.equal([])
  })
})

/** Of the cell that is back: it waits for apps that never come. */
function sessionsOf(store: CallStore): { sessions: CallSessions; waits: AbortSignal[] } {
  const waits: AbortSignal[] = []
  const switchboard = Object.assign(new EventEmitter(), {
    abandonAll: () => undefined,
    channelIds: async () => Promise.resolve([]),
    kill: async () => Promise.resolve(),
  })
  const link = Object.assign(new EventEmitter(), { isUp: true, api: async () => Promise.resolve('1') })
  const sessions = new CallSessions({
    ...{ store, switchboard, link, cell: 'back', cells: { heardBefore: null }, edgeHosts: [] },
    routeDialer: {
      dial: async (_call: Call, _route: unknown, { signal }: { signal: AbortSignal }) => {
        waits.push(signal)
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('no app has come')))
        })
      },
    },
    actions: {
      routing: {},
      queues: { restore: async () => Promise.resolve(), forgetAllBut: () => undefined },
    },
    journal: { of: () => ({}) },
    claims: { restore: () => undefined, keepOnly: async () => Promise.resolve() },
    clientLegs: { restore: async () => Promise.resolve() },
    log: pino({ level: 'silent' }),
  } as never)
  link.emit('up')
  return { sessions, waits }
}
