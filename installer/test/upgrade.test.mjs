import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import {
  cpSync,
  existsSync,
  mkdirSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { eslApi } from '../esl.mjs'
import { findFreeswitch } from '../parts/freeswitch.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { jackfield, tableSums } from './backup-fixtures.mjs'
import { TestAppliance, freePorts } from './support.mjs'

/** @typedef {import('../state.mjs').PartState} PartState */

const inAcme = ['--workspace', 'acme']
/** Speech for many minutes, which the carrier sends back: a call that hears nothing for a minute is ended. */
const text = 'We are bringing your telephone system to the next version, and you hear it. '.repeat(38)
const talk = Array.from({ length: 8 }, () => ({ action: 'tts', params: { text } }))

describe('an upgrade', function () {
  this.timeout(240_000)
  const tree = mkdtempSync(join(tmpdir(), 'jackfield-next-'))
  chmodSync(tree, 0o755) // the parts' own user must read it, as it reads the version before
  const isReal = Boolean(findFreeswitch())
  /** @type {TestAppliance} */
  let appliance
  /** @type {Map<string, string>} */
  let rows
  /** @type {Record<string, number>} */
  let pids
  let live = ''
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let carrier

  before(async () => {
    layOut(tree)
    const [rtp = 0] = await freePorts(1)
    const real = { 'switch.kind': 'freeswitch', 'rtp.start': rtp, 'rtp.end': rtp + 200 }
    appliance = await TestAppliance.make(isReal ? real : {})
    const up = await appliance.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
    await jackfield(appliance, 'workspace', 'create', 'acme', '--title', 'Acme', '--country', 'US')
    pids = carriersOfCalls()
    if (isReal) await call()
    rows = await tableSums(appliance)
  })
  after(async () => {
    await appliance.remove()
    carrier?.kill('SIGKILL')
    rmSync(tree, { recursive: true, force: true })
  })

  /** Of what must not be restarted. */
  function carriersOfCalls() {
    const { parts } = appliance.json('run/supervisor.json')
    const names = ['mariadb', 'kamailio', ...(isReal ? ['switch'] : [])]
    return Object.fromEntries(
      parts
        .filter((/** @type {PartState} */ part) => names.includes(part.name))
        .map((/** @type {PartState} */ part) => [part.name, part.process?.pid]),
    )
  }

  /**
   * Tables with other rows than before; those of the call, which goes on and holds ever more credit, and of the beat apart.
   * @param {Map<string, string>} now
   */
  const changed = (now) =>
    [...now].filter(
      ([table, sum]) => rows.get(table) !== sum && !/^(calls?|cells|credit_balances|outbox)(_|$)/.test(table),
    )

  async function call() {
    const [port = 0] = await freePorts(1)
    carrier = spawn('sipp', ['-sn', 'uas', '-rtp_echo', '-i', '127.0.0.1', '-p', String(port)], {
      stdio: 'ignore',
    })
    await jackfield(appliance, 'demo', ...inAcme, '--carrier', `127.0.0.1:${port}`)
    const made = ['--to', '+12025550100', '--actions', JSON.stringify(talk)]
    live = (await jackfield(appliance, 'call', 'make', ...inAcme, ...made)).data.call_id
    await until(callsGoOn, { deadlineMs: 60_000, what: 'the call' })
    await until(isCounted, { deadlineMs: 10_000, what: 'the count of the call' })
  }

  /** Calls are counted by country once, some seconds after they have begun (fraud-watch.ts): no later write is rightful. */
  async function isCounted() {
    const login = databaseLogin(readSettings(appliance.env))
    expect(await query(login, 'SELECT country_code, hour_calls FROM called_countries')).to.have.lengthOf(1)
  }

  /** The switch has it, and the server knows it. */
  async function callsGoOn() {
    expect(carriersOfCalls()).to.deep.equal(pids)
    if (!isReal) return
    const password = readFileSync(join(appliance.home, 'secrets/esl-password'), 'utf8').trim()
    const target = { host: '127.0.0.1', port: Number(appliance.settings['switch.port']), password }
    expect(await eslApi(target, 'show channels count')).to.include('1 total')
    expect(await jackfield(appliance, 'call', 'show', live, ...inAcme)).to.include({
      status: 'started',
      ended_at: null,
    })
  }

  /**
   * Runs a program of the next version.
   * @param {'upgrade' | 'up'} program
   * @param {string[]} args
   * @returns {Promise<{code: number | null, said: string}>}
   */
  function next(program, ...args) {
    return strike(() => {}, program, ...args)
  }

  /**
   * The same, while something is done to it.
   * @param {(said: string, child: import('node:child_process').ChildProcess) => void} strikes called whenever it says more
   * @param {'upgrade' | 'up'} program
   * @param {string[]} args
   * @returns {Promise<{code: number | null, said: string}>}
   */
  function strike(strikes, program, ...args) {
    const child = spawn(process.execPath, [join(tree, `installer/${program}.mjs`), ...args], {
      env: appliance.env,
      detached: true, // a group as a terminal has one, for signals to all of it
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        said += text
        strikes(said, child)
      })
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
  }

  it('that is interrupted while the old server runs changes nothing', async () => {
    const { supervisor } = appliance.json('run/supervisor.json')
    let isStruck = false
    const { code, said } = await strike((text, { pid = 0 }) => {
      if (isStruck || !text.includes('✓ build')) return
      isStruck = true
      process.kill(-pid, 'SIGINT')
    }, 'upgrade')
    expect(code, said).to.equal(1)
    expect(said).to.include('interrupted: nothing has changed')
    expect(appliance.json('run/supervisor.json')).to.deep.include({ phase: 'up', supervisor })
    expect(changed(await tableSums(appliance))).to.deep.equal([])
    expect(readdirSync(appliance.home).filter((name) => name.startsWith('.backup'))).to.deep.equal([])
    await callsGoOn()
  })

  it('whose migration fails half way ends with the old version up, all data as it was, and calls alive', async () => {
    migrate(tree, ['CREATE TABLE half (id INT)', "UPDATE workspaces SET title = 'Lost'", 'NO SQL AT ALL'])
    const { code, said } = await next('upgrade')
    expect(code, said).to.equal(1)
    expect(said).to.match(
      /tables could not be made: .*SQL syntax.*: the old version is up again, with all its data/,
    )
    expect(appliance.json('run/supervisor.json')).to.include({ phase: 'up', root: ROOT })
    const now = await tableSums(appliance)
    expect(changed(now)).to.deep.equal([])
    expect(now.size).to.equal(rows.size)
    await callsGoOn()
  })

  it('that does not come up ends in the same way', async () => {
    migrate(tree, ['CREATE TABLE soon (id INT)'])
    const main = join(tree, 'server/dist/src/bin/main.js')
    const whole = readFileSync(main, 'utf8')
    writeFileSync(main, "process.stderr.write('Error: the new one is broken\\n'); process.exit(1)\n")
    const { code, said } = await next('upgrade')
    writeFileSync(main, whole)
    expect(code, said).to.equal(1)
    expect(said).to.match(/the new one is broken.*: the old version is up again, with all its data/)
    expect(appliance.json('run/supervisor.json')).to.include({ phase: 'up', root: ROOT })
    const now = await tableSums(appliance)
    expect(changed(now)).to.deep.equal([])
    expect(now.has('soon')).to.equal(false)
    await callsGoOn()
  })

  it('that is killed while it migrates lets no version start, and is taken back', async () => {
    migrate(tree, ['CREATE TABLE half (id INT)', "UPDATE workspaces SET title = 'Lost'", 'SELECT SLEEP(600)'])
    const isHalf = async () => expect((await tableSums(appliance)).has('half')).to.equal(true)
    /** @type {Promise<unknown> | undefined} */
    let struck
    const { code } = await strike((text, child) => {
      if (!text.includes('✓ old server')) return
      struck ??= until(isHalf, { deadlineMs: 60_000, what: 'half of a migration' }).finally(() =>
        child.kill('SIGKILL'),
      )
    }, 'upgrade')
    await struck
    expect(code).to.equal(null)
    for (const up of [
      await next('up'),
      await appliance.run('up').then(({ code, err }) => ({ code, said: err })),
    ]) {
      expect(up.code).to.equal(1)
      expect(up.said).to.include(`in ${tree}: npm run upgrade -- --back`)
    }
    const back = await next('upgrade', '--back')
    expect(back.code, back.said).to.equal(0)
    expect(appliance.json('run/supervisor.json')).to.include({ phase: 'up', root: ROOT })
    const now = await tableSums(appliance)
    expect(changed(now)).to.deep.equal([])
    expect(now.size).to.equal(rows.size)
    expect(appliance.processes().filter(({ command }) => command.includes('migrate.js'))).to.deep.equal([])
    await callsGoOn()
  })

  it('brings the new version up, and calls go on, whatever signals come while it does', async () => {
    migrate(tree, ['CREATE TABLE whole (id INT)'])
    let struck = 0
    const { code, said } = await strike((text, { pid = 0 }) => {
      const steps = text.split('✓').length
      // Once the new version is up the program ends, and a signal may meet it when it takes none any more.
      const isBetween = text.includes('✓ old server') && !text.includes('✓ new version')
      if (!isBetween || steps === struck) return
      struck = steps
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(-pid, signal)
    }, 'upgrade')
    expect(code, said).to.equal(0)
    expect(said).to.include('an upgrade is not interrupted half way')
    expect(appliance.json('run/supervisor.json')).to.include({ phase: 'up', root: tree })
    expect((await tableSums(appliance)).has('whole')).to.equal(true)
    expect((await appliance.run('status')).code).to.equal(0)
    await callsGoOn()
  })

  it('restarts what it took over when that dies', async () => {
    process.kill(pids['kamailio'] ?? 0, 'SIGKILL')
    const isUp = async () => {
      expect(carriersOfCalls()['kamailio']).to.be.a('number').and.not.equal(pids['kamailio'])
      expect((await next('up')).said).to.include('nothing changed')
    }
    await until(isUp, { deadlineMs: 60_000, what: 'another Kamailio' })
    pids = carriersOfCalls()
  })

  it('is taken back', async () => {
    const { code, said } = await next('upgrade', '--back')
    expect(code, said).to.equal(0)
    expect(appliance.json('run/supervisor.json')).to.include({ phase: 'up', root: ROOT })
    const now = await tableSums(appliance)
    expect(changed(now)).to.deep.equal([])
    await callsGoOn()
  })
})

/**
 * Another checkout, which is built already.
 * @param {string} tree
 */
function layOut(tree) {
  for (const name of ['installer', 'kamailio-conf', 'freeswitch-conf', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(tree, name), { recursive: true })
  cpSync(join(ROOT, 'server/dist/src'), join(tree, 'server/dist/src'), { recursive: true })
  cpSync(join(ROOT, 'server/package.json'), join(tree, 'server/package.json'))
  symlinkSync(join(ROOT, 'server/src'), join(tree, 'server/src'))
  for (const name of ['cli', 'console', 'sdk']) symlinkSync(join(ROOT, name), join(tree, name))
  if (existsSync(join(ROOT, 'server/node_modules')))
    symlinkSync(join(ROOT, 'server/node_modules'), join(tree, 'server/node_modules'))
  const modules = join(tree, 'node_modules')
  mkdirSync(join(modules, 'typescript-7/bin'), { recursive: true })
  writeFileSync(join(modules, 'typescript-7/bin/tsc'), '')
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== 'typescript-7' && name !== '.package-lock.json')
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  writeFileSync(join(modules, '.package-lock.json'), '{}')
  utimesSync(join(tree, 'package-lock.json'), 0, 0)
}

/**
 * Gives the tree one migration more.
 * @param {string} tree
 * @param {string[]} statements
 */
function migrate(tree, statements) {
  const own = join(ROOT, 'server/dist/src/infrastructure/database/migrations/index.js')
  const runs = statements.map((sql) => `await runner.query(${JSON.stringify(sql)})`).join('; ')
  const text = `${readFileSync(own, 'utf8')}
class Later1890000000000 { async up(runner) { ${runs} } async down() {} }
migrations.push(Later1890000000000)
`
  writeFileSync(join(tree, 'server/dist/src/infrastructure/database/migrations/index.js'), text)
}
