/** Whether ports are free, and which processes hold them. */
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer, isIPv6 } from 'node:net'
import { Failure, codeOf } from './failure.mjs'

/**
 * @typedef {object} Port
 * @property {'tcp' | 'udp'} protocol
 * @property {string} host
 * @property {number} port
 * @property {string} purpose for messages: `the API`
 * @property {string} setting environment variable that changes the port
 * @property {string} [hostSetting] environment variable that changes the address, when there is one
 */

/**
 * Checks that every port can be bound.
 * @param {Port[]} ports
 * @throws {Failure} naming each port that is taken, who holds it and which setting changes it
 */
export async function requireFreePorts(ports) {
  const problems = ports.flatMap((one, index) => {
    const same = ports.slice(0, index).find((other) => clash(one, other))
    return same ? [`${same.setting} and ${one.setting} both name ${label(one)}: change one of them`] : []
  })
  for (const port of ports) {
    const problem = await problemWith(port)
    if (problem) problems.push(problem)
  }
  if (problems.length > 0) throw new Failure(problems.join('; '))
}

/** @param {Port} one @param {Port} other */
function clash(one, other) {
  const hosts = [one.host, other.host]
  const sameHost = one.host === other.host || hosts.includes('0.0.0.0') || hosts.includes('::')
  return one.protocol === other.protocol && one.port === other.port && sameHost
}

/** @param {Port} port */
function label({ protocol, host, port }) {
  return `${protocol.toUpperCase()} port ${port} on ${host}`
}

/**
 * @param {Port} port
 * @returns {Promise<string | undefined>} problem and advice, or undefined if it is free
 */
async function problemWith(port) {
  try {
    await (port.protocol === 'tcp' ? tryTcp(port) : tryUdp(port))
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE') {
      const holder = holderOf(port)
      return `${label(port)} (${port.purpose}) is in use${holder ? ` by ${holder}` : ''}: stop that, or choose another port with ${port.setting}`
    }
    if (code === 'EADDRNOTAVAIL') {
      return `${port.host} (${port.purpose}) is not an address of this machine: correct ${port.hostSetting ?? port.setting}`
    }
    if (code === 'EACCES')
      return `${label(port)} (${port.purpose}) needs root: run as root, or set ${port.setting} above 1023`
    throw error
  }
}

/** @param {Port} port @returns {Promise<void>} */
function tryTcp({ host, port }) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
}

/** @param {Port} port @returns {Promise<void>} */
function tryUdp({ host, port }) {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    socket.once('error', (error) => {
      socket.close()
      reject(error)
    })
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve()))
  })
}

/**
 * The process that holds a port, from /proc.
 * @param {Pick<Port, 'protocol' | 'port'>} port
 * @returns {string} `nginx (pid 123)`, or '' if unknown
 */
export function holderOf({ protocol, port }) {
  const inodes = new Set(socketsOn({ protocol, port }).map(({ inode }) => `socket:[${inode}]`))
  if (inodes.size === 0) return ''
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (openFiles(pid).some((target) => inodes.has(target))) {
      return `${readLines(`/proc/${pid}/comm`)[0] ?? 'a process'} (pid ${pid})`
    }
  }
  return ''
}

/**
 * The sockets that listen on a port, on any address. Unlike their processes they are visible in a container
 * with the host's network.
 * @param {Pick<Port, 'protocol' | 'port'>} port
 * @returns {{inode: string, uid: number}[]}
 */
export function socketsOn({ protocol, port }) {
  return [protocol, `${protocol}6`].flatMap((table) =>
    readLines(`/proc/net/${table}`)
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => parseInt(columns[1]?.split(':')[1] ?? '', 16) === port)
      .filter((columns) => protocol === 'udp' || columns[3] === '0A') // 0A: listening
      .map((columns) => ({ inode: columns[9] ?? '', uid: Number(columns[7]) })),
  )
}

/** @param {string} pid */
function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return '' // closed meanwhile
      }
    })
  } catch {
    return [] // ended meanwhile, or of another user
  }
}

/** @param {string} path */
function readLines(path) {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
