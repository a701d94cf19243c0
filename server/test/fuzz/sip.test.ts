/** What comes over SIP from anywhere: Kamailio lives, and phones register as before. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { EdgeWorld } from '../edge/accounts.js'
import { openLink, transports } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { fuzz, fuzzTimeoutMs, line, mutated } from './fuzzing.js'

const domain = 'acme.sip.localhost'
const token = () => Math.random().toString(36).slice(2)

describe('SIP from strangers', function () {
  this.timeout(fuzzTimeoutMs)
  let world: EdgeWorld
  /** Each sends from its own address, as it is banned soon. */
  let sources = 0

  before(async () => {
    world = await EdgeWorld.start({ workers: 2 })
  })
  after(async () => world?.stop())

  const method = fc.constantFrom(
    ...[
      'REGISTER',
      'INVITE',
      'OPTIONS',
      'BYE',
      'CANCEL',
      'ACK',
      'SUBSCRIBE',
      'NOTIFY',
      'REFER',
      'MESSAGE',
      'PUBLISH',
    ],
    ...['UPDATE', 'PRACK', 'INFO', 'X'],
  )
  const extra = fc.oneof(
    fc.constantFrom(
      ...['Expires: 4294967296', 'Expires: -1', 'Contact: *', 'Contact: <sip:x@[::1]:99999;transport=x>'],
      ...[
        'Route: <sip:127.0.0.1;lr>',
        'Record-Route: <sip:a@b;lr>',
        'Path: <sip:x;lr;ob>',
        'Require: 100rel,x',
      ],
      ...[
        'Max-Forwards: 0',
        'Max-Forwards: 300',
        'Content-Type: application/sdp',
        'Replaces: a;to-tag=b;from-tag=c',
      ],
      ...['Identity: eyJ.e30.x;info=<http://x>;alg=ES256', 'Authorization: Digest username="a", realm="b"'],
      ...[
        'Via: SIP/2.0/UDP 0.0.0.0;branch=z9hG4bK',
        'Session-Expires: 0',
        'Referred-By: <sip:x>',
        'Event: reg',
      ],
    ),
    fc.tuple(line, line).map((pair) => pair.join(': ')),
  )
  const body = fc.constantFrom(
    '',
    'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n',
  )
  const message = fc
    .record({ method, user: line, extras: fc.array(extra, { maxLength: 5 }), body })
    .map(({ method: verb, user, extras, body: content }) =>
      [
        `${verb} sip:${user}@${domain} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:5060;rport;branch=z9hG4bK${token()}`,
        `From: <sip:${user}@${domain}>;tag=${token()}`,
        `To: <sip:${user}@${domain}>`,
        `Call-ID: ${token()}`,
        `CSeq: 1 ${verb}`,
        'Contact: <sip:x@127.0.0.1:5060>',
        'Max-Forwards: 70',
        ...extras,
        `Content-Length: ${content.length}`,
        '',
        content,
      ].join('\r\n'),
    )
  const sent = fc.record({
    messages: fc.array(fc.oneof({ weight: 4, arbitrary: mutated(message) }, line), {
      minLength: 1,
      maxLength: 8,
    }),
    transport: fc.constantFrom(...transports),
  })

  it('leaves Kamailio alive, and phones register as before', async () => {
    const account = await world.account()
    let rounds = 0
    await fuzz(sent, async ({ messages, transport }) => {
      const link = await openLink(world.edge.options, transport, sourceOf(++sources)).catch(() => undefined)
      for (const one of messages) link?.send(one)
      await sleep(2) // on a stream a reset would take away what is not read yet
      link?.close()
      expect(world.edge.obituary).to.equal(undefined)
      if (++rounds % 50 === 0) await registers(account)
    })
    await registers(account)
    expect(world.edge.log).not.to.match(/CRITICAL|BUG|qm_free|pkg_free/)
  })

  async function registers(account: Awaited<ReturnType<EdgeWorld['account']>>): Promise<void> {
    const phone = await SipPhone.open(world.edge.options, { ...account, transport: 'tcp' })
    const { status } = await phone.register()
    phone.link.close()
    expect(status).to.equal(200)
  }
})

const sourceOf = (count: number) =>
  `127.${10 + (count % 200)}.${Math.floor(count / 200) % 250}.${1 + (count % 250)}`
