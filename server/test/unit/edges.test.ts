import { type Server, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { Edges } from '../../src/adapters/kamailio/edges.js'

/** An edge that answers all commands, and remembers them. */
class Answering {
  readonly commands: string[] = []
  private readonly server: Server

  constructor() {
    this.server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        this.commands.push((JSON.parse(text) as { method: string }).method)
        response.end('{"jsonrpc":"2.0","id":1,"result":{}}')
      })
    })
  }

  async start(port = 0): Promise<number> {
    this.server.listen(port, '127.0.0.1')
    await once(this.server, 'listening')
    return (this.server.address() as AddressInfo).port
  }

  stop(): void {
    this.server.close()
    this.server.closeAllConnections()
  }
}

describe('edges', () => {
  const [one, two] = [new Answering(), new Answering()]
  let edges: Edges

  before(async () => {
    const of = async (edge: Answering, address: string) => ({
      address,
      client: new EdgeClient(`http://127.0.0.1:${await edge.start()}/RPC`, 'secret'),
    })
    edges = new Edges(await of(one, '10.0.0.11:5060'), [await of(two, '[2001:db8::2]:5060')])
  })
  after(() => {
    one.stop()
    two.stop()
  })

  it('have addresses that calls may come from', () => {
    expect(edges.hosts).to.deep.equal(['10.0.0.11', '2001:db8::2'])
  })

  it('are all told what one is told', async () => {
    await edges.removal()('someone', 'acme.sip.localhost')
    await edges.setDraining(true)
    for (const { commands } of [one, two]) {
      expect(commands).to.deep.equal(['htable.seti', 'htable.delete', 'ul.rm', 'htable.seti'])
    }
  })

  it('are asked of calls that were taken up late, by the clock of each', async () => {
    const hours = 3_600_000
    for (const ahead of [2 * hours, -2 * hours]) {
      const told = one.commands.length
      const now = Date.now()
      const client = edges.clients[0]!
      for (const delay of [30, 2, 400]) client.clock.heard(now + ahead, now + delay)
      // Minutes' worth of lines: what was said before its clock was set is forgotten.
      for (let line = 0; line < 30; line += 1) client.clock.heard(now + ahead, now + 5)
      const sent = `${(now + ahead) / 1000}-1`
      const isGivenUp = async (host: string, after: number) =>
        edges.hasGivenUp(host, sent, new Date(now + after))
      expect(await isGivenUp('10.0.0.11', 900)).to.equal(false)
      expect(one.commands.slice(told)).to.deep.equal([])
      expect(await isGivenUp('10.0.0.11', 1_100)).to.equal(true)
      expect(one.commands.slice(told)).to.deep.equal(['htable.get'])
      // nothing is known of the other one's clock
      expect(await isGivenUp('2001:db8::2', 5_000)).to.equal(false)
    }
  })

  it('let calls out through another one when ours is down, which is said when something is to be told', async () => {
    await edges.look()
    expect(edges.proxy).to.equal('10.0.0.11:5060')
    one.stop()
    await edges.look()
    expect(edges.proxy).to.equal('[2001:db8::2]:5060')
    two.commands.length = 0
    const failed = await edges
      .removal()('someone', 'acme.sip.localhost')
      .then(
        () => false,
        () => true,
      )
    expect(failed).to.equal(true)
    expect(two.commands).to.deep.equal(['htable.seti', 'htable.delete', 'ul.rm'])
    two.stop()
    await edges.look()
    expect(edges.proxy).to.equal('10.0.0.11:5060')
  })
})
