/** What comes over SIP from phones and carriers that may call: what the edge says of them stays true, and nothing leads inside. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { type Account, EdgeWorld } from '../edge/accounts.js'
import { type Inside, openInside } from '../edge/inside.js'
import { TrunkWorld } from '../edge/trunks.js'
import { answerChallenge } from '../support/sip-digest.js'
import { SipDialog } from '../support/sip-dialog.js'
import { type SipLink, openLink } from '../support/sip-link.js'
import { SipPhone } from '../support/sip-phone.js'
import { fuzz, fuzzTimeoutMs, line, mutated } from './fuzzing.js'

const insideHost = '127.0.0.99'
/** What is not understood has no answer. */
const answerMs = 40
const token = () => Math.random().toString(36).slice(2)

/** Headers as the switch reads them: a line ends at a CR, an LF or both, and goes on where white space follows. */
function headersAsRead(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).slice(1)
  const end = lines.indexOf('')
  const headers: string[] = []
  for (const one of end < 0 ? lines : lines.slice(0, end)) {
    if (/^[ \t]/.test(one)) headers.push(`${headers.pop() ?? ''}${one}`)
    else headers.push(one)
  }
  return headers
}

describe('SIP from those who may call', function () {
  this.timeout(2 * fuzzTimeoutMs)
  let trunk: TrunkWorld
  let world: EdgeWorld
  let account: Account
  let inside: Inside

  before(async () => {
    trunk = await TrunkWorld.start()
    world = trunk.world
    account = await world.account()
    inside = await openInside(insideHost)
  })
  afterEach(() => {
    expect(inside.heard).to.deep.equal([])
    expect(world.edge.obituary).to.equal(undefined)
  })
  after(async () => {
    inside?.close()
    await trunk?.stop()
  })

  const forged = fc.constantFrom(
    ...[
      'X-Edge-Source: sandbox',
      'X-Edge-Workspace: victim',
      'X-Edge-Account: ag_victim',
      'X-Jackfield-A: b',
    ],
    ...['X-FS-A: b', 'Replaces: a;to-tag=b;from-tag=c', 'x-edge-number : pn_victim'],
    ...[
      'P-Asserted-Identity: <sip:victim@x>',
      'p-preferred-identity:<sip:victim@x>',
      'Diversion: <sip:victim@x>',
    ],
    ...[
      'Remote-Party-ID : <sip:victim@x>',
      'History-Info:\r\n\t<sip:victim@x>',
      'b: <sip:victim@x>',
      'y: victim',
    ],
  )
  const piece = fc.constantFrom(
    ...['\r\n', '\n', '\r', '\0', '\\', ' ', '\t', '\v', '"', '<', '>', '(', ';', ',', ':'],
    ...['Subject: x', 'X-FS-A: \0\r\n', 'To: ', 'v: '],
    ...['%0d%0a', '%0A', '%00', '%22', '%3e', '%25', '%250d', '%', '%c0%8d'],
  )
  const some = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))
  /** Headers of the edge's, each behind the same few characters, somewhere in a message. */
  const smuggled = fc
    .record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      before: fc.oneof(some, fc.constantFrom('', '\r\nSubject: x', '\r\nX-FS-A: \0\r\nSubject: x')),
      between: fc.oneof(some, fc.constantFrom('\r', '\n', '\r\n', '\\\n', '\0')),
      after: some,
      lines: fc.array(forged, { minLength: 1, maxLength: 3 }),
    })
    .map(({ at, before, between, after, lines }) => ({
      ...{ at, text: before + lines.map((one) => between + one).join('') + after },
    }))
  const lines = (name: string, parameters: readonly string[]) => [
    'Via: SIP/2.0/UDP @@ADDRESS@@;rport;branch=z9hG4bK@@TOKEN@@',
    `Subject: ${name}`,
    'From: "Ann \\A" <@@FROM@@>;tag=@@TOKEN@@',
    'To: "Bob \\B" <@@URI@@>',
    'Call-ID: @@TOKEN@@',
    'CSeq: 1 INVITE',
    `Contact: <sip:x@@@ADDRESS@@${parameters.map((one) => `;${one}`).join('')}>`,
    'Max-Forwards: 70',
  ]
  /** Headers from the second line on, but for those that prove the sender. */
  const headers = fc
    .record({ smuggled, name: line, parameters: fc.array(line, { maxLength: 2 }) })
    .map(({ smuggled: { at, text }, name, parameters }) => {
      const whole = lines(name, parameters).join('\r\n')
      const from = Math.floor(at * whole.length)
      return whole.slice(0, from) + text + whole.slice(from)
    })
  /** Headers that the edge can read, the edge's own among them. */
  const forgeries = fc
    .array(fc.record({ at: fc.nat({ max: 8 }), header: forged }), { minLength: 1, maxLength: 3 })
    .map((all) => {
      const read = lines('x', [])
      for (const { at, header } of all) read.splice(at, 0, header)
      return read.join('\r\n')
    })
  /** Most of what is damaged gets no further than the edge's parser; the forgeries alone must come through. */
  const said = fc.oneof(
    { weight: 2, arbitrary: headers },
    { weight: 1, arbitrary: mutated(headers) },
    { weight: 1, arbitrary: forgeries },
  )

  /** Sends made-up calls, and looks at what the switch is told. @param proof the header that proves who sends */
  async function call(
    link: SipLink,
    { from, uri, proof }: { from: string; uri: string; proof: () => Promise<string[]> },
    expected: Record<string, string>,
  ): Promise<number> {
    let came = 0
    let answered: () => void = () => undefined
    link.onMessage((text) => {
      if (/^SIP\/2\.0 [2-6]/.test(text)) answered()
    })
    trunk.fabric.answerTo = (request) => {
      if (request.startsWith('INVITE ')) came++
      return request.startsWith('ACK ') ? undefined : trunk.fabric.reply(request, 486, 'Busy Here')
    }
    await fuzz(said, async (text) => {
      trunk.fabric.requests.length = 0
      const filled = text
        .replaceAll('@@ADDRESS@@', `${link.host}:${link.port}`)
        .replaceAll('@@TOKEN@@', token())
        .replaceAll('@@FROM@@', from)
        .replaceAll('@@URI@@', uri)
      const end = [...(await proof()), 'Content-Length: 0', '', '']
      link.send([`INVITE ${uri} SIP/2.0`, filled, ...end].join('\r\n'))
      await Promise.race([sleep(answerMs), new Promise<void>((done) => (answered = done))])
      for (const request of trunk.fabric.requests) if (request.startsWith('INVITE ')) holds(request, expected)
    })
    return came
  }

  /** What the far end may claim of itself is nowhere, nor is what the switch would decode to a header. */
  function claimsNothing(text: string, names: readonly string[] = []): void {
    for (const [name = '', value = ''] of headersAsRead(text).map((one) => one.split(/\s*:\s*/, 2))) {
      if (/^(From|f|To|t|Contact|m|P-.*)$/i.test(name))
        expect(value, text).not.to.match(/%([01][0-9a-f]|7f)/i)
      if (names.includes(name)) continue
      expect(name, text).not.to.match(
        /^(P-.*|X-(?!Edge-).*|Remote-Party-ID|Diversion|History-Info|Referred-By|b|Identity|y)$/i,
      )
    }
  }

  function holds(invite: string, expected: Record<string, string>): void {
    const read = headersAsRead(invite).map((one) => one.split(/\s*:\s*/, 2))
    claimsNothing(invite, expected['X-Edge-Source'] === 'trunk' ? ['P-Asserted-Identity'] : [])
    for (const [name = '', value] of read) {
      expect(name, invite).not.to.match(/^(Replaces|X-Jackfield-.*|X-FS-.*)$/i)
      if (name === 'P-Asserted-Identity') expect(value, invite).not.to.include('victim')
      if (expected[name] !== undefined) expect(value, invite).to.equal(expected[name])
      // the server verifies a carrier's PASSporT itself
      else if (name === 'X-Edge-Identity') expect(expected['X-Edge-Source'], invite).to.equal('trunk')
      else if (/^X-Edge-/i.test(name)) expect(value, invite).not.to.match(/^(sandbox|(ag_|pn_)?victim)/)
    }
    for (const name of Object.keys(expected))
      expect(
        read.filter(([one]) => one === name),
        invite,
      ).to.have.length(1)
  }

  it('is told to the switch with the carrier that sends it', async () => {
    const { number, id, workspace, acl } = trunk.number
    // a source that has called once is not banned for what it sends afterwards
    expect(await trunk.status(await trunk.open())).to.equal(200)
    trunk.reset()
    const link = await openLink(world.edge.options, 'udp', trunk.carrierHost)
    const uri = trunk.uriOf(number)
    const from = 'sip:+12025550123@carrier.example'
    const came = await call(
      link,
      { from, uri, proof: async () => Promise.resolve([]) },
      { 'X-Edge-Source': 'trunk', 'X-Edge-Number': id, 'X-Edge-Workspace': workspace, 'X-Edge-Acl': acl },
    )
    link.close()
    expect(came).to.be.above(0)
  })

  it('is told to the switch with the phone that sends it', async () => {
    const phone = await SipPhone.open(world.edge.options, account)
    expect((await phone.register()).status).to.equal(200)
    const uri = `sip:100@${account.domain}`
    let challenge = ''
    let age = Infinity
    const proof = async () => {
      if (++age > 200) {
        challenge = phone.challengeOf(await phone.request('INVITE', uri)) ?? ''
        age = 0
      }
      return [`Proxy-Authorization: ${answerChallenge(challenge, account, { method: 'INVITE', uri })}`]
    }
    const { id, workspace } = account
    const came = await call(
      phone.link,
      { from: phone.aor, uri, proof },
      { 'X-Edge-Source': 'account', 'X-Edge-Account': id, 'X-Edge-Workspace': workspace },
    )
    phone.close()
    expect(came).to.be.above(0)
  })

  it('claims nothing in answers either', async () => {
    const owner = await world.account()
    const phone = await SipPhone.open(world.edge.options, owner)
    expect((await phone.register()).status).to.equal(200)
    const heard: string[] = []
    trunk.fabric.link.onMessage((text) => heard.push(text))
    const uri = `sip:${owner.username}@${owner.domain}`
    let came = 0
    await fuzz(said, async (text) => {
      heard.length = 0
      phone.answerTo = (request) => {
        if (!request.startsWith('INVITE ')) return phone.reply(request, 200, 'OK')
        const [start = '', ...lines] = phone.reply(request, 486, 'Busy Here').split('\r\n')
        const own = text.split('\r\n').filter((one) => !/^(Via|From|To|Call-ID|CSeq|Max-Forwards):/.test(one))
        return [start, ...own, ...lines].join('\r\n').replaceAll('@@ADDRESS@@', '127.0.0.1:9')
      }
      const extra = ['X-Edge-Destination: account']
      const to = uri
      const answer = trunk.fabric.request('INVITE', uri, { to, extra }).catch(() => undefined)
      const isBusy = await Promise.race([sleep(answerMs), answer])
      if (isBusy) came++
      for (const one of heard) claimsNothing(one)
    })
    phone.close()
    expect(came).to.be.above(0)
  })

  it('leads nowhere inside by what a Contact says', async () => {
    trunk.fabric.answerTo = (request) => trunk.fabric.reply(request, 200, 'OK')
    const address = fc.constantFrom(
      `${insideHost}:${inside.port}`,
      `${insideHost}~${inside.port}`,
      'localhost',
    )
    const piece = fc.oneof(
      fc.tuple(fc.constantFrom(';edge=', ';alias=', ';maddr=', ';received=sip:', '@', ';', '?x='), address),
      fc.tuple(
        fc.constantFrom('~1', '~2', ';transport=tcp', ';lr', ';ob', '>', ',', '<sip:x@', ' ', '"'),
        fc.constant(''),
      ),
      fc.tuple(line, fc.constant('')),
    )
    const said = fc
      .record({
        host: fc.constantFrom('own', `${insideHost}:${inside.port}`, '8.8.8.8', 'localhost'),
        pieces: fc.array(piece, { maxLength: 4 }),
      })
      .map(({ host, pieces }) => `Contact: <sip:x@${host}${pieces.flat().join('')}>`)
    const carrier = await trunk.open()
    let reached = 0
    await fuzz(said, async (contact) => {
      inside.heard.length = 0
      const owner = await world.account()
      const phone = await SipPhone.open(world.edge.options, owner)
      const extra = [contact.replace('own', `${phone.link.host}:${phone.link.port}`)]
      await Promise.all([
        phone.authorised('REGISTER', `sip:${owner.domain}`, { extra }).catch(() => undefined),
        trunk.call(carrier, undefined, { extra }).catch(() => undefined),
      ])
      const invite = trunk.fabric.requests.findLast((request) => request.startsWith('INVITE '))
      trunk.fabric.requests.length = 0
      const uri = `sip:${owner.username}@${owner.domain}`
      const ring = trunk.fabric.request('INVITE', uri, { to: uri, extra: ['X-Edge-Destination: account'] })
      const within = invite === undefined ? undefined : SipDialog.called(trunk.fabric, invite).request('BYE')
      const [rung] = await Promise.all([ring.catch(() => undefined), within?.catch(() => undefined)])
      if (rung?.status === 200) reached++
      phone.close()
      expect(inside.heard).to.deep.equal([])
    })
    expect(reached).to.be.above(0)
  })
})
