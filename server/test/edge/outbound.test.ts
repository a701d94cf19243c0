import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-ports.js'
import { startKamailio, type Kamailio } from '../support/kamailio.js'
import { digestIsRight, header, headers } from '../support/sip-message.js'
import { Carrier } from '../support/sipp.js'
import { selfSigned } from '../support/tls-relay.js'
import { placeCall } from './calls.js'

describe('edge: calls from the switch to carriers', function () {
  this.timeout(30_000)
  let edge: Kamailio
  let directory: string
  const carriers: Partial<Record<'udp' | 'tcp' | 'tls', Carrier>> = {}
  const carrier = (transport: 'udp' | 'tcp' | 'tls'): Carrier => {
    const found = carriers[transport]
    if (!found) throw new Error('not started')
    return found
  }

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-edge-'))
    const tls = await selfSigned(directory)
    edge = await startKamailio({ tlsCaFile: tls.certificate })
    for (const transport of ['udp', 'tcp', 'tls'] as const) {
      carriers[transport] = await Carrier.start({ transport, tls })
    }
  })

  after(async () => {
    await Promise.all(Object.values(carriers).map(async (each) => each?.stop()))
    const obituary = edge.obituary
    await edge?.stop()
    await rm(directory, { recursive: true, force: true })
    expect(obituary).to.equal(undefined)
  })

  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    it(`relays a call over ${transport}, and the switch’s BYE`, async () => {
      const call = await placeCall(edge, carrier(transport).uri('+12025550100'))
      expect(call.asExpected, call.errors).to.equal(true)
      expect(call.status).to.equal(200)
      const seen = (await carrier(transport).messages()).filter(
        ({ callId }) => callId === call.messages[0]?.callId,
      )
      const received = seen.filter(({ direction }) => direction === 'received').map(({ method }) => method)
      expect(received).to.deep.equal(['INVITE', 'ACK', 'BYE'])
      expect(header(seen[0] ?? { text: '' }, 'Via')).to.match(new RegExp(`^SIP/2.0/${transport}`, 'i'))
    })

    it(`relays the carrier’s BYE over ${transport}`, async () => {
      const call = await placeCall(edge, carrier(transport).uri('+12025550106'), { holdMs: 5000 })
      expect(call.asExpected, call.errors).to.equal(true)
      expect(
        call.messages.some(({ method, direction }) => method === 'BYE' && direction === 'received'),
      ).to.equal(true)
    })

    it(`relays CANCEL over ${transport}`, async () => {
      const call = await placeCall(edge, carrier(transport).uri('+12025550102'), {
        scenario: 'switch-cancel',
      })
      expect(call.asExpected, call.errors).to.equal(true)
      expect(call.status).to.equal(487)
    })
  }

  for (const [number, status] of [
    ['+12025550101', 486],
    ['+12025550103', 404],
    ['+12025550104', 603],
    ['+12025550105', 503],
  ] as const) {
    it(`passes ${status} on as it is`, async () => {
      const call = await placeCall(edge, carrier('udp').uri(number))
      expect(call.asExpected, call.errors).to.equal(true)
      expect(call.status).to.equal(status)
      if (status === 503) expect(header(call.messages.at(-2) ?? { text: '' }, 'Retry-After')).to.equal('7')
    })
  }

  it('passes early media on', async () => {
    const call = await placeCall(edge, carrier('udp').uri('+12025550109'))
    expect(call.asExpected, call.errors).to.equal(true)
    expect(
      call.messages.filter(({ method, status }) => method === 'INVITE' && status === 183),
    ).to.have.length(1)
  })

  it('answers 408 itself after 3 s of silence', async () => {
    const call = await placeCall(edge, carrier('udp').uri('+12025550108'))
    expect(call.status).to.equal(408)
    expect(call.elapsedMs).to.be.within(2500, 3600)
    expect(edge.log).to.include('no answer within 3 s from sip:+12025550108@')
  })

  for (const transport of ['tcp', 'tls']) {
    it(`answers 503 at once when the carrier refuses ${transport}`, async () => {
      const call = await placeCall(
        edge,
        `sip:+12025550100@127.0.0.1:${await freePort()};transport=${transport}`,
      )
      expect(call.status).to.equal(503)
      expect(call.elapsedMs).to.be.below(1000)
    })
  }

  it('relays a digest challenge and the answer to it', async () => {
    const strict = await Carrier.start({ scenario: 'carrier-digest' })
    try {
      const call = await placeCall(edge, strict.uri('+12025550100'), {
        username: 'alice',
        password: 'wonderland',
      })
      expect(call.asExpected, call.errors).to.equal(true)
      const challenge = call.messages.find(({ status }) => status === 407)
      expect(challenge && headers(challenge, 'Proxy-Authenticate')).to.have.length(1)
      const [answer] = await strict.waitFor('authorised INVITE', (message) =>
        Boolean(header(message, 'Proxy-Authorization')),
      )
      const authorization = answer ? (header(answer, 'Proxy-Authorization') ?? '') : ''
      expect(digestIsRight(authorization, 'INVITE', 'wonderland')).to.equal(true)
      expect(digestIsRight(authorization, 'INVITE', 'wrong')).to.equal(false)
    } finally {
      await strict.stop()
    }
  })

  it('shows carriers nothing of ours, and keeps what they need', async () => {
    await placeCall(edge, carrier('udp').uri('+12025550100'))
    const received = (await carrier('udp').messages()).filter(({ direction }) => direction === 'received')
    for (const message of received) expect(message.text).not.to.match(/^X-(Jackfield|Edge)/im)
    const invite = received.filter(({ method, status }) => method === 'INVITE' && status === 0).at(-1)
    expect(invite && header(invite, 'P-Asserted-Identity')).to.equal('<sip:+12025550000@sip.localhost>')
    expect(invite && header(invite, 'Route')).to.equal(undefined)
    // one Record-Route for each side, the carrier's first
    expect(invite && headers(invite, 'Record-Route').join(',').split(',')).to.have.length(2)
  })

  it('takes 50 calls at once', async () => {
    const call = await placeCall(edge, carrier('udp').uri('+12025550100'), { calls: 50, holdMs: 1000 })
    expect(call.asExpected, call.errors).to.equal(true)
    expect(call.messages.filter(({ method, status }) => method === 'BYE' && status === 200)).to.have.length(
      50,
    )
  })

  it('refuses a loop to itself', async () => {
    const { sipHost, sipPort } = edge.options
    const call = await placeCall(edge, `sip:+12025550100@${sipHost}:${sipPort}`)
    expect(call.status).to.equal(482)
  })
})
