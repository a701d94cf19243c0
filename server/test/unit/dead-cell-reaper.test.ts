/** Which cells are taken to be dead, on a real MariaDB; the clock is the test's. */
import type { CallEnd } from '../../src/features/calls/model/call-end.js'
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import { CallGoneError, CallStore } from '../../src/features/calls/model/call-store.js'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import { newLeg } from '../../src/features/calls/model/new-leg.js'
import { DeadCellReaper } from '../../src/features/calls/recovery/dead-cell-reaper.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { entities } from '../../src/app/entities.js'
import { sharedMariadb } from '../support/mariadb.js'

const everyMs = 2_000

describe('the reaper of dead cells', function () {
  this.timeout(30_000)
  let database: Database
  let socket: Socket
  /** Of a switch that answers. */
  let answering: string
  let clock: number
  let isAway: boolean
  let heard: Set<string>
  let buried: string[]
  let isOwnDead: boolean
  let successor: string | null
  /** By the cell. */
  let live: Record<string, Call[]>
  let ended: [id: string, end: CallEnd, cell: string | undefined][]
  let reaper: DeadCellReaper

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 5 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
    socket = createSocket('udp4')
    socket.on('message', (_, { port, address }) => socket.send('SIP/2.0 200 OK\r\n\r\n', port, address))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    answering = `127.0.0.1:${socket.address().port}`
  })
  beforeEach(() => {
    ;[clock, isAway, heard, buried, isOwnDead, successor] = [0, false, new Set(), [], false, 'own']
    ;[live, ended] = [{}, []]
    const source = Object.assign(Object.create(database.source) as Database['source'], {
      query: async (...args: Parameters<Database['source']['query']>) =>
        isAway ? Promise.reject(new Error('away')) : database.source.query(...args),
    })
    reaper = new DeadCellReaper({
      database: Object.assign(Object.create(database) as Database, { source }),
      store: {
        live: async (cell: string) => Promise.resolve(live[cell] ?? []),
        legsOf: async () => Promise.resolve([]),
        ended: async ({ id }: Call, end: CallEnd, _line: unknown, _notes: unknown, cell?: string) =>
          Promise.resolve(ended.push([id, end, cell]) > 0),
      } as unknown as CallStore,
      cells: {
        name: 'own',
        get successor() {
          return successor
        },
      },
      ownSwitch: { isDead: async () => Promise.resolve(isOwnDead) },
      isHeard: (cell) => heard.has(cell),
      jobs: ['place_call'],
      wake: () => undefined,
      ended: () => undefined,
      reaped: async (cell) => {
        buried.push(cell)
        await forget(cell)
      },
      log: pino({ level: 'silent' }),
      now: () => clock,
    })
  })
  afterEach(async () => {
    await database.source.query('DELETE FROM cells')
    await database.source.query('DELETE FROM agent_claims')
  })
  after(async () => {
    socket?.close()
    await database?.close()
  })

  const forget = async (cell: string) =>
    database.source.query('DELETE FROM agent_claims WHERE cell = ?', [cell])
  /** A cell whose row is old, and which has left something. */
  const addCell = async (name: string, address = '') => {
    await database.source.query(
      `INSERT INTO cells (name, switch_address, server_id, beat_at, is_up)
       VALUES (?, ?, 'gone', UTC_TIMESTAMP(3) - INTERVAL 200 SECOND, TRUE)`,
      [name, address],
    )
    await database.source.query('INSERT INTO agent_claims VALUES (?, ?, ?, UTC_TIMESTAMP(3))', [
      ...[`ag_${name}`, name, 'call_1'],
    ])
  }
  const talking = (id: string) => {
    const at = new Date('2026-01-01T10:00:00.000Z')
    return { id, status: 'active', created_at: at, answered_at: at } as Call
  }
  const look = async (seconds: number) => {
    for (const until = clock + seconds * 1_000; clock < until;) {
      clock += everyMs
      await reaper.look().catch(() => undefined)
    }
  }

  it('counts for how long it has itself not heard of a cell, and anew when the database was away', async () => {
    await addCell('mute')
    await look(6)
    expect(buried, 'a beat that is old and may be renewed').to.deep.equal([])
    isAway = true
    await look(2)
    isAway = false
    await look(6)
    expect(buried, 'what it saw before counts no more').to.deep.equal([])
    await look(2)
    expect(buried).to.deep.equal(['mute'])
  })

  it('counts anew when it has not looked for long', async () => {
    await addCell('mute')
    await look(6)
    clock += 60_000
    await look(6)
    expect(buried).to.deep.equal([])
    await look(2)
    expect(buried).to.deep.equal(['mute'])
  })

  it('asks the switches of many cells at the same time', async () => {
    const mute = createSocket('udp4')
    mute.bind(0, '127.0.0.1')
    await once(mute, 'listening')
    try {
      const names = Array.from({ length: 10 }, (_, index) => `dead-${index}`)
      for (const name of names) await addCell(name, `127.0.0.1:${mute.address().port}`)
      await look(6)
      const began = performance.now()
      await look(2)
      expect([...buried].sort()).to.deep.equal(names)
      expect(performance.now() - began, 'one after another takes 15 s').to.be.below(8_000)
    } finally {
      mute.close()
    }
  })

  it('is not overruled: to a call that it has ended or handed on no leg is added', async () => {
    const nothing = {} as never
    const store = new CallStore(database, nothing, nothing, nothing, nothing, 'mute', nothing)
    await database.source.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at)
       VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
    )
    const callOf = async (id: string, live: 1 | null, cell: string) => {
      await database.source.query(
        `INSERT INTO calls (id, workspace_id, cell, direction, status, from_number, from_name, to_number, to_name,
           max_duration, script, live, created_at, duration, cost)
         VALUES (?, 'acme', ?, 'outbound', 'created', '', '', '', '', 1, '[]', ?, NOW(3), 0, 0)`,
        [id, cell, live],
      )
      return { id, workspace_id: 'acme' } as Call
    }
    const added = async (call: Call) => {
      const leg = newLeg(call, {
        ...{ channel_id: `channel-${call.id}`, role: 'called', number: '+12025550100', uri: 'sip:x@y' },
      })
      return store.addLeg(leg).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CallGoneError)) throw error
          return false
        },
      )
    }
    expect(await added(await callOf('call_live', 1, 'mute'))).to.equal(true)
    expect(await added(await callOf('call_over', null, 'mute'))).to.equal(false)
    expect(await added(await callOf('call_moved', 1, 'own'))).to.equal(false)
    const legs = await database.source.query<{ call_id: string }[]>('SELECT call_id FROM call_legs')
    expect(legs.map(({ call_id }) => call_id)).to.deep.equal(['call_live'])
    // On two nodes of a cluster only what is written keeps one of both from being committed.
    const guarded = await database.source.query<{ id: string }[]>('SELECT id FROM calls WHERE guard = 1')
    expect(guarded.map(({ id }) => id)).to.deep.equal(['call_live'])
    await database.source.query('DELETE FROM call_legs')
    await database.source.query('DELETE FROM calls')
  })

  it('writes the row of a cell whose calls it hands on, so that nobody hears of its server meanwhile', async () => {
    await addCell('mute')
    const marks: Date[] = []
    const query = database.source.query.bind(database.source)
    const seen = async () => {
      const [row] = await query<{ undertaken_at: Date | null }[]>('SELECT undertaken_at FROM cells')
      if (row?.undertaken_at) marks.push(row.undertaken_at)
    }
    const transaction = database.transaction.bind(database)
    database.transaction = async (work) => {
      await seen()
      return transaction(work)
    }
    try {
      await look(8)
      await seen()
    } finally {
      Reflect.deleteProperty(database, 'transaction')
    }
    expect(marks).to.have.length(2)
    expect(marks[1]).to.be.above(marks[0]!)
  })

  it('ends calls as of when their server last knew of its switch, by the clock of that server', async () => {
    await addCell('mute')
    const heardAt = new Date('2026-01-01T10:01:00.000Z')
    await database.source.query('UPDATE cells SET heard_at = ?', [heardAt])
    live['mute'] = [talking('call_1')]
    await look(8)
    expect(ended).to.have.length(1)
    const [id, { endedAt, hangupCause }, cell] = ended[0]!
    expect({ id, endedAt, hangupCause, cell }).to.deep.equal({
      ...{ id: 'call_1', endedAt: heardAt, hangupCause: 'CRASH', cell: 'mute' },
    })
  })

  it('sees to the own cell while its switch is dead, and no server of it has it back', async () => {
    const heardAt = new Date('2026-01-01T10:01:00.000Z')
    await addCell('own')
    await database.source.query('UPDATE cells SET is_up = FALSE, beat_at = UTC_TIMESTAMP(3), heard_at = ?', [
      heardAt,
    ])
    successor = null
    const waiting = (id: string, ageMs: number) => {
      return { id, status: 'created', created_at: new Date(Date.now() - ageMs) } as Call
    }
    live['own'] = [talking('call_1'), waiting('call_2', 1_000), waiting('call_3', 31_000)]
    await look(2)
    expect(buried).to.deep.equal([])
    isOwnDead = true
    await look(2)
    expect(buried).to.deep.equal(['own'])
    expect(
      ended.map(([id]) => id),
      'one may still begin elsewhere, and one is not wanted any more',
    ).to.deep.equal(['call_1', 'call_3'])
    expect(ended[0]![1].endedAt).to.deep.equal(heardAt)

    await database.source.query('UPDATE cells SET is_up = TRUE, undertaken_at = NULL')
    await database.source.query("INSERT INTO agent_claims VALUES ('ag_1', 'own', 'call_1', UTC_TIMESTAMP(3))")
    await look(4)
    expect(buried, 'another server of the cell has the switch').to.deep.equal(['own'])
  })

  it('waits for a switch that answers, and without end where its server is heard', async () => {
    await addCell('orphan', answering)
    await addCell('cut-off', answering)
    heard.add('cut-off')
    await look(120)
    expect(buried).to.deep.equal([])
    await look(120)
    expect(buried).to.deep.equal(['orphan'])
    heard.clear()
    await look(2)
    expect(buried).to.deep.equal(['orphan', 'cut-off'])
  })
})
