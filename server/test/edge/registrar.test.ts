import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createConnection } from 'mysql2/promise'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'
import { answerChallenge, digestField } from '../support/sip-digest.js'
import { type Transport, transports } from '../support/sip-link.js'
import { header, headers } from '../support/sip-message.js'
import { type PhoneOptions, SipPhone } from '../support/sip-phone.js'
import { type Account, EdgeWorld } from './accounts.js'

describe('edge: the registrar', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let phones: SipPhone[] = []
  /** Registered from behind a NAT when the tests begin. */
  let afar: SipPhone

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
    const account = await world.account()
    afar = await SipPhone.open(world.edge.options, account)
    const extra = ['Contact: <sip:me@192.168.1.2:5060>']
    expect((await afar.authorised('REGISTER', `sip:${account.domain}`, { extra })).status).to.equal(200)
  })
  afterEach(() => {
    for (const phone of phones) phone.close()
    phones = []
  })
  after(async () => {
    fabric?.close()
    afar?.close()
    await world?.stop()
  })

  const open = async (options: PhoneOptions): Promise<SipPhone> => {
    const phone = await SipPhone.open(world.edge.options, options)
    phones.push(phone)
    return phone
  }
  const registered = async (account: Account, transport: Transport = 'udp'): Promise<SipPhone> => {
    const phone = await open({ ...account, transport })
    expect((await phone.register()).status).to.equal(200)
    return phone
  }
  const ring = async ({ username, domain }: Account): Promise<number> => {
    const aor = `sip:${username}@${domain}`
    return (await fabric.request('INVITE', aor, { to: aor, extra: ['X-Edge-Destination: account'] })).status
  }
  const untilGone = async (account: Account, withinMs: number): Promise<void> => {
    await eventually(
      async () => world.registrations(account.username),
      (rows) => rows.length === 0,
      {
        ...{ withinMs, what: 'registration that is gone' },
      },
    )
  }

  for (const transport of transports) {
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      for (const longName of [false, true]) {
        it(`registers over ${transport} with ${algorithm}${longName ? ' and user@domain' : ''}`, async () => {
          const account = await world.account()
          const phone = await open({ ...account, transport, algorithm, longName })
          const answer = await phone.register()
          expect(answer.status, answer.text).to.equal(200)
          expect(await world.registrations(account.username)).to.have.length(1)
          expect((await phone.register({ expires: 0 })).status).to.equal(200)
          expect(await world.registrations(account.username)).to.have.length(0)
        })
      }
    }
  }

  it('offers MD5 and SHA-256, and MD5 alone to phones that the two are too much for', async () => {
    const phone = await open(await world.account())
    const uri = `sip:${phone.options.domain}`
    const offered = async (extra: string[] = []): Promise<string[]> => {
      const answer = await phone.request('REGISTER', uri, { extra })
      expect(answer.status).to.equal(401)
      return headers(answer, 'WWW-Authenticate').map((value) => digestField(value, 'algorithm') || 'MD5')
    }
    expect(await offered(['User-Agent: baresip v1.0.0 (x86_64/linux)'])).to.deep.equal(['MD5'])
    expect(await offered()).to.deep.equal(['MD5', 'SHA-256'])
    expect(await offered()).to.deep.equal(['MD5', 'SHA-256'])
    expect(await offered()).to.deep.equal(['MD5'])
    expect((await phone.register()).status).to.equal(200)
    expect(await offered()).to.deep.equal(['MD5', 'SHA-256'])
  })

  for (const transport of transports) {
    const isWeb = transport.startsWith('ws')
    it(`names MD5 ${isWeb ? 'last, where JsSIP looks,' : 'first'} over ${transport}`, async () => {
      const account = await world.account()
      const phone = await open({ ...account, transport })
      const answer = await phone.request('REGISTER', `sip:${account.domain}`)
      const order = headers(answer, 'WWW-Authenticate').map((value) => digestField(value, 'algorithm'))
      expect(order).to.deep.equal(isWeb ? ['SHA-256', 'MD5'] : ['MD5', 'SHA-256'])
    })
  }

  it('takes digests without qop from old phones', async () => {
    const account = await world.account()
    const phone = await open(account)
    const uri = `sip:${account.domain}`
    const challenge = phone.challengeOf(await phone.request('REGISTER', uri)) ?? ''
    const old = (password: string): string[] => [
      `Contact: <${phone.contact}>`,
      `Authorization: ${answerChallenge(challenge, { ...account, password }, { method: 'REGISTER', uri, qop: false })}`,
    ]
    expect((await phone.request('REGISTER', uri, { extra: old('wrong') })).status).to.equal(401)
    expect((await phone.request('REGISTER', uri, { extra: old(account.password) })).status).to.equal(200)
  })

  it('lets the contact that was heard of longest ago give way to an eleventh', async () => {
    const account = await world.account()
    const start = async (expires = 3600) => {
      const phone = await open(account)
      expect((await phone.register({ expires })).status).to.equal(200)
      return phone
    }
    const begun: SipPhone[] = []
    for (let count = 0; count < 10; count++) begun.push(await start())
    // The first one registers again, so that the second is the one that was heard of longest ago.
    await sleep(1_100)
    expect((await begun[0]?.register({ expires: 3600 }))?.status).to.equal(200)
    const rows = async () => (await world.registrations(account.username)).map(({ contact }) => contact)
    expect(await rows()).to.have.length(10)
    begun.push(await start(), await start())
    const kept = await rows()
    expect(kept).to.have.length(10)
    expect(kept).to.include.members([begun[0], begun[10], begun[11]].map((phone) => phone?.contact))
    // One that leaves makes no room for itself.
    expect((await begun[0]?.register({ expires: 0 }))?.status).to.equal(200)
    expect(await rows()).to.have.length(9)
  })

  it('takes escapes in From and To for what they mean', async () => {
    const account = await world.account()
    const phone = await open(account)
    const escaped = `%${account.username.charCodeAt(0).toString(16)}${account.username.slice(1)}`
    const answer = await phone.authorised('REGISTER', `sip:${account.domain}`, {
      from: `<sip:${escaped}@${account.domain}>`,
      to: `sip:${escaped}@${account.domain}`,
    })
    expect(answer.status, answer.text).to.equal(200)
    expect(await world.registrations(account.username)).to.have.length(1)
  })

  it('keeps a registration between one minute and one hour', async () => {
    const account = await world.account()
    const phone = await open(account)
    for (const [asked, least, most] of [
      [1, 55, 60],
      [600, 595, 600],
      [99_999, 3595, 3600],
    ] as const) {
      await phone.register({ expires: asked })
      const [row] = await world.registrations(account.username)
      expect(Number(row?.seconds)).to.be.within(least, most)
    }
  })

  it('calls a phone back where it registered from, whatever its Contact says', async () => {
    const account = await world.account()
    const phone = await open(account)
    const extra = ['Contact: <sip:me@10.1.2.3:5060>']
    expect((await phone.authorised('REGISTER', `sip:${account.domain}`, { extra })).status).to.equal(200)
    const [row] = await world.registrations(account.username)
    expect(row?.received).to.equal(`sip:${phone.link.host}:${phone.link.port}`)
    expect(await ring(account)).to.equal(200)
    expect(phone.requests[0]).to.match(/^INVITE sip:me@10\.1\.2\.3/)
  })

  it('reaches a phone through the proxy that brought its REGISTER, and through no other', async () => {
    const account = await world.account()
    const phone = await open(account)
    const path = `sip:${phone.link.host}:${phone.link.port};lr`
    expect((await phone.register({ extra: [`Path: <${path}>`, 'Supported: path'] })).status).to.equal(200)
    expect((await world.registrations(account.username))[0]?.path).to.equal(`<${path}>`)
    expect(await ring(account)).to.equal(200)
    expect(header({ text: phone.requests[0] ?? '' }, 'Route')).to.equal(`<${path}>`)
    expect((await phone.register({ extra: ['Path: <sip:192.0.2.1;lr>'] })).status).to.equal(403)
  })

  it('finds an account with its domain in any case', async () => {
    const account = await world.account()
    const phone = await open({ ...account, domain: account.domain.toUpperCase() })
    expect((await phone.register()).status).to.equal(200)
    expect(await ring(account)).to.equal(200)
  })

  it('forgets all phones of an account within a second of being told, and none else', async () => {
    const [account, other] = [await world.account(), await world.account()]
    const { rpcHost, rpcPort, rpcSecret } = world.edge.options
    const client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
    await registered(other)
    for (const transport of transports) await registered(account, transport)
    const begin = Date.now()
    await client.removeRegistrations(account.username, account.domain)
    expect(await world.registrations(account.username)).to.have.length(0)
    expect(await ring(account)).to.equal(480)
    expect(Date.now() - begin).to.be.below(1000)
    expect(await ring(other)).to.equal(200)
    // nothing registered is no error
    await client.removeRegistrations(account.username, account.domain)
  })

  for (const transport of ['tcp', 'tls', 'ws', 'wss'] as const) {
    it(`forgets a phone whose ${transport} connection is lost`, async () => {
      const account = await world.account()
      const phone = await registered(account, transport)
      phone.close()
      await untilGone(account, 10_000)
      expect(await ring(account)).to.equal(480)
    })
  }

  it('keeps the way to a phone behind a NAT open', async function () {
    this.timeout(40_000)
    await eventually(
      async () => Promise.resolve(afar.requests),
      (requests) => requests.some((text) => text.startsWith('OPTIONS ')),
      { withinMs: 30_000, what: 'OPTIONS' },
    )
  })

  it('knows its phones after a restart, but for those whose connection went with it', async () => {
    const [steady, connected] = [await world.account(), await world.account()]
    await registered(steady)
    await registered(connected, 'tcp')
    await world.edge.restart()
    expect(await ring(steady)).to.equal(200)
    expect(await ring(connected)).to.equal(480)
    await untilGone(connected, 10_000)
  })

  it('may read accounts and numbers and write registrations, and do nothing else in the database', async () => {
    const { host, port, kamailio } = await sharedMariadb()
    const database = world.edge.options.database.name
    const connection = await createConnection({ host, port, ...kamailio, database })
    const attempt = async (sql: string): Promise<string> =>
      connection.query(sql).then(
        () => 'done',
        (error: unknown) => (error as { code: string }).code,
      )
    try {
      expect(await attempt('SELECT username FROM subscriber')).to.equal('done')
      expect(await attempt('SELECT number_id FROM trunk_numbers')).to.equal('done')
      expect(await attempt(`DELETE FROM location WHERE username = 'nobody'`)).to.equal('done')
      for (const forbidden of [
        'SELECT * FROM sip_accounts',
        'SELECT * FROM workspaces',
        'SELECT * FROM phone_numbers',
        'SELECT * FROM inbound_acls',
        'DELETE FROM inbound_acl_addresses',
        `UPDATE subscriber SET ha1 = ''`,
        'DELETE FROM version',
        'CREATE TABLE x (y INT)',
      ]) {
        expect(await attempt(forbidden), forbidden).to.match(/DENIED/)
      }
    } finally {
      await connection.end()
    }
  })
})
