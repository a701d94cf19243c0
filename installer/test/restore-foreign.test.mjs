/** Restoring into a database of one's own, in which new tables have no room beside the old. */
import { expect } from 'chai'
import { execFileSync, spawn } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tablesOf } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { mariadbReady, prepareMariadb } from '../parts/mariadb.mjs'
import { identify, stop } from '../processes.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { jackfield, tableSums } from './backup-fixtures.mjs'
import { TestAppliance, freePorts } from './support.mjs'

describe('a restore into a database of one’s own', function () {
  this.timeout(240_000)
  const folder = mkdtempSync(join(tmpdir(), 'jackfield-foreign-'))
  /** @type {import('../processes.mjs').Identity | null} */
  let mariadb = null
  /** @type {TestAppliance} */
  let appliance
  let file = ''
  /** @type {Map<string, string>} */
  let rows

  before(async () => {
    const [port = 0] = await freePorts(1)
    const password = 'anothersdatabase'
    const options = {
      ...{ directory: join(folder, 'mariadb'), port, user: 'jackfield', name: 'jackfield' },
      password,
    }
    mariadb = await startMariadb({ ...options, kamailioPassword: password, bufferPoolMb: 32, durable: false })
    appliance = await TestAppliance.make({
      ...{ 'database.own': false, 'database.host': '127.0.0.1', 'database.port': port },
      ...{ 'database.user': 'jackfield', 'database.password': password },
    })
    const up = await appliance.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
    await jackfield(appliance, 'workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    const sound = ['--title', 'Hello', '--text', 'Hello', '--voice', 'en']
    await jackfield(appliance, 'audio', 'add', '--workspace', 'acme', ...sound)
    const made = await appliance.run('backup', { args: ['--to', folder] })
    expect(made.code, made.err).to.equal(0)
    file = join(folder, readdirSync(folder).find((name) => name.endsWith('.tar')) ?? '')
    await jackfield(appliance, 'workspace', 'create', 'later', '--title', 'Later', '--country', 'US')
    expect((await appliance.run('down')).code).to.equal(0)
    rows = await tableSums(appliance)
  })
  after(async () => {
    await appliance?.remove()
    await stop(mariadb, 10_000)
    rmSync(folder, { recursive: true, force: true })
  })

  const login = () => databaseLogin(readSettings(appliance.env))

  it('that finds no room for the files changes neither them nor the tables', async () => {
    const media = join(folder, 'media')
    mkdirSync(media)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', media])
    try {
      const env = { JACKFIELD_MEDIA_DIRECTORY: media }
      const { code, err } = await appliance.run('restore', { args: [file, '--replace'], env })
      expect(code).to.equal(1)
      expect(err).to.include(`the disk of ${media}/.restored is full, nothing was kept: make room`)
      expect(readdirSync(media)).to.deep.equal([])
    } finally {
      execFileSync('umount', [media])
    }
    expect(await tableSums(appliance)).to.deep.equal(rows)
    expect(existsSync(join(appliance.home, 'run/restore.json'))).to.equal(false)
  })

  it('that is killed half way lets nothing start on the tables, nor save them', async () => {
    const args = [join(ROOT, 'installer/restore.mjs'), file, '--replace']
    const child = spawn(process.execPath, args, { env: appliance.env, stdio: 'ignore', detached: true })
    const isHalf = async () => expect((await tablesOf(login())).tables).not.to.include('workspaces')
    await until(isHalf, { deadlineMs: 60_000, pauseMs: 5, what: 'half of the tables' })
    child.kill('SIGKILL')
    await until(async () => expect(appliance.processes()).to.deep.equal([]), {
      deadlineMs: 20_000,
      what: 'the end',
    })
    const reason = `npm run restore -- ${file} --replace; the tables of before are in ${appliance.home}/.before-restore-`
    for (const command of /** @type {const} */ (['up', 'backup'])) {
      const { code, err } = await appliance.run(command)
      expect(code, command).to.equal(1)
      expect(err).to.include(reason)
    }
    const supervisor = spawn(process.execPath, [join(ROOT, 'installer/supervisor.mjs')], {
      env: appliance.env,
    })
    expect(await new Promise((resolve) => supervisor.on('close', resolve))).to.equal(78)
  })

  it('is run again, whoever interrupts it while it fills the tables, and what it brought comes up', async () => {
    const args = [join(ROOT, 'installer/restore.mjs'), file, '--replace']
    const child = spawn(process.execPath, args, { env: appliance.env })
    const cutOff = appliance.json('run/restore.json')
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    const isFilling = async () => expect(appliance.json('run/restore.json')).not.to.deep.equal(cutOff)
    await until(isFilling, { deadlineMs: 60_000, pauseMs: 5, what: 'the filling of the tables' })
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve)), said).to.equal(0)
    expect(said).to.include('a restore is not interrupted half way')
    expect(existsSync(join(appliance.home, 'run/restore.json'))).to.equal(false)
    const up = await appliance.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
    const { data } = await jackfield(appliance, 'workspace', 'list')
    expect(data.map((/** @type {{id: string}} */ { id }) => id)).to.deep.equal(['acme'])
  })

  it('that was cut off while files change places is not started by systemd', async () => {
    expect((await appliance.run('down')).code).to.equal(0)
    mkdirSync(join(appliance.home, '.restored'))
    writeFileSync(join(appliance.home, '.restored/plan.json'), '{"moves": [], "leftovers": []}')
    const supervisor = spawn(process.execPath, [join(ROOT, 'installer/supervisor.mjs')], {
      env: appliance.env,
    })
    expect(await new Promise((resolve) => supervisor.on('close', resolve))).to.equal(78)
  })
})

/** @param {import('../parts/mariadb.mjs').MariadbOptions} options */
async function startMariadb(options) {
  const { command, args } = await prepareMariadb(options)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  await mariadbReady(options, 60_000)
  return child.pid ? identify(child.pid) : null
}
