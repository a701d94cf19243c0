/**
 * Finds connections whose far end vanished, as when a phone loses its network. TCP retransmits for a quarter of an hour
 * before it gives up; the kernel counts the retransmissions (Linux, proc_net_tcp(5)).
 */
import { readFile } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'

/** Retransmissions after which a peer is lost: about 13 s on a fast network, twice that on a slow one. */
const lostAfterRetries = 6
const lookMs = 5_000

const tables = ['/proc/net/tcp', '/proc/net/tcp6']

/** Established, in the kernel's numbering. */
const established = '01'

export class LostPeers {
  private readonly sockets = new Map<string, Socket>()
  private timer: NodeJS.Timeout | undefined

  /** Ends the connection when its far end is lost. */
  watch(socket: Socket): void {
    const { localPort = 0, remotePort = 0, remoteAddress } = socket
    if (remoteAddress === undefined || socket.destroyed) return
    const key = keyOf(localPort, remoteAddress, remotePort)
    if (this.sockets.get(key) === socket) return
    this.sockets.set(key, socket)
    socket.once('close', () => {
      if (this.sockets.get(key) === socket) this.sockets.delete(key)
      if (this.sockets.size > 0) return
      clearInterval(this.timer)
      this.timer = undefined
    })
    this.timer ??= setInterval(() => void this.look(), lookMs)
  }

  private async look(): Promise<void> {
    for (const table of tables) {
      // Other systems have no such table: there TCP's own patience has to do.
      const text = await readFile(table, 'utf8').catch(() => '')
      for (const key of unconfirmed(text)) this.sockets.get(key)?.destroy()
    }
  }
}

/** The connections of a table that have sent the same too often. */
export function unconfirmed(table: string): string[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state, , , retries = ''] = line.trim().split(/\s+/)
    if (state !== established || Number.parseInt(retries, 16) < lostAfterRetries) return []
    const [address = '', port = ''] = remote.split(':')
    const [, localPort = ''] = local.split(':')
    return [keyOf(Number.parseInt(localPort, 16), addressOf(address), Number.parseInt(port, 16))]
  })
}

function keyOf(localPort: number, remoteAddress: string, remotePort: number): string {
  return `${localPort} ${remoteAddress} ${remotePort}`
}

/** The kernel writes addresses as 32-bit words of the machine's own byte order. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, 'hex').reverse()])
  if (bytes.length === 4) return bytes.join('.')
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? []
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address
}
