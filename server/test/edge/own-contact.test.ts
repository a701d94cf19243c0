/** What carriers and phones are told of the switch: the edge's own address, which leads back to it by every way. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { SipDialog } from '../support/sip-dialog.js'
import { header, headers } from '../support/sip-message.js'
import { type Answer, SipPhone } from '../support/sip-phone.js'
import { TrunkWorld, saw } from './trunks.js'

const outside = '203.0.113.10'
const features = ['Supported: timer, replaces, path', 'Allow-Events: talk, hold, conference, refer']

/** How peers make a Route of the Record-Route that they were sent. */
const ways: Record<string, (target: string, routes: string[]) => { uri: string; routes: string[] }> = {
  'as they were told': (uri, routes) => ({ uri, routes }),
  'with no Route': (uri) => ({ uri, routes: [] }),
  'with the first Route alone': (uri, routes) => ({ uri, routes: routes.slice(0, 1) }),
  'with the last Route alone': (uri, routes) => ({ uri, routes: routes.slice(-1) }),
  'with the Routes in the wrong order': (uri, routes) => ({ uri, routes: [...routes].reverse() }),
  'as RFC 2543 routes': (uri, [first = '', ...rest]) => ({ uri: first, routes: [...rest, uri] }),
}

function base58(text: string): string {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let written = ''
  for (let rest = BigInt(`0x${Buffer.from(text).toString('hex')}`); rest > 0n; rest /= 58n)
    written = `${digits[Number(rest % 58n)]}${written}`
  return written
}

