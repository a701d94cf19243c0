/** What leaves for carriers names the address that others reach, and no feature that is refused. */
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { header } from '../support/sip-message.js'

/** Waits for keys until the carrier hangs up. */
const ivr = { action: 'ivr', params: { timeout: 20, webhook_url: 'https://customer.test/' } }
const outside = '203.0.113.10'

describe('addresses that carriers see on the freeswitch', function () {
  this.timeout(60_000)
  let bench: CallBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await CallBench.start('freeswitch', {
      edge: { sipHost: outside, listenHost: '127.0.0.1' },
      settings: { JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS: '127.0.0.0/8' },
    })
  })
  after(async () => bench?.stop())

  it('are the edge’s in From, P-Asserted-Identity and Contact, and the carrier’s BYE comes back', async () => {
    const record = await bench.ended(await bench.call('+12025550106', [ivr]))
    const received = (await bench.carrier!.messages()).filter(({ direction }) => direction === 'received')
    expect(record.status).to.equal('completed')
    expect(received.filter(({ status }) => status === 0).map(({ method }) => method)).not.to.include('BYE')
    const invite = received.find(({ method, status }) => method === 'INVITE' && status === 0)!
    expect(header(invite, 'From')).to.include(`@${outside}>`)
    expect(header(invite, 'P-Asserted-Identity')).to.include(`@${outside}>`)
    for (const { text } of received) {
      expect(text).not.to.match(/^Contact:(?!.*@203\.0\.113\.10:)/im)
      expect(text).not.to.match(/replaces|^Allow-Events|sip\.localhost/im)
    }
  })
})
