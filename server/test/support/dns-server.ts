/** A name server on loopback that tells of each name what a test wants. */
import { type RemoteInfo, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What a name has at its nth question, from 0: IPv4 and IPv6 addresses, and names, to which an SRV record leads. None
 * for a name that does not exist; undefined for no answer at all, and `failure` when the server cannot tell.
 */
export type Zone = (name: string, asked: number) => readonly string[] | 'failure' | undefined

const typeA = 1
const typeAaaa = 28
const typeSrv = 33
const serverFailure = 2
const notFound = 3

export class DnsServer {
  private readonly socket = createSocket('udp4')
  private readonly counts = new Map<string, number>()

  private constructor(private readonly zone: Zone) {}

  static async start(zone: Zone): Promise<DnsServer> {
    const server = new DnsServer(zone)
    server.socket.on('message', (message, from) => server.answer(message, from))
    server.socket.bind(0, '127.0.0.1')
    await once(server.socket, 'listening')
    return server
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`
  }

  /** How often the IPv4 address of a name was asked for. */
  asked(name: string): number {
    return this.counts.get(name) ?? 0
  }

  close(): void {
    this.socket.close()
  }

  /** RFC 1035, section 4: the question comes back, with the records of its type behind it. */
  private answer(query: Buffer, from: RemoteInfo): void {
    const { name, end } = nameOf(query)
    const type = query.readUInt16BE(end)
    const entries = type === typeA ? this.next(name) : this.zone(name, this.asked(name))
    if (!entries) return
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    const records =
      entries === 'failure' ? [] : entries.filter((entry) => typeOf(entry) === type).map(recordOf)
    header.writeUInt16BE(0x8180 | codeOf(entries), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    this.socket.send(
      Buffer.concat([header, query.subarray(12, end + 4), ...records]),
      from.port,
      from.address,
    )
  }

  private next(name: string): ReturnType<Zone> {
    const asked = this.asked(name)
    this.counts.set(name, asked + 1)
    return this.zone(name, asked)
  }
}

function nameOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function codeOf(entries: readonly string[] | 'failure'): number {
  if (entries === 'failure') return serverFailure
  return entries.length === 0 ? notFound : 0
}

function typeOf(entry: string): number {
  const family = isIP(entry)
  return family === 0 ? typeSrv : family === 4 ? typeA : typeAaaa
}

/** A record of the name asked for, which holds no time at all. */
function recordOf(entry: string): Buffer {
  const type = typeOf(entry)
  const data = type === typeSrv ? srvData(entry) : Buffer.from(ipaddr.parse(entry).toByteArray())
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** RFC 2782: priority, weight, port 5060, target. */
function srvData(target: string): Buffer {
  const labels = target.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  return Buffer.concat([Buffer.from([0, 1, 0, 1, 5060 >> 8, 5060 & 255]), ...labels, Buffer.from([0])])
}
