/** Reads of the API beside calls, on a real MariaDB: they take turns, end in time, and hold up nothing else. */
import { expect } from 'chai'
import { Database } from '../../src/database/database.js'
import { isTooLong, reading } from '../../src/database/read-pool.js'
import { sharedMariadb } from '../support/mariadb.js'

describe('reads of the database', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    const settings = { host, port, user, password, name, socket: '', pool: 2, read_pool: 4, read_timeout: 2 }
    database = new Database(settings, [])
    await database.connect()
    await database.source.query('CREATE TABLE big (id INT PRIMARY KEY AUTO_INCREMENT, body VARCHAR(200))')
    await database.source.query(
      "INSERT INTO big (body) SELECT CONCAT(REPEAT('abcdefgh', 20), seq) FROM seq_1_to_200000",
    )
  })
  after(async () => database?.close())

  /** Looks through the table many times over: it does not end within the limit. */
  const slow = async (workspace: string) =>
    reading(workspace, async () =>
      database.source
        .query("SELECT COUNT(*) AS n FROM big a JOIN big b WHERE a.body LIKE '%zz%' OR b.body LIKE '%yy%'")
        .then(
          () => null,
          (error: unknown) => error,
        ),
    )

  it('are ended by the database at their limit, and told from other failures', async () => {
    const since = performance.now()
    expect(isTooLong(await slow('ws_a'))).to.equal(true)
    expect(performance.now() - since).to.be.within(1_500, 15_000)
    const wrong = await reading('ws_a', async () =>
      database.source.query('SELEC').catch((error: unknown) => error),
    )
    expect(isTooLong(wrong)).to.equal(false)
  })

  it('hold up neither calls nor the reads of another workspace, however many one asks for', async () => {
    const order: string[] = []
    const note = async (what: string, work: Promise<unknown>) => work.then(() => order.push(what))
    const held = Array.from({ length: 12 }, async () => note('slow', slow('ws_a')))
    const count = 'SELECT COUNT(*) AS n FROM big'
    const call = note(
      'call',
      database.transaction(async (tx) => tx.query(count)),
    )
    const other = note(
      'other',
      reading('ws_b', async () => database.source.query(count)),
    )
    await Promise.all([call, other])
    expect(order.slice().sort()).to.deep.equal(['call', 'other'])
    await Promise.all(held)
    const again = await reading('ws_a', async () => database.source.query<object[]>(count))
    expect(again, 'all connections came back').to.have.length(1)
  })

  it('have no limit outside of reads, also on the connections of reads that calls never get', async () => {
    const limits = async () => {
      const [row] = await database.source.query<{ seconds: string }[]>(
        'SELECT @@SESSION.max_statement_time AS seconds',
      )
      return Number(row?.seconds)
    }
    expect(await limits()).to.equal(0)
    expect(await reading('ws_a', limits)).to.equal(2)
    const inTransaction = await reading('ws_a', async () =>
      database.transaction(async (tx) => tx.query<object[]>('SELECT 1 AS one')),
    )
    expect(Number((inTransaction[0] as { one: string }).one)).to.equal(1)
  })
})
