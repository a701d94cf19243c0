import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '../backups/database.mjs'
import { userNamed } from '../installation/system-user.mjs'
import { findFreeswitch } from '../parts/freeswitch.mjs'
import { chooseRuntime } from '../runtime/choose.mjs'
import { VERSION } from '../runtime/install.mjs'
import { readSettings } from '../settings.mjs'
import { TestAppliance, freePorts } from './support.mjs'

/** @typedef {import('../state.mjs').PartState} PartState */

describe('the appliance', () => {
  describe('on a machine where all is well', function () {
    this.timeout(120_000)
    /** @type {TestAppliance} */
    let appliance
    // On another disk, as it were; root makes it, as an earlier trial did.
    const disk = mkdtempSync(join(tmpdir(), 'jackfield-disk-'))
    const recordings = join(disk, 'recordings')
    const captured = join(disk, 'captured')
    before(async () => {
      chmodSync(disk, 0o755)
      mkdirSync(join(recordings, 'acme'), { recursive: true })
      appliance = await TestAppliance.make({
        'recordings.directory': recordings,
        'sip_capture.directory': captured,
      })
    })
    after(() => {
      appliance.remove()
      rmSync(disk, { recursive: true })
    })

    /** @param {string} name */
    const pidOf = (name) =>
      appliance.json('run/supervisor.json').parts.find((/** @type {PartState} */ part) => part.name === name)
        ?.process?.pid

    it('comes up with one command that shows its progress and what to do next', async () => {
      const { code, out, err } = await appliance.run('up')
      expect(code, out + err).to.equal(0)
      for (const title of ['MariaDB', 'Kamailio', 'sandbox switch', 'server']) {
        expect(out).to.match(new RegExp(`✓ ${title} +ready in [0-9.]+ s on 127`))
      }
      expect(out).to.include(`http://admin.localhost:${appliance.settings['http.port']}/api/v1/docs`)
      expect(out).to.include(join(appliance.home, 'secrets/operator-token'))
      expect(out).to.include('the sandbox, which only simulates calls')
      expect(out.match(/^ {2}npx jackfield /gm)).to.have.lengthOf(3)
    })

    it('tells other programs where it is', () => {
      const file = appliance.json('appliance.json')
      expect(file).to.deep.include({
        http: `http://127.0.0.1:${appliance.settings['http.port']}`,
        base_domain: 'localhost',
        admin_host: 'admin.localhost',
        operator_token_file: join(appliance.home, 'secrets/operator-token'),
        sip: { host: '127.0.0.1', port: appliance.settings['sip.port'] },
        switch: 'sandbox',
        event_socket: {
          host: '127.0.0.1',
          port: appliance.settings['switch.port'],
          password_file: join(appliance.home, 'secrets/esl-password'),
        },
        smpp: {
          host: '127.0.0.1',
          port: appliance.settings['sandbox.smpp_port'],
          ...{ system_id: 'sandbox', password: 'sandbox' },
        },
      })
      expect(file.pids).to.have.all.keys('supervisor', 'mariadb', 'kamailio', 'switch', 'server')
    })

    it('keeps its secrets to itself', () => {
      for (const name of ['operator-token', 'secret-key', 'db-password', 'esl-password', 'rpc-secret']) {
        expect(statSync(join(appliance.home, 'secrets', name)).mode & 0o777).to.equal(0o600)
      }
    })

    it('runs no part as root, and lets its user write what the parts write alone', () => {
      const { uid, gid } = userNamed('jackfield') ?? { uid: 0, gid: 0 }
      for (const name of ['mariadb', 'kamailio', 'switch', 'server']) {
        const status = readFileSync(`/proc/${pidOf(name)}/status`, 'utf8')
        expect(status, name).not.to.match(/^Uid:\s+0\b/m)
        if (name !== 'mariadb')
          expect(status, name).to.match(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'))
      }
      for (const path of ['log', 'kamailio', 'kamailio/kamailio.cfg'])
        expect(statSync(join(appliance.home, path)), path).to.include({ uid: 0, gid })
      expect(statSync(join(appliance.home, 'log/security/security.log')).uid).to.equal(uid)
      for (const path of [recordings, join(recordings, 'acme'), captured])
        expect(statSync(path), path).to.include({ uid, gid })
    })

    it('is healthy, and says on which Node', async () => {
      const { code, out } = await appliance.run('status')
      expect(code, out).to.equal(0)
      const { program, version, why } = chooseRuntime(readSettings(appliance.env))
      const row = out.split('\n').find((line) => line.startsWith('server '))
      expect(row).to.match(/server +up +\d+/)
      expect(row?.endsWith(`Node ${version}, ${why}`), row).to.equal(true)
      expect(Number(version.split('.')[0])).to.be.at.least(Number(VERSION.split('.')[0]))
      for (const name of ['server', 'switch'])
        expect(readlinkSync(`/proc/${pidOf(name)}/exe`), name).to.equal(realpathSync(program))
    })

    it('is left alone by a second run, which ends in seconds', async () => {
      const before = appliance.json('run/supervisor.json')
      const { code, out, seconds } = await appliance.run('up')
      expect(code).to.equal(0)
      expect(out).to.include('nothing changed')
      expect(seconds).to.be.lessThan(10)
      expect(appliance.json('run/supervisor.json')).to.deep.equal(before)
    })

    it('starts a part again that died, and status says so meanwhile', async () => {
      const pid = pidOf('server')
      process.kill(pid, 'SIGKILL')
      await sleep(200)
      const meanwhile = await appliance.run('status')
      expect(meanwhile.code, meanwhile.out).to.equal(1)
      const up = await appliance.run('up')
      expect(up.code, up.out + up.err).to.equal(0)
      expect(up.out).to.include('nothing changed')
      expect(pidOf('server')).not.to.equal(pid)
      expect(appliance.json('appliance.json').pids.server).to.equal(pidOf('server'))
    })

    it('lends its database only to those who know the password', async () => {
      const port = Number(appliance.settings['database.port'])
      const other = await TestAppliance.make({
        'database.own': false,
        'database.port': port,
        'database.password': 'wrong',
      })
      const { code, err } = await other.run('up')
      expect(code).to.equal(1)
      expect(err).to.match(
        /^jackfield: the database at 127\.0\.0\.1:\d+ refuses: Access denied for user 'jackfield'/,
      )
      expect(other.processes()).to.deep.equal([])
      await other.remove()
    })

    it('is taken over by up when its supervisor was killed', async () => {
      const { supervisor } = appliance.json('run/supervisor.json')
      const [kept, orphan] = [['mariadb', 'kamailio'].map(pidOf), pidOf('server')]
      process.kill(supervisor.pid, 'SIGKILL')
      await sleep(100)
      const { code, out, err } = await appliance.run('up')
      expect(code, out + err).to.equal(0)
      expect(['mariadb', 'kamailio'].map(pidOf)).to.deep.equal(kept)
      expect(pidOf('server')).not.to.equal(orphan)
      expect((await appliance.run('status')).code).to.equal(0)
      for (const program of ['mariadbd', 'server/dist/src/bin/main.js'])
        expect(appliance.processes().filter(({ command }) => command.includes(program))).to.have.lengthOf(1)
    })

    it('ends what its supervisor left when it was killed and other settings hold', async () => {
      const { supervisor } = appliance.json('run/supervisor.json')
      const [database, edge] = [pidOf('mariadb'), pidOf('kamailio')]
      process.kill(supervisor.pid, 'SIGKILL')
      await sleep(100)
      const env = { JACKFIELD_DATABASE_BUFFER_POOL_MB: '48' }
      const { code, out, err } = await appliance.run('up', { env })
      expect(code, out + err).to.equal(0)
      expect(pidOf('mariadb')).not.to.equal(database)
      expect(pidOf('kamailio')).to.equal(edge)
      expect(appliance.processes().filter(({ command }) => command.includes('mariadbd'))).to.have.lengthOf(1)
    })

    it('stops nothing for another version while another cell lives on tables that it would change', async () => {
      const login = {
        ...{ host: '127.0.0.1', port: Number(appliance.settings['database.port']) },
        ...{ user: 'jackfield', password: appliance.text('secrets/db-password').trim(), name: 'jackfield' },
      }
      const last = 'ORDER BY timestamp DESC LIMIT 1'
      const [done = ''] = await query(login, `SELECT CONCAT(name, "', ", timestamp) FROM migrations ${last}`)
      await query(login, `DELETE FROM migrations ${last}`)
      await query(
        login,
        "INSERT INTO cells (name, switch_address, server_id, beat_at) VALUES ('two', '', '', UTC_TIMESTAMP(3))",
      )
      const timer = setInterval(() => void query(login, 'UPDATE cells SET beat_at = UTC_TIMESTAMP(3)'), 700)
      const before = appliance.json('run/supervisor.json')
      const { code, err } = await appliance.run('up', { env: { JACKFIELD_LOG_MAX_MB: '21' } })
      clearInterval(timer)
      await query(login, `INSERT INTO migrations (name, timestamp) VALUES ('${done})`)
      await query(login, "DELETE FROM cells WHERE name = 'two'")
      expect(code).to.equal(1)
      expect(err).to.include('Nothing was stopped').and.include('migrated under them: two.')
      expect(appliance.json('run/supervisor.json')).to.deep.equal(before)
      expect((await appliance.run('status')).code).to.equal(0)
    })

    it('goes down with one command that waits, and again without complaint', async () => {
      const { code } = await appliance.run('down')
      expect(code).to.equal(0)
      expect(appliance.processes()).to.deep.equal([])
      const again = await appliance.run('down')
      expect(again.code).to.equal(0)
      expect(again.out).to.include('not running')
      expect((await appliance.run('status')).code).to.equal(1)
    })

    it('leaves nothing behind when a person interrupts the start', async () => {
      const { code, err } = await appliance.run('up', { interruptAfter: /✓ secrets/ })
      expect(code).to.equal(1)
      expect(err).to.include('interrupted')
      expect(appliance.processes()).to.deep.equal([])
    })
  })

  describe('on a machine with a real FreeSWITCH', function () {
    this.timeout(120_000)
    const binary = findFreeswitch()
    /** @type {TestAppliance | undefined} */
    let appliance
    before(function () {
      if (!binary) this.skip()
    })
    after(() => appliance?.remove())

    it('runs on it, and says where it was found', async () => {
      const [rtp = 0] = await freePorts(1)
      appliance = await TestAppliance.make({ 'switch.kind': 'auto', 'rtp.start': rtp, 'rtp.end': rtp + 200 })
      const up = await appliance.run('up')
      expect(up.code, up.out + up.err).to.equal(0)
      expect(up.out).to.include(`real FreeSWITCH found at ${binary}`)
      expect(appliance.json('appliance.json').switch).to.equal('freeswitch')
      const status = await appliance.run('status')
      expect(status.code, status.out).to.equal(0)
      expect((await appliance.run('down')).code).to.equal(0)
      expect(appliance.processes()).to.deep.equal([])
    })
  })

  describe('on a machine whose Redis is away', function () {
    this.timeout(120_000)
    /** @type {TestAppliance | undefined} */
    let appliance
    after(() => appliance?.remove())

    it('comes up, is well and is left alone: its server goes on without', async () => {
      const [nobody = 0] = await freePorts(1)
      appliance = await TestAppliance.make({ 'redis.url': `redis://127.0.0.1:${nobody}` })
      const up = await appliance.run('up')
      expect(up.code, up.out + up.err).to.equal(0)
      const status = await appliance.run('status')
      expect(status.code, status.out).to.equal(0)
      const again = await appliance.run('up')
      expect(again.out).to.include('nothing changed')
    })
  })

  describe('where something stands in its way', function () {
    this.timeout(60_000)
    /** @type {TestAppliance | undefined} */
    let appliance
    afterEach(() => appliance?.remove())

    /**
     * @param {import('./support.mjs').Ended} ended
     * @param {TestAppliance} of
     * @returns {string} the one line that tells why
     */
    function failureOf({ code, out, err }, of) {
      expect(code, out).to.equal(1)
      expect(err.trim().split('\n'), 'one line').to.have.lengthOf(1)
      expect(of.processes(), 'nothing is left running').to.deep.equal([])
      return err.trim()
    }

    it('names a port that is taken, by whom, and the setting to change', async () => {
      appliance = await TestAppliance.make()
      const port = Number(appliance.settings['http.port'])
      const server = createServer()
      await new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)))
      const failure = failureOf(await appliance.run('up'), appliance)
      await new Promise((resolve) => server.close(resolve))
      expect(failure)
        .to.include(`TCP port ${port} on 127.0.0.1 (the API) is in use by`)
        .and.include(`(pid ${process.pid})`)
      expect(failure).to.include('JACKFIELD_HTTP_PORT')
    })

    it('asks for root', async () => {
      appliance = await TestAppliance.make()
      expect(failureOf(await appliance.run('up', { asNobody: true }), appliance)).to.include('not root')
    })

    it('asks for room on the disk', async () => {
      appliance = await TestAppliance.make({ 'disk.min_mb': 90_000_000 })
      expect(failureOf(await appliance.run('up'), appliance)).to.match(/only \d+ MB are free/)
    })

    it('names a setting that is wrong', async () => {
      appliance = await TestAppliance.make({ 'sip.port': 0 })
      expect(failureOf(await appliance.run('up'), appliance)).to.include(
        'JACKFIELD_SIP_PORT (sip.port) must be',
      )
    })

    it('says why its own database refuses to start', async () => {
      appliance = await TestAppliance.make()
      mkdirSync(join(appliance.home, 'mariadb/data/mysql'), { recursive: true })
      writeFileSync(join(appliance.home, 'mariadb/data/ibdata1'), 'not a database')
      expect(failureOf(await appliance.run('up'), appliance)).to.include('MariaDB ended with exit code')
    })

    it('says why a database elsewhere refuses', async () => {
      appliance = await TestAppliance.make({ 'database.own': false })
      const failure = failureOf(await appliance.run('up'), appliance)
      expect(failure).to.include(`the database at 127.0.0.1:${appliance.settings['database.port']} refuses`)
      expect(failure).to.include('JACKFIELD_DATABASE_HOST')
    })

    it('says where FreeSWITCH should be', async () => {
      appliance = await TestAppliance.make({
        'switch.kind': 'freeswitch',
        'freeswitch.bin': '/nowhere/freeswitch',
      })
      expect(failureOf(await appliance.run('up'), appliance)).to.include('JACKFIELD_FREESWITCH_BIN')
    })
  })
})
