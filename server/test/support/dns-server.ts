/** A name server on loopback that tells of each name what a test wants. */
import { type RemoteInfo, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An SRV record; its target is a name, or empty where there is no such service. */
export interface Srv {
  target: string
  port: number
  priority?: number
  weight?: number
}

/** A NAPTR record as SIP has them: it leads to SRV records. */
export interface Naptr {
  service: string
  replacement: string
  order?: number
  preference?: number
  flags?: string
}

type Entry = string | Srv | Naptr

/**
 * What a name has at its nth question, from 0: IPv4 and IPv6 addresses; names, to which an SRV record leads at port 5060; and other
 * records. None for a name that does not exist; undefined for no answer at all, and `failure` when the server cannot tell.
 */
export type Zone = (name: string, asked: number) => readonly Entry[] | 'failure' | undefined

const typeA = 1
const typeAaaa = 28
const typeSrv = 33
const typeNaptr = 35
const typeNames: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA', 33: 'SRV', 35: 'NAPTR' }
const serverFailure = 2
const notFound = 3

export class DnsServer {
  private readonly socket = createSocket('udp4')
  private readonly counts = new Map<string, number>()
  /** `TYPE name` of each question. */
  readonly questions: string[] = []

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
    this.questions.push(`${typeNames[type] ?? type} ${name}`)
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

function codeOf(entries: readonly Entry[] | 'failure'): number {
  if (entries === 'failure') return serverFailure
  return entries.length === 0 ? notFound : 0
}

function typeOf(entry: Entry): number {
  if (typeof entry !== 'string') return 'service' in entry ? typeNaptr : typeSrv
  const family = isIP(entry)
  return family === 0 ? typeSrv : family === 4 ? typeA : typeAaaa
}

/** A record of the name asked for, which holds no time at all. */
function recordOf(entry: Entry): Buffer {
  const type = typeOf(entry)
  const data = dataOf(entry)
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(entry: Entry): Buffer {
  if (typeof entry === 'string')
    return isIP(entry) === 0
      ? srvData({ target: entry, port: 5060 })
      : Buffer.from(ipaddr.parse(entry).toByteArray())
  return 'service' in entry ? naptrData(entry) : srvData(entry)
}

/** RFC 2782: priority, weight, port, target. */
function srvData({ priority = 0, weight = 1, port, target }: Srv): Buffer {
  return Buffer.concat([numbers(priority, weight, port), labelsOf(target)])
}

/** RFC 3403, section 4: order, preference, flags, services, regular expression, replacement. */
function naptrData({ order = 1, preference = 1, flags = 's', service, replacement }: Naptr): Buffer {
  return Buffer.concat([
    numbers(order, preference),
    ...[flags, service, ''].map(lengthBefore),
    labelsOf(replacement),
  ])
}

function numbers(...values: number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))
}

function labelsOf(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  return Buffer.concat([...labels.map(lengthBefore), Buffer.from([0])])
}

function lengthBefore(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}
