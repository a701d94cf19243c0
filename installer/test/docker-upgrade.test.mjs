import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../settings.mjs'

/**
 * In the engine's place stands a script that tells what it was asked. It keeps the tags of images as files, fails where
 * the text of FAILS is in what it was asked and a full stop, and sends SIGNAL to the upgrade where that of STOPS is.
 */
const ENGINE = `#!/bin/sh
read -r version < "$HERE/version"
echo "$version: $*" >> "$HERE/asked"
upgrade=$PPID
read -r parent < /proc/$PPID/comm
[ "$parent" != timeout ] || upgrade=$(awk '/^PPid/ { print $2 }' /proc/$PPID/status)
if [ -n "$STOPS" ]; then case "$*." in *"$STOPS"*) kill -s "$SIGNAL" "$upgrade"; sleep 0.2 ;; esac; fi
if [ -n "$FAILS" ]; then case "$*." in *"$FAILS"*) exit 1 ;; esac; fi
case "$*" in
  'info --format'*) echo "$HERE" ;;
  'compose build'*) echo "$version" > "$HERE/images/example.com/voice/server:\${IMAGE_TAG:-mine}" ;;
  'compose ps -q'*) echo abc ;;
  'inspect '*) echo healthy ;;
  'image inspect '*) [ -f "$HERE/images/$3" ] ;;
  'tag '*) cp "$HERE/images/$2" "$HERE/images/$3" ;;
  'rmi '*) rm "$HERE/images/$3" ;;
  *' tools backup'*) echo /backups/jackfield-20260102T030000Z.tar ;;
esac
`

