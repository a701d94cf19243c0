/** Statements that travel together, and writes that are done together, on a real MariaDB. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { later, mustChange } from '../../src/infrastructure/database/combined.js'
import { Database, afterCommit, isDuplicate } from '../../src/infrastructure/database/database.js'
import { GroupCommit } from '../../src/infrastructure/database/group-commit.js'
import { RefusedError } from '../../src/infrastructure/database/pipeline.js'
import { sharedMariadb } from '../support/mariadb.js'
import { StatementRelay } from '../support/statement-relay.js'

const insert = 'INSERT INTO things (id, amount) VALUES (?, ?)'
const change = 'UPDATE things SET amount = amount + 1 WHERE id = ?'

const rejected = async (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was done'),
    (error: unknown) => error,
  )

describe('statements that travel together', function () {
  this.timeout(30_000)
  const databases: Database[] = []
  let relay: StatementRelay
  let combining: Database
  /** Without connections for it. */
  let plain: Database

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    const settings = { host, port, user, password, name, socket: '', pool: 4 }
    relay = await StatementRelay.to(port)
    combining = new Database({ ...settings, port: relay.port, call_pool: 3 }, [])
    plain = new Database(settings, [])
    databases.push(combining, plain)
    for (const database of databases) await database.connect()
    await plain.source.query('CREATE TABLE things (id INT PRIMARY KEY, amount INT NOT NULL) ENGINE=InnoDB')
  })
  beforeEach(async () => plain.source.query('DELETE FROM things'))
  after(async () => {
    await Promise.all(databases.map(async (database) => database.close()))
    await relay?.close()
  })

  const amounts = async () => {
    const rows = await plain.source.query<{ id: number; amount: number }[]>(
      'SELECT * FROM things ORDER BY id',
    )
    return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]))
  }

  it('are seen by those that follow them, and by others once all are committed', async () => {
    for (const [index, database] of databases.entries()) {
      const hooks: string[] = []
      await database.combine(async (tx) => {
        await later(tx, insert, [index, 1])
        await later(tx, change, [index])
        const [row] = await tx.query<{ amount: number }[]>('SELECT amount FROM things WHERE id = ?', [index])
        expect(row?.amount).to.equal(2)
        await mustChange(tx, change, [index])
        afterCommit(tx, () => hooks.push('committed'))
        expect(await amounts()).to.not.have.property(String(index))
      })
      expect((await amounts())[index]).to.equal(3)
      expect(hooks).to.deep.equal(['committed'])
    }
  })

  it('need one round trip for what is asked for at once, and one with the commit', async () => {
    await combining.combine(async (tx) => tx.query('SELECT 1'))
    const before = relay.packets
    await combining.combine(async (tx) => {
      await later(tx, insert, [1, 1])
      const both = [1, 2].map(async (id) => tx.query<object[]>('SELECT * FROM things WHERE id = ?', [id]))
      expect(await Promise.all(both)).to.deep.equal([[{ id: 1, amount: 1 }], []])
      await mustChange(tx, change, [1])
      await later(tx, insert, [2, 1])
    })
    expect(relay.packets - before).to.equal(2)
    expect(await amounts()).to.deep.equal({ 1: 2, 2: 1 })
  })

  it('are done all or not at all, where one fails or changes no row', async () => {
    for (const database of databases) {
      const refused = await rejected(
        database.combine(async (tx) => {
          await later(tx, insert, [1, 1])
          await mustChange(tx, change, [2])
          await later(tx, insert, [2, 1])
        }),
      )
      expect(refused).to.be.instanceOf(RefusedError)
      const twice = await rejected(
        database.combine(async (tx) => {
          await later(tx, insert, [1, 1])
          await later(tx, insert, [1, 1])
        }),
      )
      expect(isDuplicate(twice)).to.equal(true)
      expect(await amounts()).to.deep.equal({})
    }
  })

  it('are not committed in part, when the work passes over an error', async () => {
    const error = await rejected(
      combining.combine(async (tx) => {
        await later(tx, insert, [1, 1])
        await tx.query('SELECT nothing FROM things').catch(() => undefined)
        await later(tx, insert, [2, 1])
      }),
    )
    expect(String(error)).to.contain('nothing')
    expect(await amounts()).to.deep.equal({})
  })

  it('are tried again after a conflict, and leave no connection behind', async () => {
    let attempts = 0
    await combining.combine(async (tx) => {
      attempts += 1
      await later(tx, insert, [attempts, 1])
      if (attempts < 6) await tx.query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213")
    })
    expect(await amounts()).to.deep.equal({ 6: 1 })
    // More than there are connections.
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        combining.combine(async (tx) => later(tx, insert, [100 + index, 1])),
      ),
    )
    expect(Object.keys(await amounts())).to.have.length(21)
    expect(combining.pool).to.include({ used: 0, waiting: 0 })
  })

  it('are undone with a connection that was lost, which no other transaction gets', async () => {
    const error = await rejected(
      combining.combine(async (tx) => {
        await later(tx, insert, [1, 1])
        const [row] = await tx.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id')
        await plain.source.query(`KILL ${row?.id}`)
        await later(tx, insert, [2, 1])
      }),
    )
    expect(error).to.be.instanceOf(Error)
    expect(combining.pool.used).to.equal(0)
    await Promise.all(
      [3, 4, 5].map(async (id) => combining.combine(async (tx) => later(tx, insert, [id, 1]))),
    )
    expect(await amounts()).to.deep.equal({ 3: 1, 4: 1, 5: 1 })
  })

  it('are a part of what is done as a whole', async () => {
    const error = await rejected(
      combining.together(async () => {
        await combining.combine(async (tx) => later(tx, insert, [1, 1]))
        throw new Error('the whole failed')
      }),
    )
    expect(String(error)).to.contain('the whole failed')
    expect(await amounts()).to.deep.equal({})
  })
})

