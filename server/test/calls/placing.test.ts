/** Placing accepted calls while the database is slower than the lease of their jobs. */
import { expect } from 'chai'
import { type Connection, createConnection } from 'mysql2/promise'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'
import { runStatement, startMariadb } from '../support/mariadb.js'

describe('placing a call on a database that is slow', function () {
  this.timeout(240_000)

  it('dials once, though its job is claimed again and again meanwhile', async () => {
    const mariadb = await startMariadb()
    const bench = await CallBench.start('sandbox', { mariadb })
    const { databaseName: database } = bench.appliance
    const { host, port, user, password } = mariadb
    let lock: Connection | undefined
    const attempts = async (): Promise<number> =>
      (await runStatement(mariadb, database, `SELECT attempts FROM outbox WHERE kind = 'place_call'`))[0]
        ?.attempts as number
    try {
      lock = await createConnection({ host, port, user, password, database })
      const cut = bench.appliance.cutLink(5_000)
      const id = await bench.call('+12025550100', [{ action: 'hangup' }])
      await lock.query('LOCK TABLES outbound_gateways WRITE')
      await cut
      const waiting = `SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'`
      const waits = async () => runStatement(mariadb, database, waiting)
      await eventually(waits, (rows) => rows.length > 0, { withinMs: 30_000, what: 'placing that waits' })
      for (let times = 0; times < 2; times++) {
        const before = await attempts()
        // The lease is over.
        await runStatement(
          mariadb,
          database,
          `UPDATE outbox SET due_at = UTC_TIMESTAMP(3) WHERE kind = 'place_call'`,
        )
        await eventually(attempts, (now) => now > before, { withinMs: 30_000, what: 'job claimed again' })
      }
      await lock.query('UNLOCK TABLES')
      const { legs } = await bench.ended(id, 30_000)
      expect(legs).to.have.length(1)
      const answers = (await bench.timeline(id)).filter(({ event }) => event === 'call.answered')
      expect(answers).to.have.length(1)
    } finally {
      await lock?.end()
      await bench.stop()
      await mariadb.stop()
    }
  })
})
