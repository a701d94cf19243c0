import { expect } from 'chai'
import { createHash, createHmac } from 'node:crypto'
import { startMariadb } from '../support/mariadb.js'
import { databaseOfKamailio } from '../support/kamailio.js'
import { answerChallenge, digestField } from '../support/sip-digest.js'
import { type Answer, type PhoneOptions, SipPhone } from '../support/sip-phone.js'
import { EdgeWorld } from './accounts.js'

describe('edge: guessing', function () {
  this.timeout(30_000)
  let world: EdgeWorld
  let fabric: SipPhone
  let phones: SipPhone[] = []
  let addresses = 50

  before(async () => {
    world = await EdgeWorld.start()
    fabric = await SipPhone.asSwitch(world.edge.options)
  })
  afterEach(() => {
    for (const phone of phones) phone.close()
    phones = []
  })
  after(async () => {
    fabric?.close()
    await world?.stop()
  })

  /** An address that nothing was heard from. */
  const newAddress = (): string => `127.0.0.${addresses++}`
  const open = async (options: PhoneOptions): Promise<SipPhone> => {
    const phone = await SipPhone.open(world.edge.options, { host: newAddress(), ...options })
    phones.push(phone)
    return phone
  }
  const silence = async (phone: SipPhone): Promise<boolean> =>
    phone.register().then(
      () => false,
      () => true,
    )

  /** An answer without what differs from one request to the next. */
  const shape = ({ text }: Answer): string =>
    text
      .replace(/nonce="[^"]*"/g, (nonce) => `nonce=${nonce.length}`)
      .replace(/(branch|tag|rport)=[^;\s]*/g, '$1')
      .replace(/^(Call-ID|CSeq|Content-Length): .*$/gm, '$1')
      .replace(/u[0-9a-f]{8}|nobody00/g, 'user')
      .replace(/127\.0\.0\.\d+(:\d+)?/g, 'address')

  it('tells unknown, deleted and wrong apart from each other in nothing', async () => {
    const [account, deleted] = [await world.account(), await world.account()]
    await world.query('DELETE FROM sip_accounts WHERE id = ?', [deleted.id])
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      const shapes = new Set<string>()
      for (const options of [
        { ...account, password: 'wrong' },
        deleted,
        { ...account, username: 'nobody00' },
        { ...account, domain: `unknown.${world.edge.options.sipDomain}` },
      ]) {
        const phone = await open({ ...options, algorithm })
        const answer = await phone.register()
        expect(answer.status).to.equal(401)
        shapes.add(shape(answer).replaceAll('unknown.', 'acme.'))
      }
      expect([...shapes]).to.have.length(1)
      const good = await open({ ...account, algorithm })
      expect((await good.register()).status).to.equal(200)
    }
  })

  it('challenges whoever names no account at all in the same way', async () => {
    const account = await world.account()
    for (const username of ['%27%20OR%201=1', 'admin!', 'x'.repeat(300), '']) {
      const phone = await open({ ...account, username })
      expect((await phone.register()).status, username).to.be.oneOf([400, 401])
    }
  })

  it('takes a password only for the account that it belongs to', async () => {
    const [account, victim] = [await world.account(), await world.account()]
    const thief = await open({ ...account })
    const uri = `sip:${account.domain}`
    const challenge = thief.challengeOf(await thief.request('REGISTER', uri)) ?? ''
    const own = answerChallenge(challenge, account, { method: 'REGISTER', uri })
    const asVictim = answerChallenge(
      challenge,
      { ...victim, password: account.password },
      { method: 'REGISTER', uri },
    )
    const to = `sip:${victim.username}@${victim.domain}`
    const asIf = await open({ ...victim, host: thief.options.host ?? '' })
    for (const extra of [
      [`Authorization: ${own}`],
      [`Authorization: ${asVictim}`],
      [`Authorization: ${asVictim}`, `Proxy-Authorization: ${own}`],
      [`Proxy-Authorization: ${own}`],
    ]) {
      const contact = `Contact: <${thief.contact}>`
      const lines = [...extra, contact]
      expect((await thief.request('REGISTER', uri, { to, extra: lines })).status).to.be.oneOf([401, 403])
      expect((await asIf.request('REGISTER', uri, { extra: lines })).status).to.equal(401)
    }
    expect(await world.registrations(victim.username)).to.deep.equal([])
  })

  it('locks an account for a source that guesses, and for no other', async () => {
    const [account, colleague] = [await world.account(), await world.account()]
    const host = newAddress()
    const guesser = await open({ ...account, host, password: 'wrong', algorithm: 'SHA-256' })
    for (let tries = 0; tries < 8; tries++) expect((await guesser.register()).status).to.equal(401)
    expect((await guesser.register()).status).to.equal(403)
    expect((await (await open({ ...account, host })).register()).status).to.equal(403)
    expect((await (await open({ ...colleague, host })).register()).status).to.equal(200)
    expect((await (await open(account)).register()).status).to.equal(200)
  })

  it('says nothing more to a source that goes on guessing', async () => {
    const account = await world.account()
    const guesser = await open({ ...account, password: 'wrong' })
    const statuses = []
    for (let tries = 0; tries < 20; tries++) statuses.push((await guesser.register()).status)
    expect(new Set(statuses)).to.deep.equal(new Set([401, 403]))
    expect(await silence(guesser)).to.equal(true)
    const good = await open({ ...account, host: guesser.options.host ?? '' })
    expect(await silence(good)).to.equal(true)
    expect(await world.edge.rpc('htable.dump', ['banned'])).to.satisfy((dump: unknown) =>
      JSON.stringify(dump).includes(`"${guesser.link.host}"`),
    )
  })

  it('never bans an office whose phones register, whatever its guests try', async () => {
    const account = await world.account()
    const host = newAddress()
    expect((await (await open({ ...account, host })).register()).status).to.equal(200)
    for (let tries = 0; tries < 30; tries++) {
      const guest = await open({ ...account, host, username: `guest${tries}` })
      expect((await guest.register()).status).to.equal(401)
    }
    expect((await (await open({ ...account, host })).register()).status).to.equal(200)
  })

  it('counts no guesses with a nonce that the source was not given', async () => {
    const account = await world.account()
    const [phone, forger] = [await open(account), await open({ ...account, password: 'wrong' })]
    const uri = `sip:${account.domain}`
    for (const algorithm of ['MD5', 'SHA-256'] as const) {
      const other = await open({ ...account, algorithm })
      const challenge = other.challengeOf(await other.request('REGISTER', uri)) ?? ''
      const right = answerChallenge(challenge, account, { method: 'REGISTER', uri })
      const made = [right, right.replace(/nonce="[^"]*"/, 'nonce="0.0"')]
      for (let tries = 0; tries < 15; tries++) {
        const extra = [`Authorization: ${made[tries % 2]}`]
        expect((await forger.request('REGISTER', uri, { extra })).status).to.equal(401)
      }
    }
    expect((await phone.register()).status).to.equal(200)
    const host = forger.options.host ?? ''
    expect((await (await open({ ...account, host })).register()).status).to.equal(200)
  })

  it('wants a new nonce after five minutes', async () => {
    const account = await world.account()
    const phone = await open({ ...account, algorithm: 'SHA-256' })
    const uri = `sip:${account.domain}`
    const challenge = phone.challengeOf(await phone.request('REGISTER', uri)) ?? ''
    const key = createHmac('sha256', world.edge.options.rpcSecret).update('nonce').digest('hex')
    const { privateHost, privatePort } = world.edge.options
    const nonceOf = (made: string): string => {
      const keyed = `${key}:${made}:${phone.link.host}:udp:${privateHost}:${privatePort}`
      return `${made}.${createHash('sha256').update(keyed).digest('hex').slice(0, 32)}`
    }
    const [made = ''] = digestField(challenge, 'nonce').split('.')
    const [seconds, micros] = made.split('-')
    expect(digestField(challenge, 'nonce')).to.equal(nonceOf(made))
    for (const [age, status] of [
      [302, 401],
      [290, 200],
    ] as const) {
      const nonce = nonceOf(`${Number(seconds) - age}-${micros}`)
      const aged = challenge.replace(/nonce="[^"]*"/, `nonce="${nonce}"`)
      const extra = [`Authorization: ${answerChallenge(aged, account, { method: 'REGISTER', uri })}`]
      const answer = await phone.request('REGISTER', uri, { extra })
      expect(answer.status).to.equal(status)
      // The password may still be right.
      if (status === 401) expect(phone.challengeOf(answer)).to.match(/stale=true/)
    }
  })

  for (const algorithm of ['MD5', 'SHA-256'] as const)
    for (const qop of [true, false])
      it(`takes a digest once, with ${algorithm} ${qop ? 'and' : 'without'} qop`, async () => {
        const account = await world.account()
        const phone = await open({ ...account, algorithm })
        for (const [method, uri, name] of [
          ['REGISTER', `sip:${account.domain}`, 'Authorization'],
          ['INVITE', `sip:100@${account.domain}`, 'Proxy-Authorization'],
        ] as const) {
          const callId = `${Math.random()}@replay`
          const ask = async (challenge: string | undefined, call = `${Math.random()}@replay`) => {
            const answer = answerChallenge(challenge ?? '', account, { method, uri, qop })
            const extra = [`${name}: ${answer}`]
            const send = async (id: string) => phone.request(method, uri, { extra, callId: id })
            return [await send(call), await send(call), await send(`${Math.random()}@replay`)]
          }
          const challenge = phone.challengeOf(await phone.request(method, uri, { callId }))
          expect(challenge).not.to.match(/stale/)
          const [first, ...again] = await ask(challenge, callId)
          expect(first?.status).to.equal(200)
          for (const answer of again) {
            expect(answer.status).to.equal(method === 'REGISTER' ? 401 : 407)
            expect(phone.challengeOf(answer)).to.match(/stale=true/)
          }
          expect((await ask(phone.challengeOf(again[1] ?? first!)))[0]?.status).to.equal(200)
        }
      })

  it('takes a REGISTER that comes again as it was, and from nowhere else', async () => {
    const account = await world.account()
    const phone = await open(account)
    const other = await open({ ...account, host: phone.options.host ?? '' })
    let last = ''
    const send = phone.link.send.bind(phone.link)
    phone.link.send = (text) => send((last = text))
    expect((await phone.register()).status).to.equal(200)
    const answerTo = async ({ link }: SipPhone, text: string): Promise<string> =>
      new Promise((done) => {
        link.onMessage((answer) => done(answer.slice(0, 11)))
        link.send(text)
      })
    expect(await answerTo(phone, last)).to.equal('SIP/2.0 200')
    expect(await answerTo(other, last)).to.equal('SIP/2.0 401')
    const elsewhere = last.replace(/^Contact: .*$/m, 'Contact: <sip:thief@192.0.2.1>')
    expect(await answerTo(phone, elsewhere)).to.equal('SIP/2.0 401')
  })

  it('takes the digest of a call for whom it names', async () => {
    const account = await world.account()
    const phone = await open(account)
    const callOf = async (asked: string, proven: string): Promise<number> => {
      const challenge = phone.challengeOf(await phone.request('INVITE', asked)) ?? ''
      const answer = answerChallenge(challenge, account, { method: 'INVITE', uri: proven })
      const extra = [`Proxy-Authorization: ${answer}`]
      return (await phone.request('INVITE', asked, { to: asked, extra })).status
    }
    const { domain } = account
    for (const asked of ['sip:101@', 'sip:100%20@', 'sip:100;x=y@', 'sip:'])
      expect(await callOf(`${asked}${domain}`, `sip:100@${domain}`), asked).to.equal(400)
    expect(await callOf(`sip:100@other.example`, `sip:100@${domain}`)).to.equal(400)
    expect(await callOf(`sip:100@${domain}`, 'sip:x')).to.equal(400)
    expect(await callOf(`sip:100@${domain}:5060;user=phone`, `sip:100@${domain.toUpperCase()}`)).to.equal(200)
    expect(await callOf(`sips:100@${domain}`, `sip:100@${domain};transport=tls`)).to.equal(200)
    expect(await callOf(`tel:100;phone-context=+1`, `tel:100;phone-context=+1`)).to.equal(200)
  })

  it('says nothing to a flood of REGISTERs, and goes on for others', async () => {
    const account = await world.account()
    const flooder = await open({ ...account, username: 'flood' })
    const requests = Array.from({ length: 200 }, async () =>
      flooder.transact('REGISTER', `sip:${account.domain}`, registerLines(account.domain), 500).then(
        () => true,
        () => false,
      ),
    )
    const answered = (await Promise.all(requests)).filter(Boolean).length
    expect(answered).to.be.within(1, 150)
    expect(await silence(flooder)).to.equal(true)
    expect((await (await open(account)).register()).status).to.equal(200)
  })

  it('asks for patience, not for another password, when the database is down', async () => {
    const mariadb = await startMariadb()
    let other: EdgeWorld | undefined
    const fabric: SipPhone[] = []
    try {
      const name = await mariadb.createDatabase()
      await mariadb.migrate(name)
      other = await EdgeWorld.start({ database: databaseOfKamailio(mariadb, name) }, mariadb)
      const account = await other.account()
      const phone = await SipPhone.open(other.edge.options, account)
      const stranger = await SipPhone.open(other.edge.options, await other.account())
      fabric.push(phone, await SipPhone.asSwitch(other.edge.options), stranger)
      expect((await phone.register()).status).to.equal(200)
      await mariadb.pause()
      const answer = await stranger.register()
      expect(answer.status).to.equal(503)
      expect(answer.text).to.match(/^Retry-After: \d+/m)
      const again = await phone.register()
      expect([again.status, /expires=(\d+)/.exec(again.text)?.[1]], 'a known one').to.deep.equal([200, '60'])
      // phones that are registered can still be called
      const aor = `sip:${account.username}@${account.domain}`
      const call = await fabric[1]?.request('INVITE', aor, {
        to: aor,
        extra: ['X-Edge-Destination: account'],
      })
      expect(call?.status).to.equal(200)
      await mariadb.resume()
      expect((await phone.register()).status).to.equal(200)
    } finally {
      for (const phone of fabric) phone.close()
      await other?.stop()
      await mariadb.stop()
    }
  })
})

function registerLines(domain: string): string[] {
  return [
    `From: <sip:flood@${domain}>;tag=1`,
    `To: <sip:flood@${domain}>`,
    `Call-ID: ${Math.random()}@flood`,
    'CSeq: 1 REGISTER',
    'Contact: <sip:flood@127.0.0.1:9>',
    'Content-Length: 0',
    '',
    '',
  ]
}
