/** Reads of the API and background work beside calls, on a real MariaDB: they take turns and hold up nothing else. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { inBackground, reading } from '../../src/infrastructure/database/pool-use.js'
import { isTooLong } from '../../src/infrastructure/database/turn-pool.js'
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

describe('background work', function () {
  this.timeout(60_000)
  let database: Database
  let locker: Database

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    const settings = { host, port, user, password, name, socket: '', pool: 2 }
    database = new Database({ ...settings, background_pool: 3 }, [])
    locker = new Database(settings, [])
    await Promise.all([database.connect(), locker.connect()])
    await database.source.query('CREATE TABLE locked (id INT PRIMARY KEY, value INT)')
    await database.source.query('INSERT INTO locked VALUES (1, 0)')
    await database.source.query('CREATE TABLE calls (id INT PRIMARY KEY AUTO_INCREMENT)')
  })
  after(async () => {
    await Promise.all([database?.close(), locker?.close()])
  })

  /** Holds a row while `work` is done. */
  const whileLocked = async (work: () => Promise<void>) =>
    locker.source.transaction(async (tx) => {
      await tx.query('SELECT * FROM locked WHERE id = 1 FOR UPDATE')
      await work()
    })
  const blocked = async (workspace: string) =>
    inBackground(workspace, async () =>
      database.transaction(async (tx) => {
        await tx.query('UPDATE locked SET value = value + 1 WHERE id = 1')
        // Asks for one more connection while it holds one.
        await database.source.query('SELECT 1')
      }),
    )
  const writeOfCall = async () =>
    database.transaction(async (tx) => tx.query('INSERT INTO calls () VALUES ()'))

  it('holds up no call, though all of its connections wait for a lock', async () => {
    let jobs: Promise<void>[] = []
    await whileLocked(async () => {
      jobs = ['ws_a', 'ws_b', 'ws_c', 'ws_d'].flatMap((id) =>
        Array.from({ length: 5 }, async () => blocked(id)),
      )
      const since = performance.now()
      for (let count = 0; count < 20; count++) await writeOfCall()
      expect(performance.now() - since).to.be.below(5_000)
    })
    await Promise.all(jobs)
    const [row] = await database.source.query<{ value: number }[]>('SELECT value FROM locked')
    expect(row?.value).to.equal(20)
  })

  it('of one workspace leaves a connection for another’s', async () => {
    let jobs: Promise<void>[] = []
    await whileLocked(async () => {
      jobs = Array.from({ length: 10 }, async () => blocked('ws_a'))
      await inBackground('ws_b', async () => writeOfCall())
    })
    await Promise.all(jobs)
  })

  it('that goes on after its end has ordinary connections', async () => {
    let later: Promise<unknown> = Promise.resolve()
    let go: () => void = () => undefined
    const gone = new Promise<void>((resolve) => (go = resolve))
    await inBackground('ws_a', async () => {
      later = gone.then(async () => writeOfCall())
      return Promise.resolve()
    })
    let jobs: Promise<void>[] = []
    await whileLocked(async () => {
      jobs = ['ws_a', 'ws_b'].flatMap((id) => Array.from({ length: 5 }, async () => blocked(id)))
      go()
      await later
    })
    await Promise.all(jobs)
  })
})
