import { expect } from 'chai'
import { spawn, execFileSync } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { withMariadb } from '../backups/scratch-mariadb.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { ask, filesBelow, jackfield, register, tableSums } from './backup-fixtures.mjs'
import { TestAppliance } from './support.mjs'

const inAcme = ['--workspace', 'acme']
const recorded = [
  { action: 'recording' },
  { action: 'tts', params: { text: 'This is kept.' } },
  { action: 'hangup' },
]
const going = [{ action: 'recording' }, { action: 'to_operator', params: { phone_number: '+12025550100' } }]

describe('a backup of a running appliance', function () {
  this.timeout(180_000)
  const folder = mkdtempSync(join(tmpdir(), 'jackfield-backups-'))
  const passphrase = join(folder, 'passphrase')
  /** @type {TestAppliance} */
  let old
  /** @type {TestAppliance} */
  let fresh
  let key = ''
  let recording = ''
  let live = ''
  let file = ''
  /** @type {{username: string, domain: string, password: string}} */
  let phone
  /** @type {Buffer} */
  let sound
  /** Tables that did not change while the backup was made. @type {Map<string, string>} */
  let rows
  /** @type {string[]} */
  let kept

  before(async () => {
    writeFileSync(passphrase, 'correct horse battery staple\n')
    old = await TestAppliance.make()
    fresh = new TestAppliance(old.settings)
    const up = await old.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
  })
  after(async () => {
    await old.remove()
    await fresh.remove()
    rmSync(folder, { recursive: true })
  })

  /** @param {object[]} actions */
  const callWith = async (actions) => {
    const made = ['call', 'make', ...inAcme, '--to', '+12025550100', '--actions', JSON.stringify(actions)]
    return (await jackfield(old, ...made)).data.call_id
  }

  /** @param {string} path @param {(body: any) => boolean} when */
  const untilOf = (path, when) =>
    until(
      async () => {
        const { body } = await ask(old, path, { key })
        if (!when(body)) throw new Error(JSON.stringify(body))
        return body
      },
      { deadlineMs: 60_000, what: path },
    )

  it('is made while a call goes on, and lets it go on', async () => {
    await jackfield(old, 'workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    await jackfield(old, 'demo', ...inAcme)
    key = (
      await jackfield(
        old,
        'api-key',
        'create',
        ...inAcme,
        '--scope',
        'full',
        '--role',
        'owner',
        '--title',
        'k',
      )
    ).api_key
    const named = ['--username', 'desk1', '--title', 'Desk', '--password', 'a-desk-of-oak']
    const account = await jackfield(old, 'sip-account', 'create', ...inAcme, ...named)
    phone = { username: account.username, domain: account.domain, password: 'a-desk-of-oak' }
    const anna = [
      '--username',
      'anna',
      '--display-name',
      'Anna',
      '--email',
      'a@example.com',
      '--role',
      'member',
      '--country',
      'US',
    ]
    await jackfield(old, 'agent', 'create', ...inAcme, ...anna, '--password', 'annas-secret')
    await jackfield(old, 'audio', 'add', ...inAcme, '--title', 'Hello', '--text', 'Hello', '--voice', 'en')
    const text = ['--from', '+12025550199', '--to', '+12025550110', '--body', 'Grüße — 日本, \'"\\ and ;']
    const { id: message } = await jackfield(old, 'message', 'send', ...inAcme, ...text)
    const ended = await callWith(recorded)
    const found = await untilOf(`/recordings?call_id=${ended}`, ({ data }) => data[0]?.status === 'ready')
    recording = found.data[0].id
    sound = (await ask(old, `/recordings/${recording}/content`, { key })).bytes
    await untilOf(`/messages/${message}`, ({ status }) => status === 'delivered')
    live = await callWith(going)
    await untilOf(`/calls/${live}`, ({ status }) => status === 'active')
    mkdirSync(join(old.home, 'sip-capture'))
    writeFileSync(join(old.home, 'sip-capture/1'), 'kept for some days')
    const beforehand = await tableSums(old)
    const args = ['--to', folder, '--passphrase-file', passphrase, '--keep', '2']
    const made = await old.run('backup', { args })
    expect(made.code, made.err).to.equal(0)
    file = /^\/.*\.tar\.gpg$/m.exec(made.out)?.[0] ?? ''
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(Date.now() - Date.parse(old.text('run/last-backup').trim())).to.be.within(0, 60_000)
    expect((await ask(old, `/calls/${live}`, { key })).body.status).to.equal('active')
    const afterwards = await tableSums(old)
    rows = new Map([...beforehand].filter(([table, sum]) => afterwards.get(table) === sum))
    const steady = [
      'workspaces',
      'api_keys',
      'agents',
      'sip_accounts',
      'subscriber',
      'calls',
      'call_events',
      'messages',
    ]
    expect([...rows.keys()]).to.include.members([
      ...steady,
      'recordings',
      'audios',
      'audit_log',
      'migrations',
    ])
    kept = filesBelow(join(old.home, 'media')).filter((path) => !/^\/(tts|recordings\/incoming)\//.test(path))
    expect(kept.length).to.equal(2) // the audio and the recording
    expect(readdirSync(old.home).filter((name) => name.startsWith('.'))).to.deep.equal([])
  })

  it('keeps as many as are asked for, and none that could not be written', async () => {
    for (const name of ['20200101T000000Z', '20200102T000000Z'])
      writeFileSync(join(folder, `jackfield-${name}.tar`), '')
    // The work of three runs: one that was killed long ago, one of another appliance that is at work, and one of our own.
    const killed = join(folder, '.backup-jackfield-killed')
    const atWork = join(folder, '.backup-jackfield-at-work')
    const own = join(folder, `.backup-${old.text('run/backup-maker').trim()}-jackfield-20200103T000000Z.tar`)
    for (const work of [killed, atWork, own]) mkdirSync(work)
    utimesSync(killed, new Date(0), new Date(0))
    const made = await old.run('backup', {
      args: ['--to', folder, '--passphrase-file', passphrase, '--keep', '2'],
    })
    expect(made.code, made.err).to.equal(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tar.gpg'))).to.have.lengthOf(2)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tar'))).to.deep.equal([])
    expect([killed, atWork, own].map((path) => existsSync(path))).to.deep.equal([false, true, false])
    rmSync(atWork, { recursive: true })
    const short = await old.run('backup', { env: { JACKFIELD_DISK_MIN_MB: '90000000' } })
    expect(short.code).to.equal(1)
    const [, needed] = /only \d+ MB are free under .* and (\d+) MB are needed/.exec(short.err) ?? []
    const login = databaseLogin(readSettings(old.env))
    const [bytes] = await query(
      login,
      'SELECT SUM(data_length) FROM information_schema.tables WHERE table_schema = DATABASE()',
    )
    expect(Number(needed) - 90e6, short.err).to.be.at.least(Math.ceil(Number(bytes) / 1e6))
    expect(readdirSync(join(old.home, 'backups'))).to.deep.equal([])
    const absent = join(folder, 'not-mounted')
    const nowhere = await old.run('backup', { args: ['--to', absent, '--keep', '2'] })
    expect(nowhere.code).to.equal(1)
    expect(nowhere.err).to.include(`there is no folder ${absent}`)
    expect(existsSync(absent)).to.equal(false)
  })

  it('is refused where an appliance runs or is, without its passphrase, and when it is damaged', async () => {
    /** @param {TestAppliance} appliance @param {string[]} args */
    const refusal = async (appliance, ...args) => {
      const { code, out, err } = await appliance.run('restore', { args })
      expect(code, out).to.equal(1)
      return err.trim()
    }
    const opening = ['--passphrase-file', passphrase]
    expect(await refusal(old, file, ...opening)).to.include('the appliance runs: stop it first')
    for (const { pid } of old.processes()) process.kill(pid, 'SIGKILL')
    await until(async () => expect(old.processes()).to.deep.equal([]), {
      deadlineMs: 10_000,
      what: 'all being dead',
    })
    expect(await refusal(old, file, ...opening))
      .to.include('is an appliance in')
      .and.include('--replace')
    expect(await refusal(fresh, file))
      .to.include('is encrypted')
      .and.include('--passphrase-file')
    const wrong = join(folder, 'wrong')
    writeFileSync(wrong, 'incorrect horse\n')
    expect(await refusal(fresh, file, '--passphrase-file', wrong)).to.match(
      /cannot be read: gpg: .*Bad session key/,
    )
    expect(await refusal(fresh, opened(folder, file, passphrase, 'damaged'))).to.match(
      /damaged.*media\/audios\/.*FAILED/,
    )
    expect(await refusal(fresh, opened(folder, file, passphrase, 'newer'))).to.match(
      /it is newer \(Later\d+\)/,
    )
    expect(filesBelow(fresh.home).filter((path) => !/^\/(log|run)\//.test(path))).to.deep.equal([])
  })

  it('makes the same appliance on an empty machine', async () => {
    const restored = await fresh.run('restore', { args: [file, '--passphrase-file', passphrase] })
    expect(restored.code, restored.err).to.equal(0)
    const { secrets } = readSecrets(fresh.home)
    expect(secrets).to.deep.equal(readSecrets(old.home).secrets)
    const mariadb = join(fresh.home, 'mariadb')
    const sums = await withMariadb(readSettings(fresh.env), { folder: mariadb, secrets }, () =>
      tableSums(fresh),
    )
    expect([...rows].filter(([table, sum]) => sums.get(table) !== sum)).to.deep.equal([])
    expect(filesBelow(join(fresh.home, 'media'))).to.include.members(kept)
    expect(existsSync(join(fresh.home, 'sip-capture'))).to.equal(false)
    expect(filesBelow(join(fresh.home, 'kamailio/tls'))).to.deep.equal(
      filesBelow(join(old.home, 'kamailio/tls')),
    )
  })

  it('in which phones, keys, people and recordings are what they were', async () => {
    const up = await fresh.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
    expect(await register(fresh, phone)).to.equal(200)
    expect(await register(fresh, { ...phone, password: 'another' })).not.to.equal(200)
    const login = { username: 'anna', password: 'annas-secret', device_id: 'a-browser' }
    expect((await ask(fresh, '/auth/login', { body: login })).status).to.equal(200)
    expect((await ask(fresh, '/calls', { key })).body.data).to.have.lengthOf(2)
    expect((await ask(fresh, `/recordings/${recording}/content`, { key })).bytes.equals(sound)).to.equal(true)
    // The switch that had it is gone, which the server sees.
    const body = () => ask(fresh, `/calls/${live}`, { key }).then((answer) => answer.body)
    await until(async () => expect((await body()).ended_at).to.be.a('string'), {
      deadlineMs: 60_000,
      what: 'its end',
    })
  })

  it('and whose secrets are replaced while it runs, also when that was killed', async () => {
    const secret = (/** @type {string} */ name) =>
      readFileSync(join(fresh.home, 'secrets', name), 'utf8').trim()
    const before = { key: secret('secret-key'), token: secret('operator-token') }
    const args = ['rotate', 'master-key']
    const first = spawn(process.execPath, [join(ROOT, 'installer/secret.mjs'), ...args], { env: fresh.env })
    const isBegun = () => expect(secret('secret-key')).not.to.equal(before.key)
    await until(async () => isBegun(), { deadlineMs: 60_000, pauseMs: 5, what: 'another key' })
    first.kill('SIGKILL')
    expect(secret('secret-key-old')).to.include(before.key)
    expect((await ask(fresh, '/calls', { key })).status).to.equal(200)
    const again = await fresh.run('secret', { args })
    expect(again.code, again.out + again.err).to.equal(0)
    expect(again.out).to.match(/replaced, [1-9]\d* secrets resealed/)
    expect(secret('secret-key-old')).to.equal('')
    const login = databaseLogin(readSettings(fresh.env))
    const sealed = await query(
      login,
      'SELECT LEFT(secret, 12) FROM api_keys UNION SELECT LEFT(secrets, 12) FROM carriers',
    )
    expect(sealed).to.have.lengthOf(1)
    expect((await ask(fresh, '/calls', { key })).status).to.equal(200)
    expect((await fresh.run('secret', { args: ['rotate', 'operator-token'] })).code).to.equal(0)
    const ofOperator = (/** @type {string} */ operator) =>
      ask(fresh, '/operator/status', { operator, host: 'admin' })
    expect((await ofOperator(before.token)).status).to.equal(401)
    expect((await ofOperator(secret('operator-token'))).status).to.equal(200)
    const refused = await fresh.run('secret', { args: ['rotate', 'esl-password'] })
    expect(refused.err).to.include('npm run down')
    expect((await fresh.run('down')).code).to.equal(0)
  })

  it('leaves what was there as it was when the restore is interrupted or killed', async () => {
    const state = () => filesBelow(fresh.home).filter((path) => /^\/(secrets|media|mariadb)\/[^.]/.test(path))
    const whole = state()
    const secrets = filesBelow(join(fresh.home, 'secrets'))
    const args = [join(ROOT, 'installer/restore.mjs'), file, '--passphrase-file', passphrase, '--replace']
    /** @param {NodeJS.Signals} signal sent while the new database is filled */
    const strike = async (signal) => {
      const restore = spawn(process.execPath, args, { env: fresh.env })
      let said = ''
      restore.stderr.setEncoding('utf8').on('data', (text) => (said += text))
      const loading = join(fresh.home, '.restored/mariadb/mariadbd.pid')
      await until(async () => expect(existsSync(loading)).to.equal(true), {
        ...{ deadlineMs: 60_000, pauseMs: 5, what: 'it' },
      })
      restore.kill(signal)
      await new Promise((resolve) => restore.on('close', resolve))
      return said
    }
    expect(await strike('SIGINT')).to.equal('jackfield: interrupted: nothing has changed\n')
    expect(fresh.processes()).to.deep.equal([])
    expect(readdirSync(fresh.home).filter((name) => name.startsWith('.restored'))).to.deep.equal([])
    await strike('SIGKILL')
    for (const { pid } of fresh.processes()) process.kill(pid, 'SIGKILL')
    expect(state()).to.deep.equal(whole)
    const dump = 'run/before-upgrade/database.sql.gz'
    mkdirSync(join(fresh.home, 'run/before-upgrade'))
    const forgotten = ['mariadb/configured', 'kamailio/configured', 'run/upgrade.json', dump].map((name) =>
      join(fresh.home, name),
    )
    for (const path of forgotten) writeFileSync(path, '{}')
    const again = await fresh.run('restore', { args: args.slice(1) })
    expect(again.code, again.err).to.equal(0)
    expect(forgotten.filter((path) => existsSync(path))).to.deep.equal([])
    const [aside = ''] = /\/.*\.before-restore-\w+/.exec(again.out) ?? []
    expect(filesBelow(join(aside, 'secrets'))).to.deep.equal(secrets)
    expect(filesBelow(join(fresh.home, 'secrets'))).to.deep.equal(filesBelow(join(old.home, 'secrets')))
    expect(existsSync(join(aside, 'mariadb/data/jackfield'))).to.equal(true)
  })
})

/**
 * The backup without its encryption, and with something wrong.
 * @param {string} folder
 * @param {string} file
 * @param {string} passphrase
 * @param {'damaged' | 'newer'} fault
 */
function opened(folder, file, passphrase, fault) {
  const inside = join(folder, 'inside')
  const gpg = `gpg --batch --quiet --no-autostart --pinentry-mode loopback --passphrase-file ${passphrase} -d ${file}`
  mkdirSync(inside)
  execFileSync('sh', ['-c', `${gpg} | tar -x -C ${inside}`], { stdio: ['ignore', 'ignore', 'ignore'] })
  if (fault === 'damaged') {
    const audios = join(inside, 'media/audios')
    const path = join(audios, readdirSync(audios)[0] ?? '')
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    rmSync(path)
    writeFileSync(path, bytes)
  } else {
    const manifest = JSON.parse(readFileSync(join(inside, 'manifest.json'), 'utf8'))
    manifest.migrations.push('Later1890000000000')
    writeFileSync(join(inside, 'manifest.json'), JSON.stringify(manifest))
    const sums = 'find * -type f ! -name SHA256SUMS -print0 | xargs -0 sha256sum > SHA256SUMS'
    execFileSync('sh', ['-c', sums], { cwd: inside })
  }
  const wrong = join(folder, `${fault}.tar.wrong`)
  execFileSync('tar', ['-cf', wrong, '--format=posix', '-C', inside, '.'])
  rmSync(inside, { recursive: true })
  return wrong
}
