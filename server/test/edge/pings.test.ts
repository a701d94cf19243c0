/** OPTIONS to carriers, by which the server learns whether they answer. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { EdgeEvents } from '../../src/adapters/kamailio/edge-events.js'
import { EdgePings } from '../../src/adapters/kamailio/edge-pings.js'
import { AnsweringEnd, answerTo } from '../support/answering-end.js'
import { freePort } from '../support/free-ports.js'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { header } from '../support/sip-message.js'

describe('edge: pings of carriers', function () {
  this.timeout(30_000)
  let edge: Kamailio
  let events: EdgeEvents
  let pings: EdgePings

  before(async () => {
    edge = await startKamailio()
    const { rpcHost, rpcPort, rpcSecret } = edge.options
    const client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
    events = new EdgeEvents([client], pino({ level: 'silent' }))
    pings = new EdgePings({ current: { address: 'edge:5060', client } }, events)
    events.start()
    await once(events, 'connected')
  })
  after(async () => {
    events?.stop()
    const obituary = edge.obituary
    await edge?.stop()
    expect(obituary).to.equal(undefined)
  })

  async function pinged(status: number) {
    const end = await AnsweringEnd.open({ OPTIONS: status })
    try {
      const hop = `sip:127.0.0.1:${end.port};transport=udp`
      return { pong: await pings.ping('sip:carrier.test;transport=udp', hop), seen: end.requests }
    } finally {
      end.close()
    }
  }

  for (const status of [200, 404, 405, 481, 503]) {
    it(`tell that a carrier answers ${status}, and how soon`, async () => {
      const { pong, seen } = await pinged(status)
      expect(pong).to.include({ edge: 'edge:5060', status })
      expect(pong?.milliseconds).to.be.within(0, 500)
      expect(seen).to.have.length(1)
    })
  }

  it('are OPTIONS of the platform for the host that the gateway names', async () => {
    const { seen } = await pinged(200)
    const text = seen[0] ?? ''
    const { sipPort } = edge.options
    expect(text).to.match(/^OPTIONS sip:carrier\.test;transport=udp SIP\/2\.0\r\n/)
    expect(header({ text }, 'From')).to.match(/^<?sip:ping@127\.0\.0\.1>?;tag=/)
    expect(header({ text }, 'Contact')).to.equal(`<sip:ping@127.0.0.1:${sipPort};transport=udp>`)
    expect(header({ text }, 'Via')).to.match(new RegExp(`^SIP/2.0/UDP 127.0.0.1:${sipPort};`))
    expect(header({ text }, 'Max-Forwards')).to.equal('70')
  })

  it('tell of one that says nothing, after 2 s', async () => {
    const { pong } = await pinged(0)
    expect(pong?.status).to.equal(0)
    expect(pong?.milliseconds).to.be.within(1_500, 3_500)
  })

  for (const transport of ['tcp', 'tls']) {
    it(`tell of one that refuses ${transport}`, async () => {
      const hop = `sip:127.0.0.1:${await freePort()};transport=${transport}`
      const pong = await pings.ping(hop, hop)
      expect(pong?.status).to.equal(0)
    })
  }

  it('go over TCP', async () => {
    const server = createServer((socket) => {
      socket.on('data', (chunk) => socket.write(answerTo(String(chunk), 200)))
      socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const pong = await pings.ping('sip:carrier.test;transport=tcp', `sip:127.0.0.1:${port};transport=tcp`)
    server.close()
    expect(pong?.status).to.equal(200)
  })

  it('go to neither the edge itself nor its switch', async () => {
    const { sipHost, sipPort, switchHost, switchPort } = edge.options
    for (const at of [`${sipHost}:${sipPort}`, `${switchHost}:${switchPort}`])
      expect(await pings.ping('sip:carrier.test', `sip:${at};transport=udp`), at).to.equal(null)
    expect(await pings.ping('sip:a b', `sip:127.0.0.1:9999;transport=udp`)).to.equal(null)
  })
})