describe('edge: what the world is told of the switch', function () {
  this.timeout(30_000)
  let trunk: TrunkWorld
  let carrier: SipPhone

  before(async () => {
    trunk = await TrunkWorld.start({ sipHost: outside, listenHost: '127.0.0.1' })
  })
  beforeEach(async () => {
    carrier = await trunk.open()
    trunk.fabric.answerTo = (request) => trunk.fabric.reply(request, 200, 'OK', { extra: features })
  })
  afterEach(() => trunk.reset())
  after(async () => trunk?.stop())

  /** A call of the carrier that was answered. */
  async function called(end = carrier): Promise<{ end: SipPhone; answer: Answer; contact: string }> {
    const answer = await trunk.call(end)
    expect(answer.status).to.equal(200)
    return { end, answer, contact: contactOf(answer.text) }
  }

  /** Sends a request of the carrier within its call. */
  async function ask(
    answer: Answer,
    method: string,
    uri: string,
    routes: readonly string[],
  ): Promise<Answer> {
    const kept = ['From', 'To', 'Call-ID'].map((name) => `${name}: ${header(answer, name)}`)
    return carrier.transact(method, uri, [
      ...kept,
      ...routes.map((route) => `Route: <${route}>`),
      `CSeq: ${carrier.nextSequence()} ${method}`,
      `Contact: <${carrier.contact}>`,
      ...['Content-Length: 0', '', ''],
    ])
  }

  for (const transport of ['udp', 'tcp', 'tls'] as const)
    it(`names the listener of ${transport} in Contact, and no feature that we refuse`, async () => {
      const end = await trunk.open(trunk.carrierHost, transport)
      const { answer } = await called(end)
      end.answerTo = (request) => end.reply(request, 200, 'OK')
      const dialog = SipDialog.called(trunk.fabric, trunk.arrived().text)
      expect((await dialog.request('INVITE', features)).status).to.equal(200)
      const uri = end.contact
      const invite = { to: uri, extra: features }
      expect((await trunk.fabric.request('INVITE', uri, invite)).status).to.equal(200)
      const [again = '', other = ''] = end.requests.filter((text) => text.startsWith('INVITE '))
      const { sipPort, tlsPort } = trunk.world.edge.options
      const place = { udp: sipPort, tcp: `${sipPort};transport=tcp`, tls: `${tlsPort};transport=tls` }
      for (const text of [answer.text, ...end.requests]) {
        expect(text).not.to.match(/replaces|^Allow-Events/im)
        expect(contactOf(text).split('@')[1]).to.equal(`${outside}:${place[transport]}`)
      }
      for (const text of [answer.text, again, other])
        expect(header({ text }, 'Supported')).to.equal('timer, path')
      expect(contactOf(again)).to.equal(contactOf(answer.text))
    })

  for (const [how, way] of Object.entries(ways)) {
    it(`takes requests of a carrier that called, ${how}`, async () => {
      const { answer, contact } = await called()
      const { uri, routes } = way(contact, routesOf(answer.text).reverse())
      for (const method of ['ACK', 'INVITE', 'UPDATE', 'BYE']) {
        await ask(answer, method, uri, routes)
        // Of an ACK nothing comes back; another process of the edge may be faster with what follows it.
        if (method === 'ACK') await saw(trunk.fabric, ['INVITE', 'ACK'])
      }
      await saw(trunk.fabric, ['INVITE', 'ACK', 'INVITE', 'UPDATE', 'BYE'])
      expect(trunk.fabric.requests.join('')).not.to.match(/^Route:/im)
    })

    it(`takes requests of a carrier that was called, ${how}`, async () => {
      carrier.answerTo = (request) => carrier.reply(request, 200, 'OK')
      const own = carrier.contact
      expect((await trunk.fabric.request('INVITE', own, { to: own })).status).to.equal(200)
      const [invite = ''] = carrier.requests
      const { uri, routes } = way(contactOf(invite), routesOf(invite))
      const of = (name: string): string => header({ text: invite }, name) ?? ''
      const answer = { status: 200, text: '' }
      answer.text = [
        'SIP/2.0 200 OK',
        `From: ${of('To')};tag=${carrier.tag}`,
        `To: ${of('From')}`,
        `Call-ID: ${of('Call-ID')}`,
        '',
      ].join('\r\n')
      expect((await ask(answer, 'BYE', uri, routes)).status).to.equal(200)
      await saw(trunk.fabric, ['BYE'])
    })
  }

  it('takes them after a restart of the edge, with no Route', async () => {
    const { answer, contact } = await called()
    await trunk.world.edge.restart()
    expect((await ask(answer, 'BYE', contact, [])).status).to.equal(200)
  })

  it('takes them along a Contact that a former version wrote, in base 58', async () => {
    const { answer, contact } = await called()
    const { directory } = trunk.world.edge.options
    const file = await readFile(join(directory, 'roles', 'listeners.cfg'), 'utf8')
    const key = /define DIALOG_KEY "([^"]+)"/.exec(file)?.[1] ?? ''
    const inner = `c${base58(`127.0.0.1:${trunk.fabric.link.port}`)}`
    const keyed = `${key}${header(answer, 'Call-ID')}|${inner}`
    const mark = createHash('sha256').update(keyed).digest('hex').slice(0, 24)
    const former = `sip:${mark}-${inner}@${contact.split('@')[1]}`
    expect((await ask(answer, 'BYE', former, [])).status).to.equal(200)
    expect(trunk.fabric.requests.at(-1)).to.match(/^BYE /)
  })

  it('takes none along a Contact of another call, of another switch, or made up', async () => {
    const { answer, contact } = await called()
    const other = await called()
    const [user = '', host = ''] = contact.split('@')
    const [mark = '', inner = ''] = user.slice('sip:'.length).split('-')
    trunk.fabric.requests.length = 0
    for (const uri of [
      other.contact,
      `sip:${mark}-p${inner.slice(1)}@${host}`,
      `sip:${mark}-${inner.slice(0, -1)}@${host}`,
      `sip:${mark}-${inner}-@${host}`,
      `sip:${'0'.repeat(24)}-${inner}@${host}`,
      `sip:mod_sofia@127.0.0.1:${trunk.fabric.link.port}`,
    ])
      expect((await ask(answer, 'BYE', uri, [])).status, uri).to.equal(481)
    expect(trunk.fabric.requests).to.deep.equal([])
  })

  it('tells phones the same', async () => {
    const account = await trunk.world.account()
    const phone = await SipPhone.open(trunk.world.edge.options, { ...account, transport: 'tcp' })
    try {
      expect((await phone.register()).status).to.equal(200)
      const uri = `sip:${account.username}@${account.domain}`
      const extra = ['X-Edge-Destination: account', ...features]
      expect((await trunk.fabric.request('INVITE', uri, { to: uri, extra })).status).to.equal(200)
      const answer = await phone.authorised('INVITE', `sip:102@${account.domain}`)
      expect(answer.status).to.equal(200)
      for (const text of [phone.requests[0] ?? '', answer.text]) {
        expect(contactOf(text)).to.match(/^sip:[0-9a-f]{24}-p\w+@203\.0\.113\.10:\d+;transport=tcp$/)
        expect(text).not.to.match(/replaces|^Allow-Events/im)
      }
      const bye = await phone.transact('BYE', contactOf(answer.text), [
        ...['From', 'To', 'Call-ID'].map((name) => `${name}: ${header(answer, name)}`),
        ...['CSeq: 99 BYE', 'Content-Length: 0', '', ''],
      ])
      expect(bye.status).to.equal(200)
    } finally {
      phone.close()
    }
  })
})

describe('edge: what the world is told of the switch over IPv6', function () {
  this.timeout(30_000)

  it('names the address in brackets', async () => {
    const trunk = await TrunkWorld.start({ sipHost: '::1', privateHost: '127.0.0.2' }, { carrierHost: '::1' })
    try {
      const carrier = await trunk.open()
      const answer = await trunk.call(carrier)
      expect(contactOf(answer.text)).to.match(/^sip:[0-9a-f]{24}-c\w+@\[::1\]:\d+$/)
      expect((await SipDialog.calling(carrier, answer).request('BYE')).status).to.equal(200)
    } finally {
      await trunk.stop()
    }
  })
})

function contactOf(text: string): string {
  return /<([^>]+)>/.exec(header({ text }, 'Contact') ?? '')?.[1] ?? ''
}

function routesOf(text: string): string[] {
  return headers({ text }, 'Record-Route')
    .flatMap((value) => value.split(/,\s*/))
    .map((route) => /<([^>]+)>/.exec(route)?.[1] ?? '')
}
