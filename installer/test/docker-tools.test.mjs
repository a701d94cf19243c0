import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
    expect(tools('up')).to.include('say what to do: backup | restore')
  })
})

describe('an upgrade of the containers', function () {
  this.timeout(60_000)
  /** @type {string} */
  let folder
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-upgrade-'))
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'installer/docker'), { recursive: true })
    const script = readFileSync(join(ROOT, 'installer/docker/upgrade.sh'))
    writeFileSync(join(folder, 'installer/docker/upgrade.sh'), script)
    writeFileSync(join(folder, '.env'), 'IMAGE_PREFIX=example.com/voice\nIMAGE_TAG=mine\n')
    // Tells what it was asked, and fails where the text of FAILS is in that.
    const docker = [
      '#!/bin/sh',
      'echo "$(git -C "$HERE" log -1 --format=%s): $*" >> "$HERE/asked"',
      'case "$*" in "compose ps -q server") echo abc ;; inspect*) echo healthy ;; esac',
      'if [ -n "$FAILS" ]; then case "$*" in *"$FAILS"*) exit 1 ;; esac; fi',
    ]
    writeFileSync(join(folder, 'bin/docker'), `${docker.join('\n')}\n`)
    chmodSync(join(folder, 'bin/docker'), 0o755)
    git('init', '-q', '-b', 'main')
    git('add', 'installer')
    git('commit', '-q', '-m', 'old')
    git('commit', '-q', '--allow-empty', '-m', 'new')
    git('tag', 'v2')
    git('reset', '-q', '--hard', 'HEAD^')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** @param {string[]} args */
  function git(...args) {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false']
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    return stdout.trim()
  }

  /** @param {string[]} args @param {string} [fails] */
  function upgrade(args, fails = '') {
    rmSync(join(folder, 'asked'), { force: true })
    const { status, stderr } = spawnSync('sh', [join(folder, 'installer/docker/upgrade.sh'), ...args], {
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        HERE: folder,
        FAILS: fails,
        UP_SECONDS: '0',
      },
      encoding: 'utf8',
    })
    const asked = existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : ''
    const steps = asked.split('\n').flatMap((line) => {
      const [, version, verb] =
        /^(\w+): (compose (?:run|build|stop|up)\b.*|tag .*server:.*)$/.exec(line) ?? []
      return verb ? [`${version}: ${verb.replace('compose run --rm -T ', '')}`] : []
    })
    return { status, stderr, steps }
  }

  const forward = [
    'old: tools backup --keep 3',
    'old: tag example.com/voice/server:mine example.com/voice/server:before',
    'new: compose build',
    'new: compose stop server',
    'new: tools save-database',
    'new: --no-deps setup',
    'new: --no-deps migrate',
  ]
  const back = [
    'new: compose stop server',
    'new: tools load-database',
    'old: tag example.com/voice/server:before example.com/voice/server:mine',
    'old: compose up -d',
  ]

  it('saves, migrates and starts, and is taken back once', () => {
    const done = upgrade(['v2', '--keep', '3'])
    expect(done.status, done.stderr).to.equal(0)
    expect(done.steps).to.deep.equal([...forward, 'new: compose up -d'])
    expect(git('log', '-1', '--format=%s')).to.equal('new')
    expect(upgrade(['--back']).steps).to.deep.equal(back)
    expect(git('symbolic-ref', '--short', 'HEAD')).to.equal('main')
    expect(upgrade(['--back']).stderr).to.include('there is nothing to go back to')
  })

  it('leaves the old version up where a migration fails', () => {
    const failed = upgrade(['v2', '--keep', '3'], 'migrate')
    expect(failed.status).to.equal(1)
    expect(failed.stderr).to.include('the old version is up again, with all its data')
    expect(failed.steps).to.deep.equal([...forward, ...back])
  })

  it('stops nothing where the new images cannot be built', () => {
    const failed = upgrade(['v2', '--keep', '3'], 'build')
    expect(failed.stderr).to.include('the new images cannot be built: nothing has changed')
    expect(failed.steps.filter((step) => /stop|up -d|run/.test(step))).to.deep.equal([])
    expect(git('log', '-1', '--format=%s')).to.equal('old')
  })

  it('refuses a checkout with changes, and a version that is not there', () => {
    expect(upgrade(['v3']).stderr).to.include('v3 is no tag or commit here: git fetch first')
    writeFileSync(join(folder, 'installer/docker/upgrade.sh'), `#\n`, { flag: 'a' })
    expect(upgrade(['v2']).stderr).to.include('files of this checkout were changed')
  })
})
