/** Ports that nobody uses. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * What this process may use of a range that test processes share which run side by side: `npm test` tells each its
 * lane by JACKFIELD_TEST_LANE, `<lane>/<lanes>` from 0.
 * @param from the first of the whole range
 * @param to the first after it
 */
export function ownRange(from: number, to: number): { from: number; to: number } {
  const [lane = 0, lanes = 1] = (process.env['JACKFIELD_TEST_LANE'] ?? '0/1').split('/').map(Number)
  const size = Math.floor((to - from) / lanes)
  return { from: from + lane * size, to: from + (lane + 1) * size }
}

/** Below the kernel's ephemeral ports, so that nobody's outgoing connection takes one in the meantime. */
const { from: LOWEST, to: HIGHEST } = ownRange(15_000, 32_000)

/** A port that somebody was given may be bound only later. */
const given = new Set<number>()

/** Finds ports that are free for UDP and TCP on all addresses of this machine, and were given to nobody yet. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  if (given.size > (HIGHEST - LOWEST) / 2) given.clear()
  while (ports.size < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    ports.add(port)
  }
  return [...ports]
}

/**
 * Finds consecutive ports, all of them free and not given out yet.
 * @returns the first, which is even as RTP's is: RTCP takes the odd one after it (RFC 3550, section 11)
 */
export async function freePortRun(count: number): Promise<number> {
  if (given.size > (HIGHEST - LOWEST) / 2) given.clear()
  for (;;) {
    const first = 2 * Math.ceil((LOWEST + Math.random() * (HIGHEST - LOWEST - count - 1)) / 2)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if (ports.some((port) => given.has(port))) continue
    const free = await Promise.all(ports.map(isFree))
    if (free.includes(false)) continue
    for (const port of ports) given.add(port)
    return first
  }
}

/**
 * Free ports for one SIPp. From `-mp` on it binds four: audio, its RTCP, video, its RTCP; it ends when one of them is taken.
 * @returns for `-p`, `-cp` and `-mp`
 */
export async function sippPorts(): Promise<{ port: number; controlPort: number; mediaPort: number }> {
  const [port = 0, controlPort = 0] = await freePorts(2)
  return { port, controlPort, mediaPort: await freePortRun(4) }
}

/** One free port. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const udp = createSocket('udp4')
  const tcp = createServer()
  try {
    udp.bind(port)
    await once(udp, 'listening')
    tcp.listen(port)
    await once(tcp, 'listening')
    return true
  } catch {
    return false
  } finally {
    await new Promise<void>((done) => udp.close(() => done()))
    if (tcp.listening) await new Promise<void>((done) => tcp.close(() => done()))
  }
}
