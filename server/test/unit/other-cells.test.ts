/** What the installer does not do to a database under the cells of others. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Mariadb, runStatement, sharedMariadb } from '../support/mariadb.js'
import { pathOf, root } from '../support/paths.js'

/** The installer is plain JavaScript outside of the server's build, so that it is found by address. */
interface Upgrading {
  bringBack: (
    settings: object,
    runner: object,
    way: { root: string; at: string; dump: string },
  ) => Promise<unknown>
}
interface OtherCells {
  requireNoOtherCell: (login: object, own: string) => Promise<void>
}

describe('a database of several cells', function () {
  this.timeout(60_000)
  let mariadb: Mariadb
  let name: string
  let home: string

  before(async () => {
    mariadb = await sharedMariadb()
    name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    home = await mkdtemp(join(tmpdir(), 'jackfield-home-'))
  })
  after(async () => rm(home, { recursive: true, force: true }))

  const query = async (sql: string) => runStatement(mariadb, name, sql, [])

  it('is not brought back to before an upgrade while another one lives', async () => {
    const { bringBack } = (await import(new URL('installer/backups/upgrading.mjs', root).href)) as Upgrading
    const { requireNoOtherCell } = (await import(
      new URL('installer/backups/other-cells.mjs', root).href
    )) as OtherCells
    const { host, port, user, password } = mariadb
    const settings = {
      ...{ home, cell: 'one', 'database.own': false, 'database.host': host, 'database.port': port },
      ...{ 'database.user': user, 'database.name': name, 'database.password': password },
    }
    const started: string[] = []
    const runner = { hold: () => started.push('hold'), start: () => started.push('start') }
    const beat = `server_id = 's', switch_address = '', beat_at = UTC_TIMESTAMP(3)`
    await query(`INSERT INTO cells SET name = 'one', ${beat}`)
    await query(`INSERT INTO cells SET name = 'two', ${beat} + INTERVAL 1 HOUR`)
    const way = { root: pathOf(''), at: '', dump: join(home, 'none.sql.gz') }
    const refused = await bringBack(settings, runner, way).catch((error: unknown) => error)
    expect(String(refused)).to.match(/replaced under them: two\. Stop them first/)
    expect(started).to.deep.equal([])
    expect(await query('SELECT name FROM cells')).to.have.lengthOf(2)

    await query(`UPDATE cells SET beat_at = UTC_TIMESTAMP(3) - INTERVAL 7 SECOND WHERE name = 'two'`)
    await requireNoOtherCell({ host, port, user, password, name }, 'one')
  })
})
