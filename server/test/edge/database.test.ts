/** An edge whose database does not answer: its packets are lost, so that who asks waits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createConnection } from 'mysql2/promise'
import { eventually } from '../support/api-client.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { type Mariadb, sharedMariadb } from '../support/mariadb.js'
import { header } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { Carrier } from '../support/sipp.js'
import { TcpCut } from '../support/tcp-cut.js'
import { type Account } from './accounts.js'
import { type PlacedCall, ask, placeCall, sipRequest } from './calls.js'
import { TrunkWorld, newNumber } from './trunks.js'

describe('edge: a database that does not answer', function () {
  this.timeout(60_000)
  let mariadb: Mariadb
  let way: TcpCut
  let trunk: TrunkWorld
  let account: Account
  let phone: SipPhone
  let second: SipPhone
  /** Of an account that the edge has not seen. */
  let stranger: SipPhone
  let gateway: Carrier

  before(async () => {
    mariadb = await sharedMariadb()
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    way = await TcpCut.to(mariadb.port)
    trunk = await TrunkWorld.start({ database: { ...databaseOfKamailio(mariadb, name), port: way.port } })
    account = await trunk.world.account()
    phone = await SipPhone.open(trunk.world.edge.options, account)
    second = await SipPhone.open(trunk.world.edge.options, account)
    stranger = await SipPhone.open(trunk.world.edge.options, await trunk.world.account())
    gateway = await Carrier.start({ transport: 'udp' })
  })
  after(async () => {
    for (const each of [phone, second, stranger]) each?.close()
    await gateway?.stop()
    await trunk?.stop()
    await way?.close()
  })

  const contactsInMemory = async (): Promise<string[]> => {
    const { username, domain } = account
    const found = await trunk.world.edge.rpc('ul.lookup', ['location', `${username}@${domain}`])
    return (found as { Contacts: { Contact: { Address: string } }[] }).Contacts.map(
      ({ Contact }) => Contact.Address,
    )
  }

  const log = () => trunk.world.edge.log

  /** Has the edge use what it keeps of numbers. */
  const confirmNumbers = async () => trunk.world.edge.rpc('htable.seti', ['confirmed', 'numbers', 1])

  /** How long the edge takes to answer what needs no database, in ms; 5,000 where it does not answer at all. */
  async function answerMs(): Promise<number> {
    const { sipHost, sipPort } = trunk.world.edge.options
    const [begun, from] = [performance.now(), '127.0.0.90']
    const text = sipRequest('OPTIONS', `sip:${sipHost}`, from)
    await ask(text, { host: sipHost, port: sipPort }, from, 5_000)
    return performance.now() - begun
  }

  it('keeps nothing waiting but registrations while nothing can be written', async () => {
    const { host, port, user, password } = mariadb
    const { name: database } = trunk.world.edge.options.database
    const phones = await Promise.all(
      Array.from({ length: 6 }, async () =>
        SipPhone.open(trunk.world.edge.options, await trunk.world.account()),
      ),
    )
    const lock = await createConnection({ host, port, user, password, database })
    try {
      await lock.query('LOCK TABLES location READ')
      const registrations = phones.map(async (each) => each.register().catch(() => undefined))
      await sleep(500)
      expect(await answerMs()).to.be.below(1_500)
      await lock.query('UNLOCK TABLES')
      await Promise.all(registrations)
      for (const each of phones) {
        await eventually(
          async () => (await each.register()).status,
          (status) => status === 200,
          { what: 'a registration', withinMs: 10_000 },
        )
      }
    } finally {
      await lock.end()
      for (const each of phones) each.close()
    }
  })

  it('keeps nothing waiting that needs none', async () => {
    expect((await phone.register()).status).to.equal(200)
    const carrier = await trunk.open()
    expect((await trunk.call(carrier)).status).to.equal(200)
    const known = await newNumber(trunk.world, trunk.acl)
    await confirmNumbers()
    expect((await trunk.call(carrier, known.number)).status).to.equal(200)
    await trunk.world.edge.rpc('htable.delete', ['confirmed', 'numbers'])
    way.silence()
    const cutAt = performance.now()
    const calls: Promise<unknown>[] = []
    const answers: Promise<number>[] = []
    const placed: Promise<PlacedCall>[] = []
    // Far more calls than there are processes.
    for (let count = 0; count < 40; count += 1) {
      calls.push(trunk.call(carrier).catch(() => undefined))
      answers.push(answerMs())
      if (count % 5 === 0) placed.push(placeCall(trunk.world.edge, gateway.uri('+12025550100')))
      await sleep(100)
    }
    expect(Math.max(...(await Promise.all(answers)))).to.be.below(1_500)
    await Promise.all(calls)
    for (const call of await Promise.all(placed)) expect(call.asExpected, call.errors).to.equal(true)

    const asked = performance.now()
    const refused = await stranger.register()
    expect([refused.status, header(refused, 'Retry-After')]).to.deep.equal([503, '30'])
    expect(performance.now() - asked).to.be.below(500)
    expect(asked - cutAt).to.be.below(8_000)
    expect((await trunk.call(carrier)).status).to.equal(503)
    await confirmNumbers()
    expect((await trunk.call(carrier, known.number)).status, 'kept').to.equal(200)
    expect((await trunk.call(carrier)).status, 'not kept').to.equal(503)
    await trunk.world.edge.rpc('htable.delete', ['confirmed', 'numbers'])
    expect((await trunk.call(carrier, known.number)).status, 'not confirmed').to.equal(503)
    expect(log().match(/the database does not answer: it is not asked/g)).to.have.lengthOf(1)
  })

  it('registers phones whose accounts it knows meanwhile, for a minute and within their usual time', async () => {
    // Processes that asked in vain are back after six seconds; one that is sent meanwhile is answered when it is sent again.
    expect((await phone.register({ patienceMs: 8_000 })).status).to.equal(200)
    const asked = performance.now()
    const again = await phone.register()
    expect([again.status, /expires=(\d+)/.exec(again.text)?.[1]]).to.deep.equal([200, '60'])
    expect((await second.register()).status, 'another phone of the account').to.equal(200)
    expect(performance.now() - asked).to.be.below(500)
    expect(await contactsInMemory()).to.have.members([phone.contact, second.contact])

    const wrong = await SipPhone.open(trunk.world.edge.options, { ...account, password: 'wrong' })
    expect((await wrong.register()).status).to.equal(401)
    wrong.close()
    const left = await phone.register({ expires: 0 })
    expect([left.status, header(left, 'Retry-After')], 'a row would have to go').to.deep.equal([503, '30'])
    expect((await phone.authorised('INVITE', `sip:100@${account.domain}`)).status, 'a call').to.equal(503)
  })

  it('asks again when it answers, and writes what was registered meanwhile', async () => {
    const begun = performance.now()
    way.speak()
    await eventually(
      async () => (await stranger.register()).status,
      (status) => status === 200,
      { what: 'a registration', withinMs: 10_000 },
    )
    expect(performance.now() - begun).to.be.below(8_000)
    expect((await trunk.call(await trunk.open())).status).to.equal(200)
    const rows = await eventually(
      async () => {
        for (const each of [phone, second]) expect((await each.register()).status).to.equal(200)
        return trunk.world.registrations(account.username)
      },
      (found) => found.length === 2 && found.every(({ seconds }) => seconds > 250),
      { what: 'both in the table', withinMs: 10_000 },
    )
    expect(rows.map(({ contact }) => contact)).to.have.members([phone.contact, second.contact])
  })

  it('hears of it without a request', async () => {
    way.silence()
    await eventually(
      async () => log().match(/the database does not answer: it is not asked/g)?.length,
      (times) => times === 2,
      { what: 'a line in the log', withinMs: 10_000 },
    )
    const newcomer = await SipPhone.open(trunk.world.edge.options, await trunk.world.account())
    expect((await newcomer.register()).status).to.equal(503)
    way.speak()
    await eventually(
      async () => (await newcomer.register()).status,
      (status) => status === 200,
      { what: 'a registration', withinMs: 10_000 },
    )
    newcomer.close()
  })

  it('begins no call when it answers late: the caller may have been refused meanwhile', async () => {
    const carrier = await trunk.open()
    expect((await trunk.call(carrier)).status).to.equal(200)
    trunk.fabric.requests.length = 0
    way.silence()
    const calls = Array.from({ length: 4 }, async () => trunk.call(carrier).catch(() => undefined))
    // The first try is over: the second has an answer.
    await sleep(2_500)
    way.speak()
    await Promise.all(calls)
    await eventually(
      async () => trunk.status(carrier),
      (status) => status === 200,
      { what: 'a call', withinMs: 10_000 },
    )
    expect(trunk.fabric.requests.filter((text) => text.startsWith('INVITE '))).to.have.lengthOf(1)
  })
})
