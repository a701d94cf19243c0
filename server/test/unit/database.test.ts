/** What all connections of the pool have set, on a real MariaDB. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { idleConnections } from '../../src/infrastructure/database/session-settings.js'
import { folded } from '../../src/infrastructure/database/search-text.js'
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

  it('are bounded as the database can: MySQL ends what is idle, and the pool does so before', async () => {
    const [row] = await database.source.query<object[]>(
      'SELECT @@idle_transaction_timeout AS transaction, @@wait_timeout AS connection, VERSION() AS version',
    )
    expect(row).to.include({ transaction: '10', connection: '28800' })
    expect(idleConnections((row as { version: string }).version, 7)).to.deep.equal({ maxIdle: 7 })
    expect(idleConnections('8.0.36', 7)).to.deep.equal({ maxIdle: 0, idleTimeout: 15_000 })
  })

  it('try a transaction again that met others many times, with pauses', async () => {
    let attempts = 0
    const began = performance.now()
    await database.transaction(async (tx) => {
      attempts += 1
      if (attempts < 12) await tx.query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213")
    })
    expect(attempts).to.equal(12)
    expect(performance.now() - began).to.be.within(30, 3_000)
  })

  it('try a transaction again that another node of a cluster was first with', async () => {
    for (const [errno, code] of [
      [1213, 'ER_LOCK_DEADLOCK'],
      [3101, 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT'],
    ] as const) {
      const met: unknown[] = []
      await database.transaction(async (tx) => {
        if (met.length > 0) return
        await tx.query(`SIGNAL SQLSTATE '40000' SET MYSQL_ERRNO = ${errno}`).catch((error: unknown) => {
          met.push((error as { code: string }).code)
          throw error
        })
      })
      expect(met).to.deep.equal([code])
    }
  })

  it('take for the same, in searches, all letters that the collation takes for the same', async () => {
    const rows = await database.source.query<{ code: number; weight: string }[]>(
      `SELECT seq AS code,
         HEX(WEIGHT_STRING(CONVERT(CHAR(seq USING utf32) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci)) AS weight
       FROM seq_1_to_131071 WHERE seq NOT BETWEEN 55296 AND 57343`,
    )
    const forms = new Map<string, Map<string, string>>()
    for (const { code, weight } of rows) {
      const letter = String.fromCodePoint(code)
      const known = forms.get(weight) ?? new Map<string, string>()
      forms.set(weight, known.set(folded(letter), letter))
    }
    expect([...(forms.get('')?.keys() ?? [])]).to.deep.equal([''])
    const apart = [...forms.values()].filter((known) => known.size > 1)
    expect(apart.map((known) => [...known.values()])).to.deep.equal([])
    expect(folded('Straße, ÅNGSTRÖM e\u0301 ½ 😀')).to.equal('strasse, angstrom e 1⁄2 😀')
  })
})
