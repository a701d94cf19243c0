/** A name server on loopback that tells of each name what a test wants. */
import { type RemoteInfo, createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The addresses of a name at its nth question, from 0; undefined for no answer at all. */
export type Zone = (name: string, asked: number) => readonly string[] | undefined

const typeA = 1
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

  /** RFC 1035, section 4: the question comes back, with A records behind it. */
  private answer(query: Buffer, from: RemoteInfo): void {
    const { name, end } = nameOf(query)
    const type = query.readUInt16BE(end)
    const addresses = type === typeA ? this.next(name) : []
    if (!addresses) return
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    const code = this.zone(name, 0)?.length === 0 ? notFound : 0
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    this.socket.send(
      Buffer.concat([header, query.subarray(12, end + 4), ...records]),
      from.port,
      from.address,
    )
  }

  private next(name: string): readonly string[] | undefined {
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
