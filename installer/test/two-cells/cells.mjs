/** Two machines with a whole appliance each, and a third for what they share, set up as docs/operate/cells.md says. */
import { cpSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TestAppliance } from '../support.mjs'
import { until } from '../../waiting.mjs'
import { Api } from './api.mjs'
import { password, startData } from './data-machine.mjs'
import { Machines, addressOf } from './machines.mjs'

/** @typedef {'one' | 'two'} Cell */

/** @typedef {{name: string, is_up: boolean, live_calls: number}} CellRow */

/** The last byte of each machine's address. */
const HOSTS = { data: 10, one: 11, two: 12 }

/** Those of the nodes of a Galera cluster, in place of the one MariaDB. */
const NODES = [HOSTS.data, 13, 14]

/** An address that is that of one of them at any time. */
const FLOATING = 9

/** The carrier's and the telephones' addresses. */
export const WORLD = { carrier: addressOf('world', 20), phones: addressOf('world', 30) }

const SHARED_SECRETS = ['operator-token', 'secret-key', 'rpc-secret']

export const BASE_DOMAIN = 'example.com'

export class TwoCells {
  machines = new Machines()
  directory = mkdtempSync(join(tmpdir(), 'jackfield-cells-'))
  operatorToken = ''
  /** @type {Record<Cell, TestAppliance>} */
  appliances

  /** @type {Map<string, import('./data-machine.mjs').DataNode>} */
  nodes = new Map()

  /**
   * @param {{galera?: 'spread' | 'floating' | null}} [options] whether the database is a Galera cluster: each cell has a
   *   node of its own, or all use one, at an address that another node takes over
   */
  constructor({ galera = null } = {}) {
    this.databases = galera === null ? [HOSTS.data] : NODES
    this.isFloating = galera === 'floating'
    this.appliances = { one: this.#appliance('one', 'two'), two: this.#appliance('two', 'one') }
  }

  /** @param {Cell} own @param {Cell} other */
  #appliance(own, other) {
    const inner = addressOf('inner', HOSTS[own])
    const world = addressOf('world', HOSTS[own])
    const database = this.isFloating ? FLOATING : (this.databases.at(own === 'one' ? 0 : -1) ?? 0)
    const settings = {
      ...{ cell: own, base_domain: BASE_DOMAIN, 'edge.sip_domain': `sip.${BASE_DOMAIN}` },
      ...{ 'database.own': false, 'database.host': addressOf('inner', database), 'database.port': 3306 },
      ...{ 'database.user': 'jackfield', 'database.password': password },
      'redis.url': `redis://:${password}@${addressOf('inner', HOSTS.data)}:6379`,
      ...{ 'edge.sip_host': inner, 'edge.rpc_host': inner, 'switch.sip_host': inner },
      'edge.others': `${addressOf('inner', HOSTS[other])}:5060`,
      'sip_trunks.allowed_networks': `${WORLD.carrier}/32`,
      ...{ 'sip.host': world, 'http.host': world, 'sip.workers': 2 },
      'media.directory': join(this.directory, 'media'),
      // tests may ask as often as they like
      ...{ 'rate_limits.default': 1_000_000, 'rate_limits.heavy': 1_000_000 },
    }
    return new TestAppliance(settings, this.machines.on(own))
  }

  /** Starts all of it. */
  async start() {
    chmodSync(this.directory, 0o755) // MariaDB's own user must pass
    const { machines } = this
    machines.add('data', { inner: this.isFloating ? [...this.databases, FLOATING] : this.databases })
    for (const cell of /** @type {Cell[]} */ (['one', 'two'])) {
      machines.add(cell, { world: [HOSTS[cell]], inner: [HOSTS[cell]] })
    }
    machines.add('world', { world: [20, 30] })
    const databases = this.databases.map((host) => addressOf('inner', host))
    this.nodes = await startData(machines, 'data', databases, this.directory)
    if (this.isFloating) {
      const program = fileURLToPath(new URL('floating.mjs', import.meta.url))
      const addresses = [addressOf('inner', FLOATING), ...databases].map((address) => `${address}:3306`)
      machines.spawn('data', [process.execPath, program, ...addresses])
    }
    await this.up('one')
    mkdirSync(join(this.appliances.two.home, 'secrets'), { mode: 0o700 })
    for (const name of SHARED_SECRETS) {
      cpSync(this.#secret('one', name), this.#secret('two', name))
    }
    await this.up('two')
    this.operatorToken = this.appliances.one.text('secrets/operator-token').trim()
    this.#openDoors()
    await this.areUp(['one', 'two'])
  }

  /** @param {Cell} cell @param {string} name */
  #secret(cell, name) {
    return join(this.appliances[cell].home, 'secrets', name)
  }

  /** Brings a cell up, as its operator does. @param {Cell} cell */
  async up(cell) {
    const { code, out, err } = await this.appliances[cell].run('up')
    if (code !== 0) throw new Error(`cell ${cell} does not come up: ${out}${err}`)
  }

  #openDoors() {
    const pairs = /** @type {Cell[]} */ (['one', 'two']).flatMap((cell) => [
      this.#door(cell),
      `${addressOf('world', HOSTS[cell])}:8080`,
    ])
    const program = fileURLToPath(new URL('door.mjs', import.meta.url))
    this.machines.spawn('world', [process.execPath, program, ...pairs])
  }

  /** @param {Cell} cell */
  #door(cell) {
    return join(this.directory, `${cell}.http`)
  }

  /** The address of a cell's edge, as carriers and phones have it. @param {Cell} cell */
  edge(cell) {
    return `${addressOf('world', HOSTS[cell])}:5060`
  }

  /** The operator, at a cell's server. @param {Cell} cell */
  operator(cell) {
    return new Api(this.#door(cell), `admin.${BASE_DOMAIN}`, `Operator ${this.operatorToken}`)
  }

  /** @param {Cell} asked whose server @returns {Promise<CellRow[]>} */
  async cells(asked) {
    return (await this.operator(asked).get('/operator/cells')).data
  }

  /**
   * Waits until just these cells are up, as a server sees it.
   * @param {Cell[]} names
   * @param {Cell} [asked]
   */
  async areUp(names, asked = names[0] ?? 'one') {
    await until(
      async () => {
        const up = (await this.cells(asked)).filter(({ is_up }) => is_up).map(({ name }) => name)
        if (String(up) !== String(names)) throw new Error(`up: ${String(up)}`)
      },
      { deadlineMs: 60_000, what: `cells ${names.join(' and ')} being up` },
    )
  }

  async remove() {
    this.machines.remove()
    for (const appliance of Object.values(this.appliances)) await appliance.remove()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
