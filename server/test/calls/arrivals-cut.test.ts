/** A call that comes in while the link to the switch is lost and the database is slow. */
import { expect } from 'chai'
import { type Connection, createConnection } from 'mysql2/promise'
import { eventually } from '../support/api-client.js'
import { callIn } from '../support/caller-in.js'
import { InboundBench } from '../support/inbound-bench.js'
import { runStatement, startMariadb } from '../support/mariadb.js'

describe('a call whose link to the switch is lost before it is written', function () {
  this.timeout(150_000)

  it('is taken up, and others are looked after as ever', async () => {
    const mariadb = await startMariadb()
    const inbound = await InboundBench.start({ mariadb }, 'sandbox')
    const { databaseName: database } = inbound.bench.appliance
    const { host, port, user, password } = mariadb
    let lock: Connection | undefined
    try {
      await inbound.runs([{ id: 'bye', type: 'hangup' }])
      lock = await createConnection({ host, port, user, password, database })
      await lock.query('BEGIN')
      await lock.query('SELECT * FROM credit_balances FOR UPDATE')
      await callIn(inbound)
      const waiting = `SELECT 1 FROM information_schema.processlist
        WHERE command = 'Query' AND info LIKE '%credit_balances%' AND id <> CONNECTION_ID()`
      const waits = async () => runStatement(mariadb, database, waiting)
      await eventually(waits, (rows) => rows.length > 0, { withinMs: 30_000, what: 'call that waits' })
      await inbound.bench.appliance.cutLink(1_000)
      const health = async () => inbound.api.get('/health')
      await eventually(health, ({ status }) => status === 200, { withinMs: 30_000, what: 'link' })
      await lock.query('ROLLBACK')
      const call = await inbound.bench.ended(await inbound.lastCallId(), 90_000)
      expect(call.hangup_cause).to.be.a('string')
    } finally {
      await lock?.end()
      await inbound.stop()
      await mariadb.stop()
    }
  })
})
