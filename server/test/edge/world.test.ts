import { expect } from 'chai'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { header, headers, type SipMessage } from '../support/sip-message.js'
import { Carrier, Sipp } from '../support/sipp.js'
import { tlsStorm } from '../support/tls-storm.js'
import { EdgeWorld } from './accounts.js'
import { ask, placeCall, sipRequest } from './calls.js'

describe('edge: what the world may do', function () {
  this.timeout(30_000)
  let edge: Kamailio
  const world = (): { host: string; port: number } => ({
    host: edge.options.sipHost,
    port: edge.options.sipPort,
  })
  const switchSide = (): { host: string; port: number } => ({
    host: edge.options.privateHost,
    port: edge.options.privatePort,
  })

  before(async () => {
    edge = await startKamailio()
  })
  after(async () => edge?.stop())

  for (const method of ['INVITE', 'REGISTER', 'MESSAGE', 'SUBSCRIBE']) {
    it(`refuses ${method} with a flat 403`, async () => {
      const answer = await ask(
        sipRequest(method, 'sip:+12025550100@127.0.0.1', '127.0.0.31'),
        world(),
        '127.0.0.31',
      )
      expect(answer).to.match(/^SIP\/2\.0 403 Forbidden/)
      expect(answer).not.to.match(/kamailio|jackfield/i)
    })
  }

  it('answers OPTIONS', async () => {
    const answer = await ask(sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.31'), world(), '127.0.0.31')
    expect(answer).to.match(/^SIP\/2\.0 200 /)
  })

  it('says nothing to scanners, from then on', async () => {
    const scan = sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.32', {
      extra: ['User-Agent: friendly-scanner'],
    })
    expect(await ask(scan, world(), '127.0.0.32', 300)).to.equal(undefined)
    const polite = sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.32')
    expect(await ask(polite, world(), '127.0.0.32', 300)).to.equal(undefined)
    expect(await edge.rpc('htable.dump', ['banned'])).to.be.an('array')
  })

  it('says nothing after some refusals', async () => {
    const tries = async (): Promise<string | undefined> =>
      ask(sipRequest('INVITE', 'sip:900441@127.0.0.1', '127.0.0.33'), world(), '127.0.0.33', 300)
    for (let count = 0; count < 20; count++) expect(await tries()).to.match(/403/)
    expect(await tries()).to.equal(undefined)
    expect(await tries()).to.equal(undefined)
  })

  it('says nothing to a flood', async () => {
    const requests = Array.from({ length: 100 }, async () =>
      ask(sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.34'), world(), '127.0.0.34', 500),
    )
    const answered = (await Promise.all(requests)).filter((answer) => answer !== undefined)
    expect(answered.length).to.be.within(1, 99)
    const after = ask(sipRequest('OPTIONS', 'sip:127.0.0.1', '127.0.0.34'), world(), '127.0.0.34', 300)
    expect(await after).to.equal(undefined)
    expect(edge.log.match(/banned 127\.0\.0\.34/g)).to.have.length.below(5)
  })

  it('lets nobody but the switch use the private listener', async () => {
    const call = sipRequest('INVITE', 'sip:+12025550100@127.0.0.1:9', '127.0.0.35')
    expect(await ask(call, switchSide(), '127.0.0.35')).to.match(/^SIP\/2\.0 403 /)
    const options = sipRequest('OPTIONS', 'sip:127.0.0.2', '127.0.0.35')
    expect(await ask(options, switchSide(), '127.0.0.35')).to.match(/^SIP\/2\.0 403 /)
  })

  it('is no relay for made-up routes', async () => {
    const { host, port } = switchSide()
    const route = `Route: <sip:127.0.0.1:${world().port};lr;r2=on>, <sip:${host}:${port};lr;r2=on>`
    for (const extra of [[route], [], [route.replaceAll('lr;', 'lr;jf=0123456789abcdef01234567;')]]) {
      const request = sipRequest('INVITE', 'sip:victim@127.0.0.1:9', '127.0.0.36', {
        extra,
        toTag: 'made-up',
      })
      expect(await ask(request, world(), '127.0.0.36')).to.match(/^SIP\/2\.0 481 /)
    }
  })

  it('speaks HTTP only to those who know the secret, on the RPC port only', async () => {
    const { rpcHost, rpcPort, sipHost, sipPort } = edge.options
    expect(await edge.rpc('core.version')).to.match(/kamailio/)
    expect((await fetch(`http://${rpcHost}:${rpcPort}/RPC`, { method: 'POST', body: '{}' })).status).to.equal(
      401,
    )
    expect((await fetch(`http://${rpcHost}:${rpcPort}/metrics`)).status).to.equal(401)
    const metrics = await fetch(`http://${rpcHost}:${rpcPort}/metrics`, {
      headers: { authorization: `Bearer ${edge.options.rpcSecret}` },
    })
    expect(await metrics.text()).to.include('kamailio_')
    const outside = await fetch(`http://${sipHost}:${sipPort}/RPC`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${edge.options.rpcSecret}` },
    })
    expect(outside.status).to.equal(404)
  })

  describe('with a carrier that is called', () => {
    let carrier: Carrier
    before(async () => {
      carrier = await Carrier.start({ host: '127.0.0.37' })
    })
    after(async () => carrier?.stop())

    it('never bans it', async () => {
      const call = await placeCall(edge, carrier.uri('+12025550100'))
      expect(call.status).to.equal(200)
      for (let count = 0; count < 30; count++) {
        const request = sipRequest('INVITE', 'sip:900441@127.0.0.1', '127.0.0.37')
        expect(await ask(request, world(), '127.0.0.37')).to.match(/403/)
      }
    })

    it('lets its dialog reach the switch and nothing else', async () => {
      const [invite, toTag] = await liveCall(edge, carrier)
      const routes = headers(invite, 'Record-Route').map((route) => `Route: ${route}`)
      const callId = header(invite, 'Call-ID') ?? ''
      const stray = sipRequest('INFO', 'sip:victim@127.0.0.99:9', '127.0.0.37', {
        extra: routes,
        toTag,
        callId,
      })
      expect(await ask(stray, world(), '127.0.0.37')).to.match(/^SIP\/2\.0 403 /)
      const other = sipRequest('INFO', 'sip:edge@127.0.0.1:9', '127.0.0.37', {
        extra: routes,
        toTag,
        callId: 'other',
      })
      expect(await ask(other, world(), '127.0.0.37')).to.match(/^SIP\/2\.0 481 /)
    })
  })

  it('carries a carrier’s re-INVITE to the switch and the answer back', async () => {
    const carrier = await Carrier.start({ host: '127.0.0.38' })
    const phone = createSocket('udp4')
    try {
      const [invite, toTag] = await liveCall(edge, carrier)
      phone.bind(0, edge.options.switchHost)
      await once(phone, 'listening')
      phone.on('message', (request, from) => phone.send(okTo(request.toString()), from.port, from.address))
      const reInvite = sipRequest(
        'INVITE',
        `sip:edge@${edge.options.switchHost}:${phone.address().port}`,
        '127.0.0.38',
        {
          extra: headers(invite, 'Record-Route').map((route) => `Route: ${route}`),
          toTag,
          callId: header(invite, 'Call-ID') ?? '',
        },
      )
      expect(await ask(reInvite, world(), '127.0.0.38')).to.match(/^SIP\/2\.0 200 /)
    } finally {
      phone.close()
      await carrier.stop()
    }
  })

  it('survives hostile TLS, while phones register', async function () {
    this.timeout(60_000)
    const world = await EdgeWorld.start()
    try {
      const accounts = await Promise.all(Array.from({ length: 6 }, async () => world.account()))
      const { connections, registrations, failures } = await tlsStorm(world.edge, accounts, 8000)
      expect(failures).to.deep.equal([])
      expect(connections).to.be.above(100)
      expect(registrations).to.be.above(20)
      expect(await world.edge.rpc('core.uptime')).to.be.an('object')
      // garbage must not fill the disk: far less than a line a connection
      expect(world.edge.log.split('\n').length).to.be.below(connections / 2)
    } finally {
      await world.stop()
    }
  })
})

/** A 200 with the headers that an answer repeats. */
function okTo(request: string): string {
  const repeated = request
    .split('\r\n')
    .filter((line) => /^(Via|From|To|Call-ID|CSeq|Record-Route):/i.test(line))
  return ['SIP/2.0 200 OK', ...repeated, 'Content-Length: 0', '', ''].join('\r\n')
}

/** A call that is up, as the carrier saw its INVITE, and the tag of the other side. */
async function liveCall(edge: Kamailio, carrier: Carrier): Promise<[SipMessage, string]> {
  const sipp = await Sipp.start({
    scenario: 'switch',
    host: edge.options.switchHost,
    remote: `${edge.options.privateHost}:${edge.options.privatePort}`,
    keys: { target: carrier.uri('+12025550100') },
    values: { HOLD_MS: 1000, USERNAME: 'x', PASSWORD: 'x' },
  })
  try {
    await sipp.finished(10_000)
    const invite = (await carrier.messages())
      .filter(({ method, status }) => method === 'INVITE' && !status)
      .at(-1)
    if (!invite) throw new Error('no INVITE at the carrier')
    return [invite, /tag=([^;]+)/.exec(header(invite, 'From') ?? '')?.[1] ?? '']
  } finally {
    await sipp.stop()
  }
}
