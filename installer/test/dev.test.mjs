/** `npm run dev` from its start to Ctrl-C, on the sandbox. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { processesWith, signal } from '../processes.mjs'
import { ROOT } from '../settings.mjs'
import { readState } from '../state.mjs'
import { TestAppliance, freePorts } from './support.mjs'

const MARK = 'JACKFIELD_TEST_DEV'

describe('npm run dev', function () {
  this.timeout(120_000)
  const run = randomUUID()
  /** @type {TestAppliance} */
  let appliance
  /** @type {import('node:child_process').ChildProcess} */
  let child
  let port = 0
  let out = ''
  /** @type {Promise<number | null>} */
  let ended

  before(async () => {
    appliance = await TestAppliance.make()
    port = (await freePorts(1))[0] ?? 0
    child = spawn(process.execPath, ['installer/dev.mjs', '--port', String(port)], {
      cwd: ROOT,
      env: { ...appliance.env, [MARK]: run },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Vite colours what it prints where CI is set.
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (out += stripVTControlCharacters(String(chunk))))
    ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)))
  })
  after(async () => {
    for (const { pid } of processesWith(MARK, run)) signal(pid, 'SIGKILL')
    await appliance.remove()
  })

  /** @param {RegExp} pattern @param {number} [from] */
  const shows = async (pattern, from = 0) => {
    for (const end = Date.now() + 60_000; !pattern.test(out.slice(from)); await sleep(50))
      if (Date.now() > end || child.exitCode !== null) throw new Error(`${pattern} is not shown: ${out}`)
  }

  it('shows addresses and a login, which work by way of vite', async () => {
    await shows(/Ctrl-C ends/)
    await shows(/Local: +http/)
    expect(out).to.include(`http://acme.localhost:${port}   log in as ada, password developer`)
    expect(await ask('/health')).to.include({ status: 200 })
    expect((await ask('/')).text).to.include('/@vite/client')
    const login = { username: 'ada', password: 'developer', device_id: 'here' }
    const { status, text } = await ask('/api/v1/auth/login', login)
    expect(status, text).to.equal(200)
    expect(JSON.parse(text).tokens.access_token).to.be.a('string')
  })

  it('restarts the server when its source changes, and the server alone', async () => {
    const before = pids()
    const from = out.length
    const now = new Date()
    utimesSync(join(ROOT, 'server/src/lib/version.ts'), now, now)
    await shows(/compiled 1 file: the server restarts[^]*server: up in/, from)
    const { server, ...others } = pids()
    const { server: old, ...same } = before
    expect(server).to.be.a('number').and.not.equal(old)
    expect(others).to.deep.equal(same)
    expect(await ask('/health')).to.include({ status: 200 })
  })

  it('says which part has died, and brings it back', async () => {
    const from = out.length
    process.kill(pids()['switch'] ?? 0, 'SIGKILL')
    await shows(/sandbox switch: was ended by SIGKILL, starting it again[^]*sandbox switch: up in/, from)
  })

  it('ends everything on Ctrl-C', async () => {
    child.kill('SIGINT')
    expect(await ended).to.equal(0)
    expect(out).to.match(/stopping\neverything is stopped\n$/)
    expect(processesWith(MARK, run)).to.deep.equal([])
  })

  /** @returns {Record<string, number | undefined>} */
  function pids() {
    const parts = readState(appliance.home)?.parts ?? []
    return Object.fromEntries(parts.map(({ name, process: its }) => [name, its?.pid]))
  }

  /**
   * @param {string} path
   * @param {object} [body] makes it a POST
   * @returns {Promise<{status: number | undefined, text: string}>}
   */
  function ask(path, body) {
    return new Promise((resolve, reject) => {
      const method = body ? 'POST' : 'GET'
      const headers = { host: `acme.localhost:${port}`, accept: '*/*', 'content-type': 'application/json' }
      const sent = request({ host: '127.0.0.1', port, path, method, headers, timeout: 20_000 }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode, text }))
      })
      sent.on('error', reject).end(body && JSON.stringify(body))
    })
  }
})
