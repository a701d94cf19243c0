import { expect } from 'chai'
import { type Kamailio, startKamailio } from '../support/kamailio.js'
import { headers } from '../support/sip-message.js'
import { Carrier } from '../support/sipp.js'
import { placeCall } from './calls.js'

const outside = '203.0.113.10'

describe('edge: behind a router with 1:1 NAT', function () {
  this.timeout(30_000)
  let edge: Kamailio
  let carrier: Carrier

  before(async () => {
    edge = await startKamailio({ sipHost: outside, listenHost: '127.0.0.1' })
    carrier = await Carrier.start({ transport: 'udp' })
  })

  after(async () => {
    await carrier?.stop()
    const obituary = edge.obituary
    await edge?.stop()
    expect(obituary).to.equal(undefined)
  })

  it('tells carriers the router’s address, and knows it as its own when they come back', async () => {
    // the carrier hangs up: its BYE has the address in Route
    const call = await placeCall(edge, carrier.uri('+12025550106'), { holdMs: 5000 })
    expect(call.asExpected, call.errors).to.equal(true)
    expect(
      call.messages.some(({ method, direction }) => method === 'BYE' && direction === 'received'),
    ).to.equal(true)
    const [invite = { text: '' }] = await carrier.messages()
    const place = `${outside}:${edge.options.sipPort}`
    expect(headers(invite, 'Via')[0]).to.match(new RegExp(`^SIP/2.0/UDP ${place};`))
    expect(headers(invite, 'Record-Route')[0]).to.include(`<sip:${outside}`)
  })
})
