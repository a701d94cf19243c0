/** Two edges that share a database: a phone at one of them is called through the other. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { freePorts } from '../support/free-ports.js'
import { answerChallenge } from '../support/sip-digest.js'
import { SipDialog } from '../support/sip-dialog.js'
import type { Transport } from '../support/sip-link.js'
import { type Answer, SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'
import { ask, sipRequest } from './calls.js'
import { type Cell, newCell } from './cells.js'

describe('edge: two edges', function () {
  this.timeout(40_000)
  let a: EdgeWorld
  let b: EdgeWorld
  /** A switch that both know, and that calls through B. */
  let cell: Cell
  const phones: SipPhone[] = []

  before(async () => {
    const [atA = 0, atB = 0] = await freePorts(2)
    const ofA = { privateHost: '127.0.0.51', privatePort: atA, switchHost: '' }
    const ofB = { privateHost: '127.0.0.52', privatePort: atB, switchHost: '' }
    a = await EdgeWorld.start({ ...ofA, otherEdges: [`${ofB.privateHost}:${atB}`] })
    const { database } = a.edge.options
    b = await EdgeWorld.start({ ...ofB, otherEdges: [`${ofA.privateHost}:${atA}`], database })
    cell = await newCell(b, 'one', '127.0.0.91')
    await eventually(
      async () => Promise.all([status(a, '127.0.0.91'), status(b, '127.0.0.91')]),
      (statuses) => statuses.join() === '480,480',
      { what: 'the switch known to both edges' },
    )
  })
  afterEach(() => {
    for (const phone of phones.splice(0)) phone.close()
    cell.fabric.requests.length = 0
  })
  after(async () => {
    cell.die()
    await b?.stop()
    await a?.stop()
  })

  /** What an edge's private listener answers to a call for nobody. */
  const status = async ({ edge }: EdgeWorld, from: string, extra = ['X-Edge-Destination: account']) => {
    const { privateHost, privatePort } = edge.options
    const text = sipRequest('INVITE', 'sip:nobody@acme.sip.localhost', from, { extra })
    return (await ask(text, { host: privateHost, port: privatePort }, from))?.split(' ')[1]
  }
  const registered = async ({ edge }: EdgeWorld, account: Account, transport: Transport = 'udp') => {
    const phone = await SipPhone.open(edge.options, { ...account, transport })
    phones.push(phone)
    expect((await phone.register()).status).to.equal(200)
    return phone
  }
  const ring = async ({ username, domain }: Account, extra: readonly string[] = []): Promise<Answer> => {
    const uri = `sip:${username}@${domain}`
    return cell.fabric.request('INVITE', uri, { to: uri, extra: ['X-Edge-Destination: account', ...extra] })
  }
  const methods = ({ requests }: SipPhone) => requests.map((text) => text.split(' ', 1)[0] ?? '')

  for (const transport of ['udp', 'tcp', 'tls', 'ws'] as const) {
    it(`ring a phone over ${transport} that is registered at the other one`, async () => {
      const account = await a.account()
      const phone = await registered(a, account, transport)
      const answer = await ring(account)
      expect(answer.status, answer.text).to.equal(200)
      const [invite = ''] = phone.requests
      expect(invite).to.match(new RegExp(`^INVITE sip:`))
      expect(invite).not.to.match(/^X-|;edge=/im)

      // From here on it goes between the switch and the phone's edge: the other one may go.
      expect(answer.text).not.to.include(`${b.edge.options.privateHost}:`)
      const toA = await SipPhone.asSwitch({ ...a.edge.options, switchHost: '127.0.0.91', switchPort: 0 })
      phones.push(toA)
      const calling = SipDialog.calling(toA, answer)
      await calling.acknowledge()
      await eventually(
        async () => methods(phone).join(),
        (seen) => seen === 'INVITE,ACK',
        { what: 'the ACK' },
      )
      expect((await calling.request('INVITE')).status).to.equal(200)
      expect((await SipDialog.called(phone, invite).request('BYE')).status).to.equal(200)
      expect(cell.heard()).to.deep.equal(['BYE'])
    })
  }

  it('ring all phones of an account, wherever they are, and only those of the class that is asked for', async () => {
    const account = await a.account()
    const desk = await registered(b, account, 'tcp')
    const browser = await registered(a, account, 'ws')
    for (const phone of [desk, browser])
      phone.answerTo = (request) =>
        request.startsWith('INVITE ') ? phone.reply(request, 486, 'Busy Here') : undefined
    expect((await ring(account)).status).to.equal(486)
    // The edge sends the ACK of a refusal to each phone, which must not count with what comes next.
    await eventually(
      async () => [desk, browser].map((phone) => methods(phone).join()),
      (seen) => seen.every((one) => one === 'INVITE,ACK'),
      { what: 'the INVITE and its ACK at both phones' },
    )
    desk.requests.length = 0
    browser.requests.length = 0
    expect((await ring(account, ['X-Edge-Class: webrtc'])).status).to.equal(486)
    expect([desk, browser].map((phone) => methods(phone)[0])).to.deep.equal([undefined, 'INVITE'])
  })

  it('take no way that a phone names in its Contact', async () => {
    const [account, victim] = [await a.account(), await a.account('reception')]
    const reception = await registered(a, victim)
    const { privateHost, privatePort } = a.edge.options
    const contact = `sip:${victim.username}@${victim.domain};edge=${privateHost}:${privatePort}`
    const phone = await SipPhone.open(b.edge.options, account)
    phones.push(phone)
    const extra = [`Contact: <${contact}>`]
    expect((await phone.authorised('REGISTER', `sip:${account.domain}`, { extra })).status).to.equal(200)
    expect((await ring(account)).status).to.equal(200)
    expect(phone.requests[0]).to.include(`INVITE ${contact} SIP/2.0`)
    expect(reception.requests).to.deep.equal([])
  })

  it('take no digest that answers the other one', async () => {
    const account = await a.account()
    const [atA, atB] = [
      await SipPhone.open(a.edge.options, account),
      await SipPhone.open(b.edge.options, account),
    ]
    phones.push(atA, atB)
    const uri = `sip:${account.domain}`
    const challenge = atA.challengeOf(await atA.request('REGISTER', uri)) ?? ''
    const extra = [`Authorization: ${answerChallenge(challenge, account, { method: 'REGISTER', uri })}`]
    expect((await atB.request('REGISTER', uri, { extra })).status).to.equal(401)
    expect((await atA.request('REGISTER', uri, { extra })).status).to.equal(200)
  })

  it('know at once of a phone that has gone', async () => {
    const account = await a.account()
    const phone = await registered(a, account)
    expect((await ring(account)).status).to.equal(200)
    expect((await phone.register({ expires: 0 })).status).to.equal(200)
    expect((await ring(account)).status).to.equal(480)
  })

  it('keep what the other one has in memory and in the table when they start again', async () => {
    const account = await a.account()
    const phone = await registered(a, account, 'tcp')
    await b.edge.restart()
    await eventually(
      async () => status(b, '127.0.0.91'),
      (seen) => seen === '480',
    )
    expect((await ring(account)).status).to.equal(200)
    expect(methods(phone)).to.include('INVITE')
    const { username, domain } = account
    const inMemory = await b.edge.rpc('ul.lookup', ['location', `${username}@${domain}`]).catch(String)
    expect(inMemory).to.match(/not found/i)
  })

  it('take nothing from each other but calls for phones, and nothing from strangers', async () => {
    const [{ privateHost, privatePort }, host] = [a.edge.options, b.edge.options.privateHost]
    // B's address, but not its port
    expect(await status(a, host)).to.equal('403')
    expect(await status(a, '127.0.0.99')).to.equal('403')
    await b.edge.restart(async () => {
      const port = b.edge.options.privatePort
      const asB = await SipPhone.asSwitch({ ...a.edge.options, switchHost: host, switchPort: port })
      try {
        const uri = 'sip:nobody@acme.sip.localhost'
        const ofPhone = { extra: ['X-Edge-Destination: account'] }
        expect((await asB.request('INVITE', uri, ofPhone)).status).to.equal(480)
        expect((await asB.request('INVITE', 'sip:+12025550100@192.0.2.1;transport=udp')).status).to.equal(403)
        const within = `sip:x@${privateHost}:${privatePort}`
        expect((await asB.request('INFO', within, { to: `${uri}>;tag=x;x=<` })).status).to.equal(481)
      } finally {
        asB.close()
      }
    })
  })
})
