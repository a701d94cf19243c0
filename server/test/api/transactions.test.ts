/** Several transactions as one: an import writes its rows so. */
import { expect } from 'chai'
import { entities } from '../../src/app/entities.js'
import { Database, afterCommit } from '../../src/infrastructure/database/database.js'
import type { Appliance } from '../support/appliance.js'
import { startUnlimited } from './fixtures.js'

describe('transactions together', () => {
  let appliance: Appliance
  let database: Database
  before(async () => {
    appliance = await startUnlimited()
    const { host, port, user, password } = appliance.mariadb
    const name = appliance.databaseName
    database = new Database({ host, port, socket: '', user, password, name, pool: 2 }, entities)
    await database.connect()
    await database.source.query('CREATE TABLE notes (id INT PRIMARY KEY)')
  })
  after(async () => {
    await database?.close()
    await appliance?.stop()
  })

  it('undo one that fails alone, and do what follows a commit for those that stay', async () => {
    const done: number[] = []
    const write = async (id: number) =>
      database.transaction(async (tx) => {
        await tx.query('INSERT INTO notes VALUES (?)', [id])
        afterCommit(tx, () => done.push(id))
        if (id === 2) throw new Error('no')
      })
    await database.together(async () => {
      await write(1)
      await write(2).catch(() => undefined)
      await write(3)
      expect(done, 'before the commit').to.deep.equal([])
    })
    const rows: { id: number }[] = await database.source.query('SELECT id FROM notes ORDER BY id')
    expect(rows.map(({ id }) => id)).to.deep.equal([1, 3])
    expect(done).to.deep.equal([1, 3])
  })
})
