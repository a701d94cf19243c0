/** What the installer's tests share: an appliance of their own, on free ports, its state in a temporary folder. */
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith } from '../processes.mjs'
import { ROOT, environmentName } from '../settings.mjs'
import { stopAppliance } from '../state.mjs'

/**
 * @typedef {object} Ended
 * @property {number | null} code
 * @property {string} out
 * @property {string} err
 * @property {number} seconds
 */

const NOBODY = 65534

/** An appliance that a test brings up and takes down. */
export class TestAppliance {
  /** @param {Record<string, string | number | boolean>} [settings] dotted names */
  static async make(settings = {}) {
    const names = [
      'http.port',
      'sip.port',
      'sip.tls_port',
      'sip.ws_port',
      'sip.wss_port',
      'edge.rpc_port',
      'sip_capture.port',
      'database.port',
      'switch.port',
      'switch.sip_port',
      'switch.app_port',
      'sandbox.smpp_port',
    ]
    const ports = await freePorts(names.length)
    const own = Object.fromEntries(names.map((name, index) => [name, ports[index] ?? 0]))
    return new TestAppliance({
      ...own,
      'edge.sip_port': own['sip.port'] ?? 0,
      'switch.kind': 'sandbox',
      'database.buffer_pool_mb': 32,
      ...settings,
    })
  }

  /**
   * @param {Record<string, string | number | boolean>} settings
   * @param {string[]} [within] what its commands are run by, such as `ip netns exec one`
   */
  constructor(settings, within = []) {
    this.settings = settings
    this.within = within
    this.home = mkdtempSync(join(tmpdir(), 'jackfield-home-'))
    chmodSync(this.home, 0o755) // MariaDB's own user must pass
    const inherited = Object.entries(process.env).filter(
      ([name]) => !name.startsWith('JACKFIELD_') || name.startsWith('JACKFIELD_TEST_'),
    )
    /** @type {Record<string, string | undefined>} */
    this.env = {
      ...Object.fromEntries(inherited),
      ...Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [environmentName(name), String(value)]),
      ),
      JACKFIELD_HOME: this.home,
    }
  }

  /**
   * Runs one of the installer's commands to its end, as npm does.
   * @param {'up' | 'down' | 'status' | 'backup' | 'restore' | 'upgrade' | 'secret'} command
   * @param {{args?: string[], env?: Record<string, string>, interruptAfter?: RegExp, asNobody?: boolean}} [options]
   *   `interruptAfter` sends SIGINT as soon as the output matches; `asNobody` runs it without root's rights
   * @returns {Promise<Ended>}
   */
  run(command, { args = [], env = {}, interruptAfter, asNobody = false } = {}) {
    const begin = Date.now()
    const checkout = asNobody ? this.readableCheckout() : ROOT
    return new Promise((resolve, reject) => {
      const script = join(checkout, `installer/${command}.mjs`)
      const [program = '', ...rest] = [...this.within, process.execPath, script, ...args]
      const child = spawn(program, rest, {
        env: { ...this.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(asNobody ? { uid: NOBODY, gid: NOBODY } : {}),
      })
      const timer = setTimeout(() => child.kill('SIGKILL'), 240_000)
      let out = ''
      let err = ''
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        out += chunk
        if (interruptAfter?.test(out)) child.kill('SIGINT')
      })
      child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
      child.on('error', reject)
      child.on('close', (code) => {
        clearTimeout(timer)
        resolve({ code, out, err, seconds: (Date.now() - begin) / 1000 })
      })
    })
  }

  /** A copy of the installer that everybody can read: the checkout may lie in root's own folder. */
  readableCheckout() {
    cpSync(join(ROOT, 'installer'), join(this.home, 'copy/installer'), { recursive: true })
    writeFileSync(join(this.home, 'copy/package.json'), '{"type": "module"}')
    return join(this.home, 'copy')
  }

  /** Every process that belongs to this appliance. */
  processes() {
    return processesWith('JACKFIELD_HOME', this.home)
  }

  /**
   * A file of its home.
   * @param {string} name
   */
  text(name) {
    return readFileSync(join(this.home, name), 'utf8')
  }

  /** @param {string} name of a file of its home, which holds JSON */
  json(name) {
    return JSON.parse(this.text(name))
  }

  async remove() {
    await stopAppliance(this.home)
    for (const { pid } of this.processes()) process.kill(pid, 'SIGKILL')
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** What was found may be bound only later. */
const given = new Set()

/**
 * Ports below the kernel's ephemeral ones that are free for TCP and UDP, and were given to nobody: neither here, nor in
 * the other lane (test-lanes.mjs), whose are others.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const [lane = 0, lanes = 1] = (process.env['JACKFIELD_TEST_LANE'] ?? '0/1').split('/').map(Number)
  /** @type {Set<number>} */
  const ports = new Set()
  while (ports.size < count) {
    const port = 10_000 + Math.floor((5000 * (lane + Math.random())) / lanes)
    if (given.has(port)) continue
    given.add(port)
    if ((await bindsTcp(port)) && (await bindsUdp(port))) ports.add(port)
  }
  return [...ports]
}

/** @param {number} port @returns {Promise<boolean>} */
function bindsTcp(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}

/** @param {number} port @returns {Promise<boolean>} */
function bindsUdp(port) {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => resolve(false))
    socket.bind(port, () => socket.close(() => resolve(true)))
  })
}
