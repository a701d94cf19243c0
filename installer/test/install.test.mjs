import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  chmodSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dumpDatabase } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { withMariadb } from '../backups/scratch-mariadb.mjs'
import { bringBack } from '../backups/upgrading.mjs'
import { ownAddress } from '../installation/flags.mjs'
import { giveBack } from '../installation/installed.mjs'
import { answered } from '../installation/settings-file.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { processesWith } from '../processes.mjs'
import { stopAppliance } from '../state.mjs'
import { until } from '../waiting.mjs'
import { TestAppliance } from './support.mjs'

/** A user of the test's own, which ends with it. */
const USER = `jackfield-${process.pid}`

describe('jackfield install', function () {
  this.timeout(240_000)
  /** @type {string} */
  let folder
  /** @type {string} */
  let checkout
  /** @type {Record<string, string>} */
  let places
  /** @type {TestAppliance} */
  let appliance

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-install-'))
    chmodSync(folder, 0o755)
    checkout = copyOfCheckout(folder)
    places = {
      'config-directory': join(folder, 'etc'),
      'state-directory': join(folder, 'state'),
      'unit-directory': join(folder, 'units'),
      'program-directory': join(folder, 'bin'),
      user: USER,
    }
    appliance = await TestAppliance.make()
  })
  after(async () => {
    await stopAppliance(join(folder, 'state'))
    spawnSync('userdel', [USER])
    rmSync(folder, { recursive: true, force: true })
    await appliance.remove()
  })

  /** @param {string[]} args */
  const install = (...args) =>
    spawnSync(
      process.execPath,
      [
        join(checkout, 'installer/install.mjs'),
        ...Object.entries(places).flatMap(([name, value]) => [`--${name}`, value]),
        ...args,
      ],
      { encoding: 'utf8', env: withoutSettings(), timeout: 200_000 },
    )

  /**
   * Runs a command of the unit's as its user, with no more rights than it, as after a reboot: nothing is left in /run.
   * @param {'ExecStart' | 'ExecStopPost'} name
   * @param {Record<string, string>} [told] by systemd
   */
  function asUnit(name, told = {}) {
    const command = new RegExp(`^${name}=(.*)$`, 'm').exec(read('units/jackfield.service'))?.[1] ?? ''
    const rights = ['--no-new-privs', '--bounding-set=-all,+net_bind_service', '--inh-caps=-all']
    const user = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
    const rebooted = ['--mount', 'sh', '-c', 'mount -t tmpfs -o mode=755 tmpfs /run && exec "$@"', 'sh']
    return spawn('unshare', [...rebooted, 'setpriv', ...user, ...rights, ...command.split(' ')], {
      cwd: checkout,
      env: { PATH: process.env['PATH'], JACKFIELD_HOME: join(folder, 'state'), ...told },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** What the supervisor tells: its phase, and the process of each part. */
  function stateOfParts() {
    const { phase, parts } = JSON.parse(read('state/run/supervisor.json'))
    /** @type {{name: string, process: {pid: number} | null}[]} */
    const all = parts
    return { phase, pids: Object.fromEntries(all.map(({ name, process }) => [name, process?.pid])) }
  }

  /** @param {string} path */
  const read = (path) => readFileSync(join(folder, path), 'utf8')

  it('asks for what nobody said, naming the flag and the rule', () => {
    expect(install('--yes').stderr).to.match(/^jackfield: --base-domain is missing: Domain of this platform/)
    expect(install('--yes', '--base-domain', 'A b').stderr).to.equal(
      'jackfield: --base-domain must be a domain name in lower case, not "A b"\n',
    )
    expect(install('--nonsense').stderr).to.equal("jackfield: Unknown option '--nonsense': see --help\n")
  })

  it('takes over a trial of this checkout, with its secrets and settings', () => {
    rmSync(join(checkout, 'var'))
    rmSync(join(folder, 'state'), { recursive: true })
    mkdirSync(join(checkout, 'var/secrets'), { recursive: true })
    writeFileSync(join(checkout, 'var/secrets/operator-token'), `op-${'a'.repeat(40)}\n`)
    writeFileSync(join(checkout, 'var/config.json'), JSON.stringify(trialSettings(appliance)))
    const { status, stdout, stderr } = install(
      '--yes',
      '--base-domain',
      'example.test',
      '--external-ip',
      '127.0.0.1',
    )
    expect(status, stdout + stderr).to.equal(0)
    expect(read('state/secrets/operator-token')).to.match(/^op-a{40}\n$/)
    expect(realpathSync(join(checkout, 'var'))).to.equal(realpathSync(join(folder, 'state')))
    const settings = JSON.parse(read('etc/config.json'))
    expect(settings).to.deep.include({ base_domain: 'example.test' })
    expect(settings.edge).to.deep.include({ sip_domain: 'sip.example.test' })
    expect(settings.http).to.deep.equal({
      port: appliance.settings['http.port'],
      host: '0.0.0.0',
    })
  })

  it('changes nothing when it is run again', () => {
    const before = ['etc/config.json', 'units/jackfield.service', 'bin/jackfield'].map(
      (path) => statSync(join(folder, path)).mtimeMs,
    )
    const { status, stdout, stderr } = install('--yes')
    expect(status, stdout + stderr).to.equal(0)
    const afterwards = ['etc/config.json', 'units/jackfield.service', 'bin/jackfield'].map(
      (path) => statSync(join(folder, path)).mtimeMs,
    )
    expect(afterwards).to.deep.equal(before)
  })

  it('has HTTPS as soon as there is a certificate for it, and not before', async () => {
    const tree = await answered({}, { base_domain: 'example.test', 'sip.host': '192.0.2.1' }, null)
    expect(tree)
      .to.deep.include({ http: { port: 80, host: '0.0.0.0' } })
      .and.not.have.property('tls')
    const later = await answered(tree, { 'tls.acme': 'true' }, null)
    expect(later).to.deep.include({
      http: { port: 80, host: '0.0.0.0', tls_port: 443 },
      tls: { acme: true },
      sip: { host: '192.0.2.1', listen_host: ownAddress() },
    })
  })

  it('writes a unit that systemd takes, and gives it no right of root’s', () => {
    const unit = join(folder, 'units/jackfield.service')
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    expect(stderr).to.equal('')
    expect(read('units/jackfield.service'))
      .to.include(`\nUser=${USER}\n`)
      .and.include('\nNoNewPrivileges=yes\n')
  })

  it('keeps settings and state from all others', () => {
    expect(statSync(join(folder, 'etc/config.json')).mode & 0o777).to.equal(0o640)
    expect(statSync(join(folder, 'state')).mode & 0o007).to.equal(0)
    const { uid } = statSync(join(folder, 'state/secrets'))
    expect(uid).to.equal(Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' })))
  })

  it('comes up as that user, with the unit’s command, and tells systemd when it is ready', async () => {
    const notified = notifySocket(join(folder, 'notify'))
    chmodSync(await notified.bound, 0o777)
    const child = asUnit('ExecStart', { NOTIFY_SOCKET: join(folder, 'notify') })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    try {
      await until(
        async () => {
          if (!notified.heard().includes('READY=1')) throw new Error(said)
        },
        {
          deadlineMs: 120_000,
          what: 'systemd being told',
          giveUp: () => (child.exitCode === null ? undefined : `ended: ${said}`),
        },
      )
      expect(said).to.match(/server is up\n$/)
      const { parts, phase } = JSON.parse(read('state/run/supervisor.json'))
      expect(phase).to.equal('up')
      for (const {
        name,
        process: { pid },
      } of parts)
        expect(statSync(`/proc/${pid}`).uid, name).to.equal(statSync(join(folder, 'state')).uid)
      // a command of root's that starts the appliance itself would leave files of root's behind
      const up = spawnSync(process.execPath, [join(checkout, 'installer/up.mjs')], {
        encoding: 'utf8',
        env: withoutSettings(),
      })
      expect(up.stderr).to.include('is that of an installation: use systemctl start jackfield')
    } finally {
      notified.close()
      child.kill('SIGTERM')
      await ended(child)
    }
    expect(child.exitCode).to.equal(0)
    expect(processesWith('JACKFIELD_HOME', join(folder, 'state'))).to.deep.equal([])
  })

  it('keeps calls when its supervisor is killed: the next takes over what carries them', async () => {
    const first = asUnit('ExecStart')
    await until(async () => expect(stateOfParts().phase).to.equal('up'), { deadlineMs: 120_000, what: 'up' })
    const { pids } = stateOfParts()
    first.kill('SIGKILL')
    await ended(first)
    await ended(
      asUnit('ExecStopPost', { SERVICE_RESULT: 'signal', EXIT_CODE: 'killed', EXIT_STATUS: 'KILL' }),
    )
    expect(stateOfParts()).to.deep.equal({ phase: 'orphaned', pids })
    const second = asUnit('ExecStart')
    await until(async () => expect(stateOfParts().phase).to.equal('up'), { deadlineMs: 120_000, what: 'up' })
    const { pids: now } = stateOfParts()
    expect(now).to.deep.include({ mariadb: pids['mariadb'], kamailio: pids['kamailio'] })
    expect(now['server']).not.to.equal(pids['server'])
    // systemd will start none: `systemctl stop` that took too long, and wrong settings
    second.kill('SIGKILL')
    await ended(second)
    await ended(
      asUnit('ExecStopPost', { SERVICE_RESULT: 'timeout', EXIT_CODE: 'killed', EXIT_STATUS: 'KILL' }),
    )
    expect(processesWith('JACKFIELD_HOME', join(folder, 'state'))).to.deep.equal([])
  })

  it('is taken back by root while its MariaDB does not run, and its user has all files', async () => {
    const settings = readSettings({ JACKFIELD_HOME: join(folder, 'state') })
    const dump = join(folder, 'database.sql.gz')
    const own = { folder: join(folder, 'state/mariadb'), secrets: readSecrets(settings.home).secrets }
    await withMariadb(settings, own, () => dumpDatabase(databaseLogin(settings), dump, async () => {}))
    /** @type {import('node:child_process').ChildProcess | undefined} */
    let child
    await bringBack(
      settings,
      {
        versionAt: (root) => ({ root }),
        ...{ requireBuilt() {}, hold: async () => {}, release: async () => {} },
        async start() {
          const started = asUnit('ExecStart')
          child = started
          const isUp = async () => {
            const { supervisor, phase } = JSON.parse(read('state/run/supervisor.json'))
            expect({ pid: supervisor.pid, phase }).to.deep.equal({ pid: started.pid, phase: 'up' })
          }
          await until(isUp, { deadlineMs: 120_000, what: 'up' })
        },
      },
      { root: checkout, at: '', dump, isBetween: true },
    )
    const { uid } = statSync(settings.home)
    const ofOthers = readdirSync(own.folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => statSync(join(own.folder, name)).uid !== uid,
    )
    expect(ofOthers).to.deep.equal([])
    child?.kill('SIGTERM')
    if (child) await ended(child)
  })

  it('is not upgraded from a checkout that its user cannot read: nothing is built or stopped for it', () => {
    const hidden = join(folder, 'hidden')
    mkdirSync(hidden, { mode: 0o700 })
    for (const name of ['installer', 'package.json'])
      cpSync(join(checkout, name), join(hidden, name), { recursive: true })
    const args = [join(hidden, 'installer/upgrade.mjs'), '--config-directory', join(folder, 'etc')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ encoding: 'utf8', env: withoutSettings() },
    })
    expect(stderr).to.equal(
      `jackfield: the user ${USER} cannot read ${hidden}/installer/supervisor.mjs: put it where all may read, such as /opt/jackfield for the checkout\n`,
    )
    expect([status, stdout]).to.deep.equal([1, ''])
    expect(existsSync(join(folder, 'state/run/upgrade.json'))).to.equal(false)
  })

  it('takes the settings of a backup, also where state and settings lie on two disks', () => {
    const config = join(mkdtempSync('/dev/shm/jackfield-'), 'config.json')
    const state = join(folder, 'restored')
    mkdirSync(join(state, 'secrets'), { recursive: true })
    writeFileSync(join(state, 'config.json'), '{"base_domain":"restored.test"}')
    expect(statSync(state).dev).not.to.equal(statSync(join(config, '..')).dev)
    try {
      giveBack({ places: { user: USER, config, state, unit: '', program: '', link: '' }, folders: [] })
      expect(JSON.parse(readFileSync(config, 'utf8'))).to.deep.equal({ base_domain: 'restored.test' })
      const { uid, gid } = statSync(join(state, 'secrets'))
      expect(statSync(config)).to.deep.include({ uid: 0, gid, mode: 0o100640 })
      expect(realpathSync(join(state, 'config.json'))).to.equal(config)
      expect(uid).to.equal(Number(execFileSync('id', ['-u', USER], { encoding: 'utf8' })))
    } finally {
      rmSync(join(config, '..'), { recursive: true })
    }
  })

  it('says what is wrong with the settings, and ends so that systemd does not try again', () => {
    const settings = JSON.parse(read('etc/config.json'))
    writeFileSync(join(folder, 'etc/config.json'), JSON.stringify({ ...settings, sip: { host: 'nowhere' } }))
    const { status, stdout } = spawnSync(process.execPath, [join(checkout, 'installer/supervisor.mjs')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], JACKFIELD_HOME: join(folder, 'state') },
    })
    expect(status).to.equal(78)
    expect(stdout).to.match(/JACKFIELD_SIP_HOST \(sip\.host\) must be an IP address of this machine/)
    expect(read('units/jackfield.service')).to.include('RestartPreventExitStatus=78')
  })

  it('is taken away, and what it kept stays', () => {
    const { status, stdout, stderr } = install('--uninstall')
    expect(status, stdout + stderr).to.equal(0)
    expect(readdirSync(join(folder, 'units'))).to.deep.equal([])
    expect(existsSync(join(folder, 'bin/jackfield'))).to.equal(false)
    expect(read('state/secrets/operator-token')).to.match(/^op-a/)
    expect(existsSync(join(folder, 'etc/config.json'))).to.equal(true)
  })
})

