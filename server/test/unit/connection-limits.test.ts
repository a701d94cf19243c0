import { EventEmitter, once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { parseNetwork } from '../../src/lib/networks.js'
import { connectionLimits, limitConnections } from '../../src/infrastructure/http/connection-limits.js'

describe('limits of connections', () => {
  const limits = { maxConnections: 3, maxOfSource: 2, maxNewOfSource: 10, maxWaiting: 4, idleMs: 300 }

  /** A connection, as far as counting goes. */
  class Connection extends EventEmitter {
    destroyed = false
    constructor(readonly remoteAddress: string) {
      super()
    }
    destroy(): void {
      this.destroyed = true
      this.emit('close')
    }
  }

  it('hold for each source, but for this machine and those that speak for many', () => {
    const servers = [new EventEmitter(), new EventEmitter()]
    limitConnections(servers as unknown as Server[], limits, [parseNetwork('10.0.0.0/8')!])
    const come = (address: string, server = 0) => {
      const connection = new Connection(address)
      servers[server]?.emit('connection', connection)
      return connection
    }
    const [first, second] = [come('198.51.100.7'), come('198.51.100.7', 1)]
    servers[0]?.emit('connection', first)
    expect(come('198.51.100.7').destroyed).to.equal(true)
    expect(come('198.51.100.8').destroyed).to.equal(false)
    expect([first?.destroyed, second?.destroyed]).to.deep.equal([false, false])
    first?.destroy()
    expect(come('198.51.100.7').destroyed).to.equal(false)
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:10.1.2.3'])
      for (let count = 0; count < 5; count++) expect(come(address).destroyed, address).to.equal(false)
    come('2001:db8::1')
    come('2001:db8::2')
    expect(come('2001:db8::3').destroyed, 'of one /64').to.equal(true)
  })

  it('hold for connections of a source that never ask for anything, by the /64 of IPv6', () => {
    const server = new EventEmitter()
    const few = { ...limits, maxOfSource: 100, maxNewOfSource: 2 }
    limitConnections([server as unknown as Server], few, [])
    let port = 1_024
    const come = (address: string) => {
      const connection = Object.assign(new Connection(address), { remotePort: (port += 1) })
      server.emit('connection', connection)
      return connection
    }
    const first = come('2001:db8::1')
    come('2001:db8::2')
    expect(come('2001:db8::3').destroyed).to.equal(true)
    expect(come('2001:db8:0:1::3').destroyed, 'another /64').to.equal(false)
    // Over TLS the request comes on another socket of the same peer.
    server.emit('request', { socket: { remoteAddress: '2001:db8::1', remotePort: first.remotePort } })
    expect(come('2001:db8::4').destroyed, 'one has asked').to.equal(false)
    expect(come('2001:db8::5').destroyed).to.equal(true)
    first.destroy()
    expect(come('2001:db8::6').destroyed, 'it had left the new ones already').to.equal(true)
  })

  it('end a connection whose client takes nothing of an answer, and take no more than so many', async () => {
    const server = createServer((_, response) => response.end(Buffer.alloc(50_000_000)))
    limitConnections([server], limits, [])
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sockets = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
    try {
      const [reader] = sockets
      const ended = new Promise((done) => server.once('connection', (socket) => socket.once('close', done)))
      await Promise.all(sockets.map(async (socket) => once(socket, 'connect')))
      reader?.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const late = connect(port, '127.0.0.1')
      sockets.push(late)
      late.resume()
      await once(late, 'close')
      await ended
    } finally {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  })

  it('leave streams the silence between two heartbeats', () => {
    expect(connectionLimits(15).idleMs).to.equal(180_000)
    expect(connectionLimits(300).idleMs).to.equal(360_000)
  })
})
