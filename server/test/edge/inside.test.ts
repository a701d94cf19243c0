/** Where the other end of a call says that it is: what it says leads to none of our own parts. */
import { expect } from 'chai'
import { SipDialog } from '../support/sip-dialog.js'
import type { Transport } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { type Inside, openInside } from './inside.js'
import { TrunkWorld } from './trunks.js'

const insideHost = '127.0.0.99'

describe('edge: requests within a call', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let inside: Inside

  before(async () => {
    trunk = await TrunkWorld.start()
    inside = await openInside(insideHost)
  })
  afterEach(() => {
    trunk.reset()
    inside.heard.length = 0
  })
  after(async () => {
    inside?.close()
    await trunk?.stop()
  })

  /** What a far end at an address says of itself, and what the switch hears of a BYE to it. */
  const sayings: [what: string, headers: (own: string) => string[], status: number][] = [
    ['its own address', (own) => [`Contact: <sip:x@${own}>`], 200],
    [
      'its own address as its route',
      (own) => [`Contact: <sip:x@${own}>`, `Record-Route: <sip:${own};lr>`],
      200,
    ],
    ['an address inside', () => [`Contact: <sip:x@${insideHost}:${inside.port}>`], 200],
    ['one inside, over TCP', () => [`Contact: <sip:x@${insideHost}:${inside.port};transport=tcp>`], 200],
    ['a name', () => [`Contact: <sip:x@localhost:${inside.port}>`], 200],
    ['an alias', (own) => [`Contact: <sip:x@${own};alias=${insideHost}~${inside.port}~1>`], 200],
    [
      'several aliases',
      (own) => {
        const alias = `alias=${insideHost}~${inside.port}~2`
        return [`Contact: <sip:x@${own};${alias};${alias};x=y;ALIAS=${insideHost}~${inside.port}~2>`]
      },
      200,
    ],
    [
      'an alias of a public address',
      () => [`Contact: <sip:x@8.8.8.8;alias=${insideHost}~${inside.port}~2>`],
      200,
    ],
    ['a maddr', () => [`Contact: <sip:x@8.8.8.8:${inside.port};maddr=${insideHost}>`], 403],
    [
      'headers in its URI',
      (own) => [`Contact: <sip:x@${own};alias=${insideHost}~${inside.port}~2?a=b>`],
      400,
    ],
    [
      'a route inside',
      (own) => [`Contact: <sip:x@${own}>`, `Record-Route: <sip:${insideHost}:${inside.port};lr>`],
      403,
    ],
    [
      'a route with a maddr',
      (own) => [
        `Contact: <sip:x@${own}>`,
        `Record-Route: <sip:8.8.8.8:${inside.port};maddr=${insideHost};lr>`,
      ],
      403,
    ],
  ]

  for (const [what, headers, status] of sayings) {
    for (const transport of ['udp', 'tcp'] as const)
      it(`reach a carrier that called over ${transport}, or nobody, when it names ${what}`, async () => {
        const carrier = await trunk.open(trunk.carrierHost, transport)
        const extra = headers(addressOf(carrier, transport))
        expect(await trunk.status(carrier, trunk.number.number, { extra })).to.equal(200)
        const { status: heard } = await SipDialog.called(trunk.fabric, trunk.arrived().text).request('BYE')
        expect(heard).to.equal(status)
        expect(carrier.requests.map((text) => text.slice(0, 4))).to.deep.equal(status === 200 ? ['BYE '] : [])
        expect(inside.heard).to.deep.equal([])
      })

    it(`reach one that was called, or nobody, when it names ${what}`, async () => {
      const carrier = await trunk.open()
      const own = addressOf(carrier, 'udp')
      carrier.answerTo = (request) => {
        const [contact = '', ...routes] = headers(own)
        const answer = carrier.reply(request, 200, 'OK').replace(/^Contact: .*$/m, contact)
        return routes.length > 0 ? answer.replace('Record-Route:', `${routes[0]}\r\nRecord-Route:`) : answer
      }
      const uri = `sip:x@${own};transport=udp`
      const answer = await trunk.fabric.request('INVITE', uri, { to: uri })
      expect(answer.status).to.equal(200)
      expect((await SipDialog.calling(trunk.fabric, answer).request('BYE')).status).to.equal(status)
      expect(carrier.requests.map((text) => text.slice(0, 4))).to.deep.equal(
        status === 200 ? ['INVI', 'BYE '] : ['INVI'],
      )
      expect(inside.heard).to.deep.equal([])
    })
  }

  it('need a Contact that fits, and an answer whose lines are plain', async () => {
    const carrier = await trunk.open()
    const own = addressOf(carrier, 'udp')
    const alias = `alias=${insideHost}~${inside.port}~1`
    for (const contact of [`<sip:${'x'.repeat(1_000)}@${own};${alias}>`, `<sip:@@;${alias}>`, '*'])
      expect(await trunk.status(carrier, undefined, { extra: [`Contact: ${contact}`] }), contact).to.equal(
        400,
      )
    const uri = `sip:x@${own};transport=udp`
    carrier.answerTo = (request) =>
      carrier.reply(request, 200, 'OK', { extra: [`Subject: x\rContact: <sip:x@${insideHost};${alias}>`] })
    const answer = await trunk.fabric.request('INVITE', uri, { to: uri }).catch(() => ({ status: 408 }))
    expect(answer.status).to.equal(408)
  })
})

function addressOf(end: SipPhone, transport: Transport): string {
  return `${end.link.host}:${end.link.port}${transport === 'udp' ? '' : `;transport=${transport}`}`
}
