/** Which of several cells may ring an agent, by what stands in the database: on a real MariaDB. */
import { expect } from 'chai'
import { pino } from 'pino'
import { AgentsAcrossCells } from '../../src/features/calls/dialling/agents-across-cells.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { entities } from '../../src/app/entities.js'
import { sharedMariadb } from '../support/mariadb.js'

describe('agents of several cells in the database', function () {
  this.timeout(30_000)
  let database: Database
  const cellOf = (cell: string) =>
    new AgentsAcrossCells({ database, cell, taken: { has: () => false }, log: pino({ level: 'silent' }) })

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
    await database.source.query(
      `INSERT INTO calls (id, workspace_id, cell, direction, status, from_number, from_name, to_number, to_name,
         max_duration, script, live, created_at, duration, cost)
       VALUES ('call_1', 'acme', 'one', 'inbound', 'active', '', '', '', '', 1, '[]', 1, NOW(3), 0, 0)`,
    )
    await database.source.query(
      `INSERT INTO cells (name, switch_address, server_id, beat_at, is_up)
       VALUES ('one', '', 'here', UTC_TIMESTAMP(3), TRUE)`,
    )
  })
  after(async () => database?.close())

  it('are rung by nobody else while their call lives, also while its cell has no server or no switch', async () => {
    const [one, two] = [cellOf('one'), cellOf('two')]
    expect([await one.take('ag_1', 'call_1'), await two.take('ag_1', 'call_2')]).to.deep.equal([true, false])
    await database.source.query('UPDATE cells SET is_up = FALSE')
    expect(await two.take('ag_1', 'call_2')).to.equal(false)
    await database.source.query("UPDATE calls SET live = NULL WHERE id = 'call_1'")
    expect(await two.take('ag_1', 'call_2'), 'its end is written').to.equal(true)
  })
})
