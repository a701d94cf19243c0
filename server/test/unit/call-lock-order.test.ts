/** A program that is through and the end of its call meet in the database: neither waits for the other in a circle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Call } from '../../src/features/calls/model/call.entity.js'
import { lockedLegs } from '../../src/features/calls/model/locked-legs.js'
import { StoredScripts } from '../../src/features/calls/script/stored-scripts.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { byPrimary, guardRow, updateRows } from '../../src/infrastructure/database/rows.js'
import { entities } from '../../src/app/entities.js'
import { sharedMariadb } from '../support/mariadb.js'

const rounds = 20

describe('locks of a call', function () {
  this.timeout(60_000)
  let database: Database
  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 20 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
    await database.source.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
    )
  })
  after(async () => database?.close())

  /** One call that lives, among others that are over. */
  async function liveCall(round: number): Promise<Call> {
    const id = `call_lock_${round}`
    await database.source.query(
      `INSERT INTO calls (id, workspace_id, direction, status, live, cell, from_number, from_name, to_number, to_name,
         program, script, max_duration, created_at)
       VALUES (?, 'acme', 'outbound', 'active', 1, 'main', '1', '1', '2', '2', 'script', '[]', 60, NOW(3))`,
      [id],
    )
    return database.platformTable(Call).findOneByOrFail({ id })
  }

  /** As the end of a call: the row with its legs, then what takes it out of the live ones; the other comes in between. */
  const endWith = async ({ id }: Call, other: () => Promise<unknown>) => {
    let met: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await lockedLegs(tx, id)
      met = other()
      met.catch(() => undefined)
      // Until it waits for the row.
      await sleep(25)
      await updateRows(tx, Call, { id }, { live: null, status: 'completed' })
    })
    await met
  }

  const others: Record<string, (call: Call) => Promise<unknown>> = {
    'the next program': async (call) => new StoredScripts(database).nextScript(call),
    'a change of state': async ({ id }) =>
      database.transaction(async (tx) =>
        updateRows(tx, Call, { id, live: 1, cell: 'main' }, { status: 'started' }),
      ),
    'a new leg': async ({ id }) =>
      database.transaction(async (tx) =>
        guardRow(tx, 'calls', { text: 'id = ? AND live = 1 AND cell = ?', values: [id, 'main'] }),
      ),
  }

  let round = 0
  it('are those of the row’s own index first', async () => {
    const call = await liveCall(round++)

    const plan = async (hint: string) => {
      const [row] = await database.source.query<{ key: string }[]>(
        `EXPLAIN UPDATE calls ${hint} SET program = 'over' WHERE id = ? AND live = 1`,
        [call.id],
      )
      return row?.key
    }
    // What MariaDB chooses by itself while one call lives.
    expect(await plan('')).to.equal('calls_live_of_workspace')
    expect(await plan(byPrimary)).to.equal('PRIMARY')
    await endWith(call, async () => undefined)
  })

  for (const [name, other] of Object.entries(others)) {
    it(`are taken in one order by the end of a call and ${name}`, async () => {
      for (const last = round + rounds; round < last; round++) {
        const call = await liveCall(round)
        await endWith(call, async () => other(call))
      }
    })
  }
})
