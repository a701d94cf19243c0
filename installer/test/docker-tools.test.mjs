import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pack, writeSums } from '../backups/archive.mjs'
import { isMount } from '../backups/mounts.mjs'
import { places, stateIn } from '../backups/places.mjs'
import { followSecrets } from '../docker/follow-secrets.mjs'
import { requireStopped, serverRuns } from '../docker/running.mjs'
import { replaceSecret, secretPath } from '../secrets.mjs'
import { ROOT, environmentName, readSettings } from '../settings.mjs'
import { freePorts } from './support.mjs'

const PORTS = /** @type {const} */ (['database.port', 'http.port', 'switch.port', 'edge.rpc_port'])

describe('the tools of the containers', function () {
  this.timeout(60_000)
  /** @type {string} */
  let home
  /** Ports that nobody listens on, as settings. @type {Record<string, string>} */
  let ports
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'jackfield-tools-'))
    const free = await freePorts(PORTS.length)
    ports = Object.fromEntries(PORTS.map((name, index) => [environmentName(name), String(free[index])]))
  })
  afterEach(() => rmSync(home, { recursive: true }))

  /** @param {string} program of installer/docker @param {string[]} args */
  const node = (program, ...args) =>
    spawnSync(process.execPath, [join(ROOT, 'installer/docker', program), ...args], {
      env: { PATH: process.env['PATH'], JACKFIELD_HOME: home, GIVEN_SECRETS: join(home, 'given'), ...ports },
      encoding: 'utf8',
    })
  const run = (/** @type {string[]} */ ...args) => node('tools.mjs', ...args)
  const secret = (/** @type {string} */ name) => readFileSync(join(home, 'secrets', name), 'utf8').trim()

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
    const others = { ...settings, 'database.own': false, 'database.port': port }
    expect(() => requireStopped(others), 'a database of one’s own').not.to.throw()
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
        'jackfield: another backup, restore, upgrade or change of secrets is at work: wait for it\n',
      )
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
    expect(tools('up')).to.include('say what to do: backup | check-backup | restore')
  })

  it('replace a password between the parts while they are stopped, and none starts with the old one', () => {
    const [first, ...more] = ['esl-password', 'rpc-secret', 'db-password', 'redis-password']
    expect(run('rotate', 'x').stderr).to.include(
      `name the secret: rotate master-key | operator-token | ${first}`,
    )
    expect(node('setup.mjs').status).to.equal(0)
    for (const name of [first, ...more]) {
      const before = secret(name ?? '')
      writeFileSync(join(home, 'freeswitch/configured'), 'x')
      const { status, stderr } = run('rotate', name ?? '')
      expect(status, stderr).to.equal(0)
      expect(secret(name ?? ''))
        .to.match(/^[0-9a-f]{48}$/)
        .and.not.equal(before)
      expect(existsSync(join(home, 'freeswitch/configured')), name).to.equal(false)
    }
    expect(node('setup.mjs').stdout).to.include('freeswitch: configuration changed')
    expect(readFileSync(join(home, 'freeswitch/.fs_cli_conf'), 'utf8')).to.include(secret('esl-password'))
    expect(run('rotate', 'master-key').stderr).to.include('docker compose up -d')
  })

  it('replace no password between the parts while one of them runs', async () => {
    const other = createServer().listen(Number(ports['JACKFIELD_SWITCH_PORT']), '127.0.0.1')
    await once(other, 'listening')
    try {
      expect(node('setup.mjs').status).to.equal(0)
      const before = secret('esl-password')
      expect(run('rotate', 'esl-password').stderr).to.include('docker compose stop first')
      expect(secret('esl-password')).to.equal(before)
    } finally {
      other.close()
    }
  })

  it('have the server read anew each secret that is replaced while it runs', async () => {
    expect(node('setup.mjs').status).to.equal(0)
    const stop = followSecrets(home)
    try {
      for (const name of /** @type {const} */ (['secret-key', 'secret-key-old', 'operator-token'])) {
        await sleep(1500) // it has looked at what there is
        const told = once(process, 'SIGHUP', { signal: AbortSignal.timeout(5000) })
        replaceSecret(secretPath(home, name), 'another')
        await told
      }
    } finally {
      stop()
    }
  })

  it('take the secrets of the other cells when they are told to', () => {
    expect(node('setup.mjs').status).to.equal(0)
    const given = join(home, 'given')
    mkdirSync(given)
    const before = { key: secret('secret-key'), rpc: secret('rpc-secret') }
    writeFileSync(join(given, 'secret-key'), 'the next key\n')
    writeFileSync(join(given, 'secret-key-old'), `${before.key}\n`)
    const taken = run('take-secrets')
    expect(taken.status, taken.stderr).to.equal(0)
    expect(taken.stdout).to.include('secret-key-old, secret-key taken')
    expect([secret('secret-key'), secret('secret-key-old')]).to.deep.equal(['the next key', before.key])
    writeFileSync(join(given, 'secret-key-old'), '\n')
    run('take-secrets')
    expect([secret('secret-key'), secret('secret-key-old')]).to.deep.equal(['the next key', ''])
    expect(run('take-secrets').stdout).to.include('all are as in the folder')
    writeFileSync(join(given, 'rpc-secret'), 'of the other edges')
    expect(existsSync(join(home, 'kamailio/configured'))).to.equal(true)
    expect(run('take-secrets').status).to.equal(0)
    expect(secret('rpc-secret')).to.equal('of the other edges')
    expect(existsSync(join(home, 'kamailio/configured'))).to.equal(false)
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
