/** Where descriptions of media lead the switch's RTP: as the switch hears them from phones and carriers. */
import { expect } from 'chai'
import { SipDialog } from '../support/sip-dialog.js'
import { header } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { TrunkWorld } from './trunks.js'

const carrierHost = '127.0.0.81'
const sdpType = 'Content-Type: application/sdp'

/** A description; the lines of its stream follow its port. */
function sdp(connection: string, { port = '20000', more = [] as string[], end = '\r\n' } = {}): string {
  return [
    ...['v=0', 'o=x 1 1 IN IP4 127.0.0.9', 's=-', connection, 't=0 0', `m=audio ${port} RTP/AVP 0 101`],
    ...[...more, 'a=rtpmap:0 PCMU/8000', ''],
  ].join(end)
}
const linesOf = (text: string): string[] => text.split('\r\n\r\n').slice(1).join('\r\n\r\n').split(/\r?\n/)
const mediaOf = (text: string): string[] =>
  linesOf(text).filter((line) => /^(c=|m=|a=(rtcp|cand|inactive|send|recv|remote))/.test(line))

describe('edge: where media leads', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone
  before(async () => {
    trunk = await TrunkWorld.start({ mediaNetworks: '127.0.0.64/27,10.20.0.0/16' }, { carrierHost })
  })
  beforeEach(async () => {
    carrier = await trunk.open()
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  /** What the switch hears of the media that a carrier describes in its INVITE. */
  const told = async (body: string, extra = [sdpType]): Promise<string[]> => {
    expect(await trunk.status(carrier, undefined, { extra, body }), body).to.equal(200)
    const { text } = trunk.arrived()
    expect(Number(header({ text }, 'Content-Length'))).to.equal(
      text.split('\r\n\r\n').slice(1).join('\r\n\r\n').length,
    )
    return mediaOf(text)
  }
  const audio = 'm=audio 20000 RTP/AVP 0 101'
  const own = `c=IN IP4 ${carrierHost}`

  it('stays where it is an address of the internet, of the sender, or of a network that both are in', async () => {
    for (const connection of [
      'c=IN IP4 8.8.8.8',
      own,
      'c=IN IP4 127.0.0.94',
      'c=IN IP4 10.20.3.4',
      'c=IN IP6 2a00:1450::5',
    ])
      expect(await told(sdp(connection))).to.deep.equal([connection, audio])
  })

  for (const address of [
    ...[
      '127.0.0.9',
      '127.0.0.1',
      '10.0.0.1',
      '10.21.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '172.31.255.255',
      '169.254.169.254',
    ],
    ...[
      '100.64.0.1',
      '0.1.2.3',
      '224.0.0.1',
      '239.1.1.1/127',
      '240.0.0.1',
      '255.255.255.255',
      '198.18.0.1',
      '192.0.2.1',
    ],
    ...[
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '012.1.1.1',
      '8.8.8.08',
      'localhost',
      'metadata.internal',
    ],
    ...['8.8.8.8.', '8.8.8.8 x', ' 127.0.0.9', '8.8.8.8/1/2', '256.1.1.1', ''],
  ]) {
    it(`is with the sender where it is ${JSON.stringify(address)}`, async () => {
      expect(await told(sdp(`c=IN IP4 ${address}`))).to.deep.equal([own, audio])
      expect(await told(sdp('c=IN IP4 8.8.8.8', { more: [`c=IN IP4 ${address}`] }))).to.deep.equal([
        ...['c=IN IP4 8.8.8.8', audio, own],
      ])
    })
  }

  for (const address of [
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001:0:1::1',
    '::127.0.0.1',
    'fec0::1',
  ])
    it(`is with the sender where it is ${address}`, async () => {
      const heard = await told(sdp(`c=IN IP6 ${address}`))
      expect(heard.filter((line) => line !== 'a=inactive')).to.deep.equal([own, audio])
    })

  it('is odd in no spelling that the switch would read otherwise', async () => {
    for (const connection of [
      'C=IN IP4 127.0.0.9',
      'c= IN IP4 127.0.0.9',
      'c=in ip4 127.0.0.9',
      'c=IN\tIP4\t127.0.0.9',
      'c=IN IP4  127.0.0.9',
    ])
      expect(await told(sdp(connection)), connection).to.deep.equal([own, audio])
    for (const end of ['\n', '\r\n'])
      expect(await told(sdp('c=IN IP4 127.0.0.9', { end }))).to.deep.equal([own, audio])
    const hidden = sdp('s=x\rc=IN IP4 127.0.0.9')
    expect(await trunk.status(carrier, undefined, { extra: [sdpType], body: hidden })).to.equal(488)
    // The switch takes a body without a type for one of this type.
    expect(await told(sdp('c=IN IP4 127.0.0.9'), [])).to.deep.equal([own, audio])
    expect(await told(sdp('c=IN IP4 127.0.0.9'), ['c: application/sdp'])).to.deep.equal([own, audio])
    const parts = [
      '--x',
      sdpType,
      '',
      sdp('c=IN IP4 127.0.0.9'),
      '--x',
      'Content-Type: text/plain',
      '',
      'c=x',
      '--x--',
      '',
    ]
    const heard = await told(parts.join('\r\n'), ['Content-Type: multipart/mixed;boundary=x'])
    expect(heard.slice(0, 2)).to.deep.equal([own, audio])
  })

  it('is held, where its address is none', async () => {
    expect(await told(sdp('c=IN IP4 0.0.0.0', { more: ['a=sendrecv'] }))).to.deep.equal([
      own,
      audio,
      'a=inactive',
    ])
    const own2 = await told(sdp('c=IN IP4 8.8.8.8', { more: ['c=IN IP4 0.0.0.0', 'a=sendonly'] }))
    expect(own2).to.deep.equal(['c=IN IP4 8.8.8.8', audio, own, 'a=inactive'])
  })

  it('has no port below 1024, nor one of another spelling', async () => {
    for (const port of [
      '1',
      '514',
      '1023',
      '00514',
      '+514',
      ' 514',
      '0x202',
      '514/2',
      '65535',
      '70000',
      '20000a',
      '',
    ])
      expect(
        await trunk.status(carrier, undefined, { extra: [sdpType], body: sdp(own, { port }) }),
        port,
      ).to.equal(488)
    for (const port of ['0', '1024', '65534', '20000/2'])
      expect(await told(sdp(own, { port }))).to.deep.equal([own, `m=audio ${port} RTP/AVP 0 101`])
    expect(trunk.fabric.requests.filter((text) => text.startsWith('INVITE '))).to.have.length(4)
  })

  it('has RTCP and candidates that lead nowhere else', async () => {
    const heard = await told(
      sdp(own, {
        more: [
          'a=rtcp:20001 IN IP4 127.0.0.9',
          'a=rtcp:514',
          'a=rtcp:514 IN IP4 8.8.8.8',
          'a=rtcp : 514',
          'a=rtcp:20003',
          'a=rtcp:20005 IN IP4 8.8.8.8',
          'a=candidate:1 1 UDP 2130706431 192.168.1.2 8998 typ host',
          'a=candidate:2 1 udp 2130706431 8.8.8.8 8999 typ srflx raddr 192.168.1.2 rport 8998',
          'a=candidate:3 1 udp 2130706431 f8b1c5d7-a.local 8997 typ host generation 0',
          'a=candidate:4 1 udp 2130706431 8.8.8.8 514 typ host',
          'a=candidate:5 1 udp',
          'a=remote-candidates:1 127.0.0.9 20000',
        ],
      }),
    )
    expect(heard).to.deep.equal([
      ...[own, audio, 'a=rtcp:20001', 'a=rtcp:20003', 'a=rtcp:20005 IN IP4 8.8.8.8'],
      `a=candidate:1 1 UDP 2130706431 ${carrierHost} 8998 typ host`,
      'a=candidate:2 1 udp 2130706431 8.8.8.8 8999 typ srflx raddr 192.168.1.2 rport 8998',
      `a=candidate:3 1 udp 2130706431 ${carrierHost} 8997 typ host generation 0`,
    ])
  })

  it('is a description of some length, in little time', async () => {
    const more = (count: number) => Array.from({ length: count }, () => 'c=IN IP4 127.0.0.9')
    const began = Date.now()
    expect(await told(sdp(own, { more: more(700) }))).to.have.length(702)
    expect(Date.now() - began).to.be.below(500)
    const body = sdp(own, { more: more(1_000) })
    expect(await trunk.status(carrier, undefined, { extra: [sdpType], body })).to.equal(488)
  })

  it('is so within a call, and in a phone’s answers', async () => {
    const phone = await SipPhone.open(trunk.world.edge.options, await trunk.world.account())
    try {
      expect((await phone.register()).status).to.equal(200)
      const from = `c=IN IP4 ${phone.link.host}`
      const uri = `sip:100@${phone.options.domain}`
      const offer = sdp('c=IN IP4 127.0.0.9')
      const answer = await phone.authorised('INVITE', uri, { to: uri, extra: [sdpType], body: offer })
      expect(answer.status).to.equal(200)
      expect(mediaOf(trunk.arrived().text)).to.deep.equal([from, audio])
      const dialog = SipDialog.calling(phone, answer)
      for (const method of ['INVITE', 'UPDATE', 'PRACK', 'INFO']) {
        expect((await dialog.request(method, [sdpType], offer)).status).to.equal(200)
        const came = trunk.fabric.requests.findLast((text) => text.startsWith(`${method} `))!
        expect(mediaOf(came), method).to.deep.equal([from, audio])
        expect((await dialog.request(method, [sdpType], sdp(from, { port: '514' }))).status).to.equal(488)
      }
      const heard: string[] = []
      trunk.fabric.link.onMessage((text) => heard.push(text))
      phone.answerTo = (request) => {
        if (!request.startsWith('INVITE '))
          return request.startsWith('ACK ') ? undefined : phone.reply(request, 200, 'OK')
        setTimeout(
          () =>
            phone.link.send(
              phone.reply(request, 200, 'OK', { extra: [sdpType], body: sdp(from, { port: '514' }) }),
            ),
          100,
        )
        return phone.reply(request, 183, 'Session Progress', { extra: [sdpType], body: offer })
      }
      const { privateHost, privatePort } = trunk.world.edge.options
      const rung = await trunk.fabric.request('INVITE', phone.aor, {
        to: phone.aor,
        extra: [`Route: <sip:${privateHost}:${privatePort};lr>`, 'X-Edge-Destination: account'],
      })
      expect(rung.status).to.equal(200)
      expect(mediaOf(rung.text)).to.deep.equal([from, 'm=audio 0 RTP/AVP 0'])
      const early = heard.find((text) => text.startsWith('SIP/2.0 183'))!
      expect(mediaOf(early)).to.deep.equal([from, audio])
    } finally {
      phone.close()
    }
  })
})
