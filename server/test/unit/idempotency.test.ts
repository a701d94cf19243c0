/** The end of idempotency keys, on a real MariaDB. */
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { Idempotency, IdempotencyKey } from '../../src/infrastructure/database/idempotency.js'
import { sharedMariadb } from '../support/mariadb.js'

const batch = 1_000
const old = 2_500
const young = 7

describe('the sweep of idempotency keys', function () {
  this.timeout(60_000)
  let database: Database

  before(async () => {
    const mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    const { host, port, user, password } = mariadb
    database = new Database({ host, port, socket: '', user, password, name, pool: 2 }, [IdempotencyKey])
    await database.connect()
    const { source } = database
    await source.query(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
    )
    const rows = async (from: number, count: number, hours: number) =>
      source.query(
        `INSERT INTO idempotency_keys (workspace_id, idempotency_key, fingerprint, answer, created_at)
         SELECT 'acme', CONCAT('key-', seq), REPEAT('0', 64), '{}', NOW(3) - INTERVAL ? HOUR
         FROM seq_1_to_${count + from} WHERE seq > ?`,
        [hours, from],
      )
    await rows(0, old, 25)
    await rows(old, young, 23)
  })
  after(async () => database?.close())

  it('deletes those older than a day, a thousand at a time and each by itself, and leaves the others', async () => {
    const { source } = database
    const sent: { sql: string; affected: number }[] = []
    const query = source.query.bind(source)
    source.query = async <T>(...given: Parameters<typeof query>): Promise<T> => {
      const answer = (await query(...given)) as T
      sent.push({ sql: given[0], affected: (answer as { affectedRows: number }).affectedRows })
      return answer
    }
    try {
      await new Idempotency(database).sweep()
    } finally {
      source.query = query
    }
    expect(sent.map(({ affected }) => affected)).to.deep.equal([batch, batch, old - 2 * batch])
    for (const { sql } of sent) expect(sql).to.match(/^DELETE FROM idempotency_keys WHERE .* LIMIT 1000$/)
    const [left] = await source.query<{ n: string; oldest: string }[]>(
      'SELECT COUNT(*) AS n, MIN(created_at) > NOW(3) - INTERVAL 1 DAY AS oldest FROM idempotency_keys',
    )
    expect([Number(left?.n), Number(left?.oldest)]).to.deep.equal([young, 1])
  })
})