describe('an upgrade of the containers', function () {
  // Each test starts dozens of programs one after the other.
  this.timeout(180_000)
  /** @type {string} */
  let folder
  /** @type {string} */
  let script
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-upgrade-'))
    for (const name of ['bin', 'images/example.com/voice', 'installer/docker'])
      mkdirSync(join(folder, name), { recursive: true })
    script = join(folder, 'installer/docker/upgrade.sh')
    writeFileSync(script, readFileSync(join(ROOT, 'installer/docker/upgrade.sh')))
    writeFileSync(join(folder, '.env'), 'IMAGE_PREFIX=example.com/voice\nIMAGE_TAG=mine\n')
    writeFileSync(join(folder, 'bin/docker'), ENGINE)
    chmodSync(join(folder, 'bin/docker'), 0o755)
    setImage('mine', 'old')
    setImage('before', 'older')
    git('init', '-q', '-b', 'main')
    writeFileSync(join(folder, 'version'), 'old\n')
    git('add', 'installer', 'version')
    git('commit', '-q', '-m', 'old')
    writeFileSync(script, '#!/bin/sh\necho of another version >&2\n', { flag: 'w' })
    writeFileSync(join(folder, 'version'), 'new\n')
    git('commit', '-q', '-a', '-m', 'new')
    git('tag', 'v2')
    git('reset', '-q', '--hard', 'HEAD^')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** @param {string} tag @param {string} version */
  function setImage(tag, version) {
    writeFileSync(join(folder, `images/example.com/voice/server:${tag}`), `${version}\n`)
  }

  /** @param {string} tag @returns {string} the version that it was built of; `none` */
  function image(tag) {
    const path = join(folder, `images/example.com/voice/server:${tag}`)
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : 'none'
  }

  /** @param {string[]} args */
  function git(...args) {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false']
    const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    return stdout.trim()
  }

  const version = () => git('log', '-1', '--format=%s')

  /** @returns {string} what is written down, `none` */
  function phase() {
    const path = join(folder, 'var/upgrade/state')
    return existsSync(path) ? (/^phase (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '') : 'none'
  }

  /** @param {Record<string, string>} [environment] */
  const environment = (environment = {}) => ({
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HERE: folder,
    UP_SECONDS: '0',
    ROOM_MB: '1',
    ...environment,
  })

  /** @param {string[]} args @param {Record<string, string>} [more] environment */
  function upgrade(args, more) {
    rmSync(join(folder, 'asked'), { force: true })
    // What is in the checkout may be another version's by now.
    const kept = join(folder, 'var/upgrade/upgrade.sh')
    const own = existsSync(kept) && version() !== 'old' ? kept : script
    const { status, signal, stdout, stderr } = spawnSync('sh', [own, ...args], {
      env: environment(more),
      encoding: 'utf8',
    })
    const asked = existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : ''
    const steps = asked.split('\n').flatMap((line) => {
      const [, at, verb] = /^(\w+): compose ((?:run|build|stop|up)\b.*)$/.exec(line) ?? []
      return verb ? [`${at}: ${verb.replace(/run --rm -T --no-deps --name \S+ /, '')}`] : []
    })
    return { status, signal, stdout, stderr, steps }
  }

  const forward = [
    'old: tools check-cells',
    'old: tools backup --keep 3',
    'old: tools check-backup --keep 3 jackfield-20260102T030000Z.tar',
    'new: build --pull',
    'old: stop server',
    'old: tools save-database',
    'new: setup',
    'new: migrate',
  ]
  const back = [
    'old: stop server',
    'old: setup',
    'old: up -d --no-deps mariadb',
    'old: tools load-database',
    'old: up -d',
  ]

  function expectOld() {
    expect(version()).to.equal('old')
    expect(git('symbolic-ref', '--short', 'HEAD')).to.equal('main')
    expect(image('mine')).to.equal('old')
    expect(phase()).to.equal('none')
    expect(git('status', '--porcelain', '--untracked-files=no')).to.equal('')
  }

  it('saves, migrates and starts, and is taken back once', () => {
    const done = upgrade(['v2', '--keep', '3'])
    expect(done.status, done.stderr).to.equal(0)
    expect(done.steps).to.deep.equal([...forward, 'new: up -d'])
    expect([version(), image('mine'), image('before'), image('next'), phase()]).to.deep.equal([
      'new',
      'new',
      'old',
      'none',
      'up',
    ])
    expect(upgrade(['--back']).steps).to.deep.equal(['new: tools check-database', ...back])
    expectOld()
    expect(upgrade(['--back']).stderr).to.include('there is nothing to go back to')
  })

  it('leaves the old version up where a migration or the new version fails', () => {
    for (const [fails, steps] of /** @type {const} */ ([
      ['jackfield-upgrade-migrate', [...forward, ...back]],
      // the first `up` of the old version fails too, and is done again
      ['up -d.', [...forward, 'new: up -d', ...back]],
    ])) {
      const failed = upgrade(['v2', '--keep', '3'], { FAILS: fails })
      expect(failed.status).to.equal(1)
      expect(failed.steps).to.deep.equal(steps)
      if (fails === 'up -d.') {
        expect(failed.stderr).to.include('run this again: sh var/upgrade/upgrade.sh --back')
        expect(upgrade(['--back']).steps).to.deep.equal(['old: up -d'])
      } else expect(failed.stderr).to.include('the old version is up again, with all its data')
      expectOld()
    }
  })

  it('stops nothing where the new images cannot be built, or the backup is not whole', () => {
    for (const [fails, words] of /** @type {const} */ ([
      ['compose build', 'the new images cannot be built (above): nothing has changed'],
      ['check-backup', 'the backup jackfield-20260102T030000Z.tar is not whole: nothing has changed'],
      ['tools check-cells', 'an upgrade may not begin now (above): nothing has changed'],
      ['tools backup', 'no backup, no upgrade (above): nothing has changed'],
    ])) {
      const failed = upgrade(['v2', '--keep', '3'], { FAILS: fails })
      expect(failed.stderr).to.include(words)
      expect(failed.steps.filter((step) => /stop|up -d|migrate/.test(step))).to.deep.equal([])
      expect(image('before')).to.equal('older')
      expectOld()
    }
  })

  it('keeps the way back of the last upgrade where the next one cannot be built', () => {
    expect(upgrade(['v2']).status).to.equal(0)
    // its checkout holds no upgrade.sh of ours: the one that is kept goes on
    const failed = upgrade(['main'], { FAILS: 'compose build' })
    expect(failed.stderr).to.include('nothing has changed')
    expect([version(), phase()]).to.deep.equal(['new', 'up'])
    expect(upgrade(['--back']).status).to.equal(0)
    expectOld()
  })

  // Each phase, the last thing that is asked before kill -9, and what the next run does about it.
  const killed = /** @type {const} */ ([
    { at: 'compose build', in: 'build', then: [] },
    { at: 'tools save-database', in: 'save', then: ['old: up -d'] },
    { at: '--name jackfield-upgrade-setup', in: 'migrate', then: back },
    { at: '--name jackfield-upgrade-migrate', in: 'migrate', then: back },
    { at: 'tag example.com/voice/server:next', in: 'migrate', then: back },
  ])
  for (const cut of killed)
    it(`goes back after kill -9 in the phase ${cut.in}: ${cut.at}`, () => {
      expect(upgrade(['v2'], { STOPS: cut.at, SIGNAL: 'KILL' }).signal).to.equal('SIGKILL')
      expect(phase()).to.equal(cut.in)
      const next = upgrade([])
      expect(next.status, next.stderr).to.equal(0)
      expect(next.steps).to.deep.equal(cut.then)
      expectOld()
      const again = upgrade(['v2'])
      expect(again.status, again.stderr).to.equal(0)
      expect(image('mine')).to.equal('new')
    })

  it('goes on after kill -9 at the start of the new version, and back only when told to', () => {
    const cut = () => expect(upgrade(['v2'], { STOPS: 'up -d.', SIGNAL: 'KILL' }).signal).to.equal('SIGKILL')
    cut()
    expect(phase()).to.equal('start')
    const ill = upgrade(['v2'], { FAILS: 'up -d.' })
    expect(ill.stderr).to.include('the new version does not come up')
    expect([phase(), ill.steps]).to.deep.equal(['start', ['new: up -d']])
    const next = upgrade(['v2'])
    expect([next.status, phase(), next.steps]).to.deep.equal([0, 'up', ['new: up -d']])
    expect(upgrade(['--back']).status).to.equal(0)
    cut()
    expect(upgrade(['--back']).steps).to.deep.equal(back)
    expectOld()
  })

  it('takes a way back that was cut off anywhere to the same end, and loads no database after the server was up', () => {
    for (const at of ['tag example.com/voice/server:before', 'compose stop', 'tools load-database']) {
      expect(upgrade(['v2']).status).to.equal(0)
      expect(upgrade(['--back'], { STOPS: at, SIGNAL: 'KILL' }).signal, at).to.equal('SIGKILL')
      expect(phase(), at).to.equal('back')
      expect(upgrade(['--back'], { STOPS: at, SIGNAL: 'KILL' }).signal, at).to.equal('SIGKILL')
      expect(upgrade(['--back']).steps, at).to.deep.equal(back)
      expectOld()
    }
    expect(upgrade(['v2']).status).to.equal(0)
    expect(upgrade(['--back'], { STOPS: 'up -d.', SIGNAL: 'KILL' }).signal).to.equal('SIGKILL')
    expect(phase()).to.equal('restart')
    expect(upgrade(['--back']).steps).to.deep.equal(['old: up -d'])
    expectOld()
  })

  it('mends a checkout that was cut off half-way', () => {
    upgrade(['v2'], { STOPS: '--name jackfield-upgrade-migrate', SIGNAL: 'KILL' })
    writeFileSync(join(folder, '.git/index.lock'), '')
    rmSync(script)
    expect(upgrade(['--back']).steps).to.deep.equal(back)
    expectOld()
  })

  it('builds the old images anew where they are gone', () => {
    upgrade(['v2'])
    rmSync(join(folder, 'images/example.com/voice/server:before'))
    expect(upgrade(['--back']).steps).to.deep.equal(['new: tools check-database', 'old: build', ...back])
    expectOld()
  })

  for (const signal of ['INT', 'TERM', 'HUP']) {
    it(`is taken back by SIG${signal} before the new server starts`, () => {
      for (const at of ['compose build', 'tools save-database', '--name jackfield-upgrade-migrate']) {
        const stopped = upgrade(['v2'], { STOPS: at, SIGNAL: signal })
        expect([stopped.status, stopped.signal], stopped.stderr).to.deep.equal([1, null])
        const log = join(folder, 'var/upgrade/log')
        const told = signal === 'HUP' ? readFileSync(log, 'utf8') : stopped.stderr
        expect(told).to.include('stopped: the old version is as it was')
        expectOld()
      }
    })

    it(`tells after SIG${signal} what to run where the new server starts`, () => {
      const stopped = upgrade(['v2'], { STOPS: 'up -d.', SIGNAL: signal })
      const log = join(folder, 'var/upgrade/log')
      const told = signal === 'HUP' ? readFileSync(log, 'utf8') : stopped.stderr
      expect(told).to.include(
        'go on with sh var/upgrade/upgrade.sh, or back with sh var/upgrade/upgrade.sh --back',
      )
      expect(phase()).to.equal('start')
    })
  }

  it('is not made twice at once', async () => {
    mkdirSync(join(folder, 'var/upgrade'), { recursive: true })
    const lock = join(folder, 'var/upgrade/lock')
    const holder = spawn('flock', ['--no-fork', lock, 'sh', '-c', 'echo held; exec sleep 60'])
    await once(holder.stdout, 'data')
    try {
      for (const args of [['v2'], ['--back']])
        expect(upgrade(args).stderr).to.include('another upgrade is at work')
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
    expect(upgrade(['v2']).status).to.equal(0)
  })

  it('loads nothing that was not saved whole, and leaves the server up for it', () => {
    upgrade(['v2'])
    const failed = upgrade(['--back'], { FAILS: 'check-database' })
    expect(failed.stderr).to.include('the database of before is not whole (above): nothing has changed')
    expect([phase(), version(), failed.steps]).to.deep.equal(['up', 'new', ['new: tools check-database']])
  })

  it('says what is wrong before it begins', () => {
    expect(upgrade([]).stderr).to.include('name a tag or a commit, or --back')
    expect(upgrade(['v3']).stderr).to.include('v3 is no tag or commit here: git fetch --tags first')
    expect(upgrade(['v2'], { ROOM_MB: '999999999' }).stderr).to.match(
      /only \d+ MB are free in .*, and 999999999 are needed/,
    )
    expect(upgrade(['v2'], { FAILS: 'info' }).stderr).to.include('the Docker Engine does not answer')
    const none = { FAILS: 'compose version', PATH: `${join(folder, 'bin')}:${linked()}` }
    expect(upgrade(['v2'], none).stderr).to.include('there is no Compose')
    writeFileSync(script, `#\n`, { flag: 'a' })
    expect(upgrade(['v2']).stderr).to.include('files of this checkout were changed')
    rmSync(join(folder, '.env'))
    expect(upgrade(['v2']).stderr).to.include('there is no .env')
    expect(phase()).to.equal('none')
  })

  /** @returns {string} a folder of the system's programs less docker-compose, which a machine may have */
  function linked() {
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    for (const name of ['sh', 'git', 'flock', 'dirname', 'basename', 'mkdir', 'cat', 'tr', 'sleep', 'date'])
      spawnSync('sh', ['-c', `ln -s "$(command -v ${name})" "${programs}/"`])
    return programs
  }
})
