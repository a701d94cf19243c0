/** Reads that take too long are ended, and say so. */
import { expect } from 'chai'
import { createConnection } from 'mysql2/promise'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { startUnlimited, succeed } from './fixtures.js'

describe('reads that take too long', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace

  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_DATABASE_READ_TIMEOUT: '1',
      JACKFIELD_DATABASE_READ_POOL: '4',
    })
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  it('are 503 with a time to come again, and hold up neither others nor changes', async () => {
    const other = await appliance.workspace()
    const { host, port, user, password } = appliance.mariadb
    const connection = await createConnection({
      host,
      port,
      user,
      password,
      database: appliance.databaseName,
    })
    // Each statement on messages waits for this lock, as it would for a table that takes long to search.
    await connection.query('LOCK TABLES messages WRITE')
    try {
      const order: string[] = []
      const note = async <T>(what: string, work: Promise<T>) => work.finally(() => order.push(what))
      const searches = Array.from({ length: 12 }, async () =>
        note('search', workspace.api.get('/messages?search=hello')),
      )
      await note('change', succeed(workspace.api.post('/teams', { name: 'Sales' })))
      await note('read of another', succeed(other.api.get('/audios')))
      expect(order.slice(0, 2).sort()).to.deep.equal(['change', 'read of another'])
      for (const { status, body, headers } of await Promise.all(searches)) {
        expect(status).to.equal(503)
        expect(body.message).to.equal('The search took too long: narrow it')
        expect(Number(headers['retry-after'])).to.be.above(0)
      }
    } finally {
      await connection.end()
    }
    await succeed(workspace.api.get('/messages?search=hello'))
  })
})
