/** What a carrier sends, and what an app says in a call: neither the switch nor the server minds, and calls go on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { TestClient } from '../sandbox/event-socket-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { SilentApp, SilentClient } from '../support/silent-app.js'
import { type SipLink, openLink } from '../support/sip-link.js'
import { header } from '../support/sip-message.js'
import { TeamBench } from '../support/team-bench.js'
import { bytes, fuzz, fuzzTimeoutMs, line, mutated, text } from './fuzzing.js'

/** A call is decided, answered and hung up within this; what is not understood has no answer. */
const answerMs = 250

const token = () => Math.random().toString(36).slice(2)

const sdp = [
  ...[
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    'm=audio 4000 RTP/AVP 0 8 96 101',
  ],
  ...[
    'a=rtpmap:96 opus/48000/2',
    'a=fmtp:96 useinbandfec=1;maxplaybackrate=16000',
    'a=rtpmap:101 telephone-event/8000',
  ],
  ...[
    'a=fmtp:101 0-16',
    'a=ptime:20',
    'a=sendrecv',
    'a=rtcp:4001',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:0123456789abcdef012345',
  ],
  ...[
    'a=candidate:1 1 UDP 2130706431 127.0.0.1 4000 typ host',
    'a=setup:actpass',
    'a=fingerprint:sha-256 00:11',
    'a=rtcp-mux',
  ],
  ...[
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz',
    'm=video 4002 RTP/AVP 97',
  ],
  ...['a=rtpmap:97 VP8/90000', ''],
].join('\r\n')

describe('calls from those who may call, on the freeswitch', function () {
  this.timeout(fuzzTimeoutMs)
  let bench: TeamBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000' } })
  })
  afterEach(async () => {
    const { appliance } = bench.inbound.bench
    expect(appliance.log, 'the link to the switch').not.to.include('switch lost')
    const { port, password } = appliance.freeswitch!
    const client = await TestClient.open(port, password, '')
    expect(await client.api('status')).to.include('UP')
    client.socket.destroy()
    await bench.inbound.runs([{ id: 'play', type: 'tts', params: { text: 'Hello' } }])
    const dialog = await bench.inbound.answeredCall(await bench.inbound.caller())
    expect(await dialog.over()).to.equal('BYE')
  })
  after(async () => bench?.stop())

  it('come with odd descriptions of their media and odd headers', async () => {
    await bench.inbound.runs([{ id: 'play', type: 'tts', params: { text: 'Hi' } }])
    const link = await openLink(bench.inbound.bench.appliance.kamailio!.options, 'udp')
    const answered: string[] = []
    link.onMessage((message) => {
      const [, status] = /^SIP\/2\.0 (\d+)/.exec(message) ?? []
      if (Number(status) >= 200) end(link, message)
      if (status === '200' && / INVITE$/.test(header({ text: message }, 'CSeq') ?? '')) answered.push(message)
      if (message.startsWith('BYE ')) link.send(replyTo(message))
    })
    const extras = fc.array(
      fc.oneof(
        fc.tuple(line, line).map((pair) => pair.join(': ')),
        fc
          .tuple(
            fc.constantFrom('P-Asserted-Identity', 'Diversion', 'Remote-Party-ID', 'Subject', 'X-Call'),
            line,
          )
          .map(([name, value]) => `${name}: "${value}" <sip:${value}@x>`),
      ),
      { maxLength: 3 },
    )
    const offer = fc.oneof(mutated(fc.constant(sdp)), line, fc.constant(sdp))
    await fuzz(fc.record({ offer, extras, name: line }), async ({ offer: body, extras: more, name }) => {
      link.send(invite(bench.inbound.number, link, body, name, more))
      await sleep(answerMs)
    })
    link.close()
    expect(answered.length, 'calls that were answered').to.be.greaterThan(0)
  })

  it('are in an app that says anything on its socket', async () => {
    const ben = await SilentApp.of(bench.phones.api, await bench.phones.agent('ben'))
    await bench.leadsTo('connect_agent', { agent_id: ben.agent.id })
    const caller = await bench.call()
    const ring = await ben.rung()
    const seat = await SilentClient.take(ring)
    await seat.answer()
    expect(await caller.answered()).to.equal(200)
    const said = fc.oneof(
      fc
        .record({
          event: fc.constantFrom(
            'call.answer',
            'call.mute',
            'call.dtmf',
            'call.ice_candidate',
            'call.camera',
            'x',
            '__proto__',
          ),
          data: fc.oneof(
            fc.jsonValue({ maxDepth: 3 }),
            fc.dictionary(fc.constantFrom('sdp', 'muted', 'digits', 'on'), text),
          ),
        })
        .map((frame) => JSON.stringify(frame)),
      mutated(fc.constant('{"event":"call.mute","data":{"muted":true}}')),
      text,
      bytes,
    )
    const { host, port, pathname } = new URL(ring.ws_url as string)
    await fuzz(said, async (frame) => {
      // In the call, and from strangers who know its address.
      seat.raw(frame)
      const stranger = new WebSocket(`ws://127.0.0.1:${port}${pathname}`, { headers: { host } })
      stranger.on('error', () => undefined).once('open', () => stranger.send(frame))
      await sleep(10)
      stranger.terminate()
    })
    await caller.hangUp()
    ben.close()
  })
})

function invite(
  number: string,
  link: SipLink,
  body: string,
  name: string,
  extras: readonly string[],
): string {
  return [
    `INVITE sip:${number}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP ${link.host}:${link.port};rport;branch=z9hG4bK${token()}`,
    `From: "${name.replaceAll('"', "'")}" <sip:+12125550123@carrier.test>;tag=${token()}`,
    `To: <sip:${number}@127.0.0.1>`,
    `Call-ID: ${token()}`,
    'CSeq: 1 INVITE',
    `Contact: <sip:carrier@${link.host}:${link.port}>`,
    'Max-Forwards: 70',
    ...extras,
    'Content-Type: application/sdp',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Acknowledges an answer, and hangs up where it is one to a call. */
function end(link: SipLink, answer: string): void {
  if (!/ INVITE$/.test(header({ text: answer }, 'CSeq') ?? '')) return
  const to = /<([^>]+)>/.exec(header({ text: answer }, 'Contact') ?? '')?.[1] ?? 'sip:x@127.0.0.1'
  for (const [cseq, method] of ['ACK', 'BYE'].entries()) {
    const lines = [
      `${method} ${to} SIP/2.0`,
      `Via: SIP/2.0/UDP ${link.host}:${link.port};rport;branch=z9hG4bK${token()}`,
      ...answer
        .split('\r\n')
        .filter((one) => one.startsWith('Record-Route:'))
        .map((one) => one.replace('Record-Route', 'Route')),
      ...['From', 'To', 'Call-ID'].map((name) => `${name}: ${header({ text: answer }, name) ?? ''}`),
      ...[`CSeq: ${cseq + 1} ${method}`, 'Max-Forwards: 70', 'Content-Length: 0', '', ''],
    ]
    link.send(lines.join('\r\n'))
  }
}

function replyTo(request: string): string {
  const kept = request.split('\r\n').filter((one) => /^(Via|From|To|Call-ID|CSeq):/i.test(one))
  return ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n')
}