describe('writes that come together', () => {
  it('are done together while one is under way, and do not wait for more', async () => {
    const batches: number[][] = []
    const group = new GroupCommit<number, number>(async (items) => {
      batches.push([...items])
      await sleep(10)
      return items.map((item) => item * 2)
    })
    const all = [1, 2, 3].map(async (item) => group.add('acme', item))
    const other = group.add('other', 9)
    expect(await Promise.all([...all, other])).to.deep.equal([2, 4, 6, 18])
    expect(batches).to.deep.equal([[1], [9], [2, 3]])
    expect(await group.add('acme', 4)).to.equal(8)
  })

  it('are done singly where they may not be done together: only those fail that would by themselves', async () => {
    const batches: number[][] = []
    const group = new GroupCommit<number, number>(async (items) => {
      batches.push([...items])
      await sleep(5)
      if (items.includes(3)) throw new Error('three may not')
      return items
    })
    const results = await Promise.allSettled([1, 2, 3, 4].map(async (item) => group.add('acme', item)))
    expect(results.map(({ status }) => status)).to.deep.equal([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    ])
    expect(batches).to.deep.equal([[1], [2, 3, 4], [2], [3], [4]])
  })

  it('are not done again when the connection was lost: they may be committed', async () => {
    let writes = 0
    const group = new GroupCommit<number, number>(async () => {
      writes += 1
      await sleep(5)
      throw Object.assign(new Error('lost'), { driverError: { fatal: true } })
    })
    const results = await Promise.allSettled([1, 2, 3].map(async (item) => group.add('acme', item)))
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    expect(writes).to.equal(2)
  })

  it('are at most 64 at once', async () => {
    const sizes: number[] = []
    const group = new GroupCommit<number, number>(async (items) => {
      sizes.push(items.length)
      await sleep(1)
      return items
    })
    await Promise.all(Array.from({ length: 100 }, async (_, item) => group.add('acme', item)))
    expect(sizes).to.deep.equal([1, 64, 35])
  })
})
