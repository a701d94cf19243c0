import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, writeSums } from '../backups/archive.mjs'
import { isMount } from '../backups/mounts.mjs'
import { places, stateIn } from '../backups/places.mjs'
import { requireStopped, serverRuns } from '../docker/running.mjs'
import { ROOT, readSettings } from '../settings.mjs'

const PORTS = /** @type {const} */ (['database.port', 'http.port', 'switch.port', 'edge.rpc_port'])

describe('the tools of the containers', function () {
  this.timeout(60_000)
  /** @type {string} */
  let home
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'jackfield-tools-'))))
  afterEach(() => rmSync(home, { recursive: true }))

  it('know by its port whether the appliance runs, and whose the server is', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const none = Object.fromEntries(PORTS.map((name) => [name, 1]))
    const settings = { ...readSettings({ JACKFIELD_HOME: home }), ...none }
    expect(serverRuns(settings)).to.equal(false)
    expect(() => requireStopped(settings)).not.to.throw()
    for (const name of PORTS)
      expect(() => requireStopped({ ...settings, [name]: port }), name).to.throw(`TCP port ${port}`)
    expect(serverRuns({ ...settings, 'http.port': port })).to.equal(true)
    const uid = process.getuid
    process.getuid = () => 10_001_000
    try {
      expect(serverRuns({ ...settings, 'http.port': port }), 'a stranger’s').to.equal(false)
    } finally {
      if (uid) process.getuid = uid
      other.close()
    }
  })

  it('know a volume, which cannot be moved, from a folder', () => {
    const table = readFileSync('/proc/self/mountinfo', 'utf8')
    expect(isMount('/proc', table)).to.equal(true)
    expect(isMount(home)).to.equal(false)
    expect(isMount('/a folder', '36 35 98:0 /x /a\\040folder rw - ext4 /dev/sda rw')).to.equal(true)
  })

  it('leave out of a backup what setup writes', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'installer/docker/setup.mjs')], {
      env: { PATH: process.env['PATH'], JACKFIELD_HOME: home },
      encoding: 'utf8',
    })
    expect(status, stderr).to.equal(0)
    const kept = Object.fromEntries(
      places(readSettings({ JACKFIELD_HOME: home })).map((place) => [place.name, stateIn(place)]),
    )
    expect(kept).to.deep.equal({ home: ['secrets'], kamailio: ['tls'], media: [] })
  })

  it('let one work on the state at a time, and say which verbs there are', async () => {
    const holder = spawn('flock', ['--no-fork', home, 'sh', '-c', 'echo held; exec sleep 60'])
    await once(holder.stdout, 'data')
    const tools = (/** @type {string[]} */ ...args) =>
      spawnSync(process.execPath, [join(ROOT, 'installer/docker/tools.mjs'), ...args], {
        env: { PATH: process.env['PATH'], JACKFIELD_HOME: home },
        encoding: 'utf8',
      }).stderr
    try {
      expect(tools('restore', 'x.tar')).to.equal(
        'jackfield: another backup, restore or upgrade is at work: wait for it\n',
      )
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
    expect(tools('up')).to.include('say what to do: backup | check-backup | restore')
  })

  it('know a whole backup from one that was cut off or changed', async () => {
    const parts = [{ folder: home, names: ['manifest.json', 'database.sql.gz'] }]
    for (const name of parts[0]?.names ?? []) writeFileSync(join(home, name), `${name} `.repeat(5_000))
    await writeSums(parts, join(home, 'SHA256SUMS'))
    const sums = { folder: home, names: ['SHA256SUMS'] }
    await pack([...parts, sums], join(home, 'whole.tar'), undefined)
    const whole = readFileSync(join(home, 'whole.tar'))
    writeFileSync(join(home, 'cut.tar'), whole.subarray(0, 60_000))
    const at = whole.indexOf('database.sql.gz database') + 2_000
    writeFileSync(join(home, 'changed.tar'), Buffer.from(whole).fill('x', at, at + 1))
    const check = (/** @type {string} */ name) =>
      spawnSync(
        process.execPath,
        [join(ROOT, 'installer/docker/tools.mjs'), 'check-backup', '--keep', '3', join(home, name)],
        { env: { PATH: process.env['PATH'], JACKFIELD_HOME: home }, encoding: 'utf8' },
      )
    const good = check('whole.tar')
    expect(good.status, good.stderr).to.equal(0)
    expect(check('cut.tar').stderr).to.include('cut.tar cannot be read: tar: ')
    expect(check('changed.tar').stderr).to.include(
      'the backup is damaged: sha256sum: database.sql.gz: FAILED',
    )
    expect(readdirSync(home).filter((name) => name.startsWith('.'))).to.deep.equal([])
  })
})
