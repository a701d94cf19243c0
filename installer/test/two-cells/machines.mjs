/**
 * Machines on one machine: network namespaces, on two switches of their own. `world` is the internet, `inner` the network
 * that only our machines are on. Nothing of it is seen outside: the switches are bridges in a namespace, too.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { messageOf } from '../../failure.mjs'

/** @typedef {'world' | 'inner'} Network */

/** The first three bytes of each network's addresses (RFC 5737, RFC 1918). */
const NETWORKS = { world: '198.51.100', inner: '10.0.0' }

/** @param {string[]} args of ip(8) */
const ip = (...args) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** @returns {string} why no namespaces can be made here; '' when they can */
export function namespacesRefused() {
  const name = `jackfield-try-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('-n', name, 'link', 'add', 'try', 'type', 'bridge')
    return ''
  } catch (error) {
    return `network namespaces are not permitted here: ${messageOf(error).trim().split('\n').at(-1)}`
  } finally {
    spawnSync('ip', ['netns', 'del', name])
  }
}

export class Machines {
  /** @type {string[]} */
  #names = []
  #hub = this.#namespaceOf('hub')

  constructor() {
    ip('netns', 'add', this.#hub)
    for (const network of Object.keys(NETWORKS)) {
      ip('-n', this.#hub, 'link', 'add', network, 'type', 'bridge')
      ip('-n', this.#hub, 'link', 'set', network, 'up')
    }
  }

  /** @param {string} name */
  #namespaceOf(name) {
    return `jackfield-${process.pid}-${name}`
  }

  /**
   * Adds a machine.
   * @param {string} name
   * @param {Partial<Record<Network, number[]>>} addresses the last bytes of its addresses in each network that it is on
   */
  add(name, addresses) {
    const namespace = this.#namespaceOf(name)
    ip('netns', 'add', namespace)
    this.#names.push(name)
    ip('-n', namespace, 'link', 'set', 'lo', 'up')
    for (const [network, hosts] of /** @type {[Network, number[]][]} */ (Object.entries(addresses))) {
      const plug = `${name}-${network}`
      ip('link', 'add', network, 'netns', namespace, 'type', 'veth', 'peer', 'name', plug, 'netns', this.#hub)
      for (const host of hosts) {
        ip('-n', namespace, 'addr', 'add', `${addressOf(network, host)}/24`, 'dev', network)
      }
      ip('-n', namespace, 'link', 'set', network, 'up')
      ip('-n', this.#hub, 'link', 'set', plug, 'master', network, 'up')
    }
  }

  /**
   * What has a program run on a machine, before the program and its arguments.
   * @param {string} name
   * @returns {string[]}
   */
  on(name) {
    return ['ip', 'netns', 'exec', this.#namespaceOf(name)]
  }

  /**
   * Starts a program there.
   * @param {string} name
   * @param {string[]} command
   * @param {import('node:child_process').SpawnOptions} [options]
   */
  spawn(name, command, options = {}) {
    const [program = '', ...args] = [...this.on(name), ...command]
    return spawn(program, args, { stdio: 'ignore', ...options })
  }

  /** @param {string} name @returns {number[]} the processes that run there */
  processes(name) {
    return ip('netns', 'pids', this.#namespaceOf(name)).split('\n').filter(Boolean).map(Number)
  }

  /** Ends all that runs on a machine as a power cut does. @param {string} name */
  powerCut(name) {
    for (let left = this.processes(name); left.length > 0; left = this.processes(name)) {
      for (const pid of left) spawnSync('kill', ['-9', String(pid)])
    }
  }

  /** Ends all of it. */
  remove() {
    for (const name of this.#names) {
      this.powerCut(name)
      ip('netns', 'del', this.#namespaceOf(name))
    }
    ip('netns', 'del', this.#hub)
  }
}

/** @param {Network} network @param {number} host @returns {string} */
export function addressOf(network, host) {
  return `${NETWORKS[network]}.${host}`
}
