/** Replacing a secret that several servers know. */
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { after, before, describe, it } from 'mocha'
import { copyFileSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { serverEnvironment } from '../part-options.mjs'
import { get } from '../parts/server.mjs'
import { identify, stop } from '../processes.mjs'
import { secretPath } from '../secrets.mjs'
import { ROOT, readSettings } from '../settings.mjs'
import { until } from '../waiting.mjs'
import { TestAppliance, freePorts } from './support.mjs'

describe('the operator’s token of several servers', function () {
  this.timeout(240_000)
  /** @type {TestAppliance} */
  let appliance
  /** @type {number[]} */
  let ports
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = []
  const theirs = () => join(appliance.home, 'token-of-the-other')
  const token = (/** @type {string} */ path) => readFileSync(path, 'utf8').trim()
  const ours = () => token(secretPath(appliance.home, 'operator-token'))

  before(async () => {
    ports = await freePorts(2)
    const [redis = 0, port = 0] = ports
    appliance = await TestAppliance.make({ 'redis.url': `redis://127.0.0.1:${redis}` })
    const options = ['--bind', '127.0.0.1', '--port', String(redis), '--save', '', '--appendonly', 'no']
    children.push(spawn('redis-server', options, { stdio: 'ignore' }))
    const up = await appliance.run('up')
    expect(up.code, up.out + up.err).to.equal(0)
    copyFileSync(secretPath(appliance.home, 'operator-token'), theirs())
    const environment = {
      ...{ ...process.env, ...serverEnvironment(readSettings(appliance.env), '') },
      ...{ JACKFIELD_REDIS_URL: appliance.env['JACKFIELD_REDIS_URL'], JACKFIELD_HTTP_PORT: String(port) },
      ...{ JACKFIELD_OPERATOR_TOKEN_FILE: theirs(), JACKFIELD_SWITCH_APP_PORT: '0' },
      ...{ JACKFIELD_SIP_CAPTURE_PORT: '0', JACKFIELD_METRICS_PORT: '0' },
    }
    const main = join(ROOT, 'server/dist/src/bin/main.js')
    children.push(spawn(process.execPath, [main], { env: environment, stdio: 'ignore' }))
    const areTwo = async () => expect(JSON.parse((await status(ours())).body).servers).to.have.lengthOf(2)
    await until(areTwo, { deadlineMs: 60_000, what: 'two servers' })
  })
  after(async () => {
    for (const { pid } of children.reverse()) if (pid) await stop(identify(pid), 10_000)
    await appliance.remove()
  })

  /** @param {string} operator @returns the status, as the other server tells it */
  const status = (operator) =>
    get({ host: '127.0.0.1', port: ports[1] ?? 0 }, '/api/v1/operator/status', {
      ...{ host: 'admin.localhost', authorization: `Operator ${operator}` },
    })

  const rotate = () => appliance.run('secret', { args: ['rotate', 'operator-token'] })

  it('is not said to be replaced while another server still takes the old one', async () => {
    const old = ours()
    const { code, err } = await rotate()
    expect(code).to.equal(1)
    expect(err).to.include(`another operator’s token is taken by the servers on ${hostname()}`)
    expect(ours()).not.to.equal(old)
    expect((await status(old)).status).to.equal(200)
  })

  it('is replaced by no other one when that is run again, once the other server has it', async () => {
    const old = token(theirs())
    const now = ours()
    copyFileSync(secretPath(appliance.home, 'operator-token'), theirs())
    process.kill(children[1]?.pid ?? 0, 'SIGHUP')
    const again = await rotate()
    expect(again.code, again.err).to.equal(0)
    // Both have it from the start on: this time it is another one.
    expect([ours() === now, (await status(now)).status, (await status(old)).status]).to.deep.equal([
      true,
      200,
      401,
    ])
  })
})
