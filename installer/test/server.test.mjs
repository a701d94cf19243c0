/** `node installer/server.mjs`: one more server beside the appliance's, on its machine and as on another one. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { get } from '../parts/server.mjs'
import { ROOT } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { TestAppliance, freePorts } from './support.mjs'

describe('a further server', function () {
  this.timeout(180_000)
  /** @type {TestAppliance} */
  let appliance
  /** @type {string} */
  let folder
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const children = new Set()

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jackfield-servers-'))
    const [port = 0] = await freePorts(1)
    run('/usr/bin/redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''])
    appliance = await TestAppliance.make({ 'redis.url': `redis://127.0.0.1:${port}` })
    const { code, out, err } = await appliance.run('up')
    expect(code, out + err).to.equal(0)
  })
  after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await appliance?.remove()
    rmSync(folder, { recursive: true })
  })

  /**
   * @param {string} program
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} [env]
   */
  function run(program, args, env = process.env) {
    const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    children.add(child)
    child.on('exit', () => children.delete(child))
    return child
  }

  /** @param {NodeJS.ProcessEnv} env beside the appliance's own */
  const runServer = (env) =>
    run(process.execPath, [join(ROOT, 'installer/server.mjs')], { ...appliance.env, ...env })

  /** @param {NodeJS.ProcessEnv} env @returns {Promise<{code: number | null, err: string}>} */
  async function ended(env) {
    const child = runServer(env)
    let err = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk) => (err += chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    return { code, err }
  }

  /** Whether the server at a port is well, and whether it drives the calls. @param {number} port */
  async function standing(port) {
    const operator = { Authorization: `Operator ${appliance.text('secrets/operator-token').trim()}` }
    const ask = async (/** @type {string} */ path) =>
      (await get({ host: '127.0.0.1', port }, path, { Host: 'admin.localhost', ...operator })).body
    const [, drives] = /^jackfield_drives_calls (\d)$/m.exec(await ask('/api/v1/metrics')) ?? []
    expect(drives).to.be.a('string')
    return { parts: JSON.parse(await ask('/health')).parts, drives: drives === '1' }
  }

  /** @param {() => Promise<boolean>} work @param {string} what */
  const eventually = (work, what) =>
    until(
      async () => {
        if (!(await work())) throw new Error('not yet')
      },
      { deadlineMs: 60_000, what },
    )

  it('stands by on the same machine, and takes the calls of the first when that stops', async () => {
    const [port = 0] = await freePorts(1)
    const child = runServer({ JACKFIELD_HTTP_PORT: String(port) })
    await eventually(async () => !(await standing(port)).drives, 'a server that stands by')
    const up = { database: 'up', switch: 'up', edge: 'up', redis: 'up' }
    expect((await standing(port)).parts).to.deep.equal(up)
    process.kill(appliance.json('appliance.json').pids.server, 'SIGTERM')
    await eventually(async () => (await standing(port)).drives, 'a server that drives the calls')
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.on('exit', resolve))).to.equal(0)
  })

  it('takes requests on another machine with the secrets of the first, and never the switch', async () => {
    const home = join(folder, 'other')
    mkdirSync(join(home, 'secrets'), { recursive: true })
    for (const name of ['operator-token', 'secret-key', 'rpc-secret'])
      cpSync(join(appliance.home, 'secrets', name), join(home, 'secrets', name))
    const [port = 0] = await freePorts(1)
    runServer({
      JACKFIELD_HOME: home,
      JACKFIELD_HTTP_PORT: String(port),
      JACKFIELD_SWITCH_DRIVE: 'false',
      JACKFIELD_SWITCH_KIND: 'freeswitch',
      JACKFIELD_FREESWITCH_BIN: '/nowhere/freeswitch',
      JACKFIELD_DATABASE_OWN: 'false',
      JACKFIELD_DATABASE_PASSWORD: appliance.text('secrets/db-password').trim(),
    })
    const up = { database: 'up', edge: 'up', redis: 'up' }
    await eventually(async () => (await standing(port)).parts.edge === 'up', 'a server without a switch')
    expect(await standing(port)).to.deep.equal({ parts: up, drives: false })
  })

  it('is refused without a Redis, and without the secrets that all share', async () => {
    const alone = await ended({ JACKFIELD_REDIS_URL: '' })
    expect(alone.code).to.equal(78)
    expect(alone.err).to.match(/^jackfield: several servers need a Redis .* JACKFIELD_REDIS_URL\n$/)
    const stranger = await ended({ JACKFIELD_HOME: join(folder, 'empty') })
    expect(stranger.code).to.equal(78)
    expect(stranger.err).to.match(/^jackfield: .*empty\/secrets\/operator-token, .*rpc-secret missing: copy/)
  })
})
