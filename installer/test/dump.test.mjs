/** The dump of a database, with a program in the place of mariadb-dump. */
import { expect } from 'chai'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { dumpDatabase, query } from '../backups/database.mjs'

const LOGIN = { host: '127.0.0.1', port: 1, user: 'backup', password: '', name: 'none' }

describe('the dump of a database', () => {
  const { PATH } = process.env
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-dump-'))
    mkdirSync(join(folder, 'bin'))
    process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`
  })
  afterEach(() => {
    process.env['PATH'] = PATH
    rmSync(folder, { recursive: true })
  })

  /** @param {string} script in the place of a program; `$starts` counts its starts @param {string} [name] */
  const program = (script, name = 'mariadb-dump') => {
    const path = join(folder, 'bin', name)
    writeFileSync(
      path,
      `#!/bin/sh\necho x >> ${folder}/starts\nstarts=$(wc -l < ${folder}/starts)\n${script}\n`,
    )
    chmodSync(path, 0o755)
  }
  const dump = async () => {
    const file = join(folder, 'dump.sql.gz')
    let frozen = 0
    await dumpDatabase(LOGIN, file, async () => void frozen++)
    return { text: gunzipSync(readFileSync(file)).toString(), frozen }
  }
  const starts = () => readFileSync(join(folder, 'starts'), 'utf8').split('\n').length - 1

  it('begins again when a signal to the group met its program as it started', async () => {
    program('[ $starts -gt 1 ] || kill -HUP $$\necho "CREATE TABLE t (id INT);"')
    expect(await dump()).to.deep.equal({ text: 'CREATE TABLE t (id INT);\n', frozen: 1 })
    expect(starts()).to.equal(2)
  })

  it('begins again, as a query does', async () => {
    program('[ $starts -gt 1 ] || kill -INT $$\necho one; echo two', 'mariadb')
    expect(await query(LOGIN, 'SELECT name FROM t')).to.deep.equal(['one', 'two'])
    expect(starts()).to.equal(2)
  })

  it('fails when that happens each time, or the program itself fails', async () => {
    program('kill -TERM $$')
    expect(await dump().catch(String)).to.include('mariadb-dump: it ended with SIGTERM')
    expect(starts()).to.equal(3)
    rmSync(join(folder, 'dump.sql.gz'), { force: true })
    program('echo "no such database" >&2; exit 2')
    expect(await dump().catch(String)).to.include('mariadb-dump: no such database')
    expect(starts()).to.equal(4)
  })
})
