import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { after, before, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { withMariadb } from '../backups/scratch-mariadb.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { freePorts } from './support.mjs'

describe('the database of an upgrade in containers', function () {
  this.timeout(120_000)
  const home = mkdtempSync(join(tmpdir(), 'jackfield-database-'))
  /** @type {string[]} */
  let ports
  before(async () => {
    mkdirSync(join(home, 'log'))
    ports = (await freePorts(2)).map(String)
  })
  after(() => rmSync(home, { recursive: true }))

  it('is saved and loaded, unless another cell lives on it', async () => {
    const place = { JACKFIELD_HOME: home, JACKFIELD_DATABASE_PORT: ports[0], JACKFIELD_HTTP_PORT: ports[1] }
    const ours = readSettings(place)
    const { secrets } = readSecrets(home)
    // A MariaDB of ours stands for one of their own, as the login says.
    const theirs = { JACKFIELD_DATABASE_OWN: 'false', JACKFIELD_DATABASE_PASSWORD: secrets['db-password'] }
    const login = databaseLogin(ours)
    const tools = (/** @type {string} */ verb) =>
      spawnSync(process.execPath, [join(ROOT, 'installer/docker/tools.mjs'), verb], {
        env: { PATH: process.env['PATH'], ...place, ...theirs },
        encoding: 'utf8',
      })
    const done = (/** @type {string} */ verb) => {
      const { status, stderr } = tools(verb)
      expect(status, `${verb}: ${stderr}`).to.equal(0)
    }
    const beat = (/** @type {string} */ name, /** @type {string} */ when) =>
      query(login, `REPLACE INTO cells VALUES ('${name}', ${when}); SELECT 1`)
    await withMariadb(ours, { folder: join(home, 'mariadb'), secrets }, async () => {
      await query(login, 'CREATE TABLE cells (name VARCHAR(32) PRIMARY KEY, beat_at DATETIME(3)); SELECT 1')
      await beat('one', 'UTC_TIMESTAMP(3)') // our own
      await beat('two', 'UTC_TIMESTAMP(3) - INTERVAL 1 DAY')
      expect(tools('check-database').stderr).to.include(
        'no database was saved: there is nothing to go back to',
      )
      for (const verb of ['check-cells', 'save-database', 'check-database']) done(verb)

      await beat('two', 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR')
      for (const verb of ['check-cells', 'save-database', 'check-database', 'load-database']) {
        const { status, stderr } = tools(verb)
        expect([verb, status]).to.deep.equal([verb, 1])
        expect(stderr).to.include('cells live on the same database').and.include(': two.')
      }
      expect(await query(login, 'SELECT COUNT(*) FROM cells WHERE beat_at > UTC_TIMESTAMP()')).to.deep.equal([
        '1',
      ])

      await beat('two', 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR')
      done('load-database')
      expect(
        await query(login, 'SELECT name FROM cells WHERE beat_at < UTC_TIMESTAMP() - INTERVAL 23 HOUR'),
      ).to.deep.equal(['two'])
      expect(existsSync(join(home, 'run/before-upgrade'))).to.equal(true)
    })
  })
})
