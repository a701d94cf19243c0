/** Requests to upgrade to protocols that are not supported. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const left = new Set(['upgrade', 'connection', 'http2-settings'])

/**
 * Handles a request again as if it had not asked to upgrade (RFC 9110, section 7.8: a server may ignore an Upgrade).
 * With a listener for upgrades, Node emits all such requests to it; Java's clients ask for `h2c` by default.
 */
export function withoutUpgrade(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!left.has(name.toLowerCase())) lines.push(`${name}: ${value}`)
  }
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', stream)
}
