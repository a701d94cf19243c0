/** What all connections of the pool have set, on a real MariaDB. */
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { sharedMariadb } from '../support/mariadb.js'

describe('connections of the database', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 2 }, [])
    await database.connect()
    await database.source.query('CREATE TABLE locked (id INT PRIMARY KEY) ENGINE=InnoDB')
    await database.source.query('INSERT INTO locked VALUES (1)')
  })
  after(async () => database?.close())

  it('lose what they have locked when they say nothing for ten seconds, as a machine does that vanished', async () => {
    const silent = database.source.createQueryRunner()
    await silent.startTransaction()
    await silent.query('DELETE FROM locked')
    const lock = 'SELECT id FROM locked FOR UPDATE'
    expect(await database.transaction(async (tx) => tx.query<object[]>(lock))).to.have.length(1)
    const hasFailed = await silent.query('SELECT 1').then(
      () => false,
      () => true,
    )
    expect(hasFailed).to.equal(true)
    await silent.release().catch(() => undefined)
  })
})
