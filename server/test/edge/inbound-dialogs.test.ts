import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import { header } from '../support/sip-message.js'
import type { SipPhone } from '../support/sip-phone.js'
import { TrunkWorld, saw } from './trunks.js'

describe('edge: calls from carriers, from the INVITE to their end', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  beforeEach(async () => {
    carrier = await trunk.open()
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  for (const transport of ['udp', 'tcp', 'tls'] as const) {
    it(`are carried over ${transport}, with both ends’ requests`, async () => {
      const end = await trunk.open(trunk.carrierHost, transport)
      const answer = await trunk.call(end, trunk.number.number)
      expect(answer.status).to.equal(200)
      const [ours, theirs] = [
        SipDialog.calling(end, answer),
        SipDialog.called(trunk.fabric, trunk.arrived().text),
      ]
      await ours.acknowledge()
      await saw(trunk.fabric, ['INVITE', 'ACK'])
      expect((await ours.request('INVITE')).status).to.equal(200)
      expect((await theirs.request('INVITE')).status).to.equal(200)
      await saw(end, ['INVITE', 'ACK'])
      expect((await theirs.request('BYE')).status).to.equal(200)
      await saw(end, ['INVITE', 'ACK', 'BYE'])
      expect(end.requests.join('')).not.to.match(/^X-(Edge|Jackfield|FS)-/im)
      await trunk.call(end, trunk.number.number).then(async (second) => {
        expect((await SipDialog.calling(end, second).request('BYE')).status).to.equal(200)
      })
      expect(trunk.fabric.requests.at(-1)).to.match(/^BYE /)
    })
  }

  it('reach a carrier behind NAT again where it called from', async () => {
    const contact = 'Contact: <sip:trunk@192.168.7.7:5099>'
    const answer = await trunk.call(carrier, trunk.number.number, { extra: [contact] })
    expect(answer.status).to.equal(200)
    expect((await SipDialog.called(trunk.fabric, trunk.arrived().text).request('BYE')).status).to.equal(200)
    await saw(carrier, ['BYE'])
  })

  it('are cancelled', async () => {
    const ringing: string[] = []
    trunk.fabric.answerTo = (request) => {
      if (request.startsWith('INVITE ')) {
        ringing.push(request)
        return trunk.fabric.reply(request, 180, 'Ringing')
      }
      const invite = ringing[0] ?? ''
      if (request.startsWith('CANCEL '))
        trunk.fabric.link.send(trunk.fabric.reply(invite, 487, 'Request Terminated'))
      return trunk.fabric.reply(request, 200, 'OK')
    }
    const heard: string[] = []
    carrier.link.onMessage((text) => heard.push(text))
    const called = trunk.call(carrier, trunk.number.number).catch(() => undefined)
    const [provisional = ''] = await eventually(
      async () => heard.filter((text) => text.startsWith('SIP/2.0 180')),
      ({ length }) => length > 0,
      { what: '180' },
    )
    const of = (name: string): string => `${name}: ${header({ text: provisional }, name) ?? ''}`
    const to = of('To').replace(/;tag=.*$/, '')
    // as RFC 3261, section 9.1 has it: the INVITE's Via without what was added to it on the way
    const via = of('Via')
      .replace(/;received=[^;]*/, '')
      .replace(/;rport=\d+/, ';rport')
    const cancel = [
      `CANCEL ${trunk.uriOf(trunk.number.number)} SIP/2.0`,
      via,
      'Max-Forwards: 70',
      of('From'),
      to,
      of('Call-ID'),
    ]
    const sequence = of('CSeq').replace('INVITE', 'CANCEL')
    carrier.link.send([...cancel, sequence, 'Content-Length: 0', '', ''].join('\r\n'))
    await eventually(
      async () => heard.map((text) => text.split('\r\n', 1)[0]),
      (lines) => lines.includes('SIP/2.0 487 Request Terminated'),
      { what: '487' },
    )
    await called
    expect(trunk.fabric.requests.map((text) => text.split(' ', 1)[0])).to.include.members([
      'INVITE',
      'CANCEL',
    ])
  })

  for (const refusal of [403, 480, 486, 503]) {
    it(`are refused with ${refusal} when the switch says so`, async () => {
      trunk.fabric.answerTo = (request) => trunk.fabric.reply(request, refusal, 'No')
      expect(await trunk.status(carrier, trunk.number.number)).to.equal(refusal)
    })
  }

  it('hear 503 when the switch says nothing', async () => {
    trunk.fabric.answerTo = () => undefined
    const to = trunk.uriOf(trunk.number.number)
    const lines = [`From: <${carrier.aor}>;tag=1`, `To: <${to}>`, 'Call-ID: silent@test', 'CSeq: 1 INVITE']
    const contact = `Contact: <${carrier.contact}>`
    const answer = await carrier.transact(
      'INVITE',
      to,
      [...lines, contact, 'Content-Length: 0', '', ''],
      8000,
    )
    expect(answer.status).to.equal(503)
    expect(header(answer, 'Retry-After')).to.match(/^\d+$/)
  })
})