/** @param {import('node:child_process').ChildProcess} child */
const ended = (child) =>
  new Promise((resolve) =>
    (child.exitCode ?? child.signalCode) ? resolve(null) : child.once('exit', resolve),
  )

/** @param {string} folder */
function copyOfCheckout(folder) {
  const copy = join(folder, 'checkout')
  mkdirSync(copy)
  const kept = ['installer', 'server', 'sdk', 'cli', 'console', 'kamailio-conf', 'freeswitch-conf', 'docs']
  const files = ['package.json', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.json']
  for (const name of [...kept, ...files])
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const built = join(copy, 'console/dist/app/index.html') // from the same sources, whose folders are new
  if (existsSync(built)) utimesSync(built, new Date(), new Date())
  return copy
}

/** @param {TestAppliance} appliance */
function trialSettings({ settings }) {
  /** @type {Record<string, Record<string, unknown>>} */
  const tree = {}
  for (const [name, value] of Object.entries(settings)) {
    const [group = '', key = ''] = name.split('.')
    tree[group] = { ...tree[group], [key]: value }
  }
  return tree
}

function withoutSettings() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('JACKFIELD_')))
}

/**
 * A socket as systemd has one for its units; Node has no datagrams on Unix sockets.
 * @param {string} path
 */
function notifySocket(path) {
  const program = `use IO::Socket::UNIX; use Socket; $| = 1; alarm 200;
    my $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!; print "bound\\n";
    while (defined $s->recv(my $text, 4096)) { print "$text\\n" }`
  const child = spawn('perl', ['-e', program, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let heard = ''
  const bound = new Promise((/** @type {(path: string) => void} */ resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text) => {
      heard += text
      if (heard.startsWith('bound')) resolve(path)
    }),
  )
  return { bound, heard: () => heard, close: () => child.kill('SIGKILL') }
}
