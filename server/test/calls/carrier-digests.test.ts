/** Digests that carriers ask for (RFC 3261, RFC 8760), on a real FreeSWITCH and Kamailio. */
import { createHash } from 'node:crypto'
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect } from 'chai'
import { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { header } from '../support/sip-message.js'

const credential = { username: 'acme', password: 'pa55-word' }
const hashes: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
}

/** A field, whose value may hold commas in its quotes. */
function fieldOf(text: string, name: string): string {
  const [, quoted, token] = new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^ ,"]+))`, 'i').exec(text) ?? []
  return quoted ?? token ?? ''
}

/** Whether credentials answer a challenge, by its own algorithm and nonce. */
function isRight(authorization: string, challenge: string): boolean {
  const algorithm = (fieldOf(challenge, 'algorithm') || 'MD5').toUpperCase()
  const hash = (text: string) =>
    createHash(hashes[algorithm] ?? 'md5')
      .update(text)
      .digest('hex')
  const of = (name: string) => fieldOf(authorization, name)
  const user = hash(`${credential.username}:${fieldOf(challenge, 'realm')}:${credential.password}`)
  const middle = of('qop') ? `${of('nc')}:${of('cnonce')}:${of('qop')}:` : ''
  return (
    of('nonce') === fieldOf(challenge, 'nonce') &&
    (of('algorithm') || 'MD5').toUpperCase() === algorithm &&
    of('response') === hash(`${user}:${of('nonce')}:${middle}${hash(`INVITE:${of('uri')}`)}`)
  )
}

describe('carriers that ask for a digest, on the freeswitch', function () {
  this.timeout(60_000)
  let bench: CallBench
  let carrier: Socket
  let challenges: readonly string[] = []
  let status = 407
  /** Whether all challenges are in one header. */
  let isJoined = false
  const answered: string[] = []
  let numbers = 0

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await CallBench.start('freeswitch')
    carrier = createSocket('udp4')
    carrier.bind(0, '127.0.0.1')
    await once(carrier, 'listening')
    carrier.on('message', (data, from) => {
      const request = data.toString()
      if (!request.startsWith('INVITE ')) return
      const name = status === 407 ? 'Proxy-Authorization' : 'Authorization'
      const authorization = header({ text: request }, name)
      if (authorization !== undefined) answered.push(authorization)
      const isIn = challenges.some(
        (challenge) => authorization !== undefined && isRight(authorization, challenge),
      )
      const asked = (isJoined ? [challenges.join(', ')] : challenges).map(
        (challenge) => `${status === 407 ? 'Proxy' : 'WWW'}-Authenticate: ${challenge}`,
      )
      const repeated = request.split('\r\n').filter((line) => /^(Via|From|Call-ID|CSeq):/i.test(line))
      const to = `To: ${header({ text: request }, 'To')};tag=carrier`
      // Busy: the credentials were right.
      const first = isIn ? 'SIP/2.0 486 Busy Here' : `SIP/2.0 ${status} Who are you`
      const lines = [first, ...repeated, to, ...(isIn ? [] : asked), 'Content-Length: 0', '', '']
      carrier.send(lines.join('\r\n'), from.port, from.address)
    })
  })
  after(async () => {
    carrier?.close()
    await bench?.stop()
  })

  const call = async (asks: readonly string[], by: number, joined = false) => {
    challenges = asks
    isJoined = joined
    status = by
    answered.length = 0
    const national = `20255503${String((numbers += 1) + 10)}`
    const uri = { uri: '127.0.0.1', port: carrier.address().port, protocol: 'udp' as const, priority: 1 }
    await bench.connectNumber(national, [uri], credential)
    return bench.ended(await bench.call('+12025550101', [], { from: { number: `+1${national}` } }))
  }
  const challenge = (algorithm: string, more = '', realm = 'carrier.test') =>
    `Digest realm="${realm}", nonce="${algorithm || 'old'}-${numbers}"${more}${algorithm && `, algorithm=${algorithm}`}`
  const qop = ', qop="auth"'

  for (const [what, asks] of [
    ['MD5', () => [challenge('MD5', qop)]],
    ['no algorithm', () => [challenge('')]],
    ['SHA-256 before MD5', () => [challenge('SHA-256', qop), challenge('MD5', qop)]],
    ['MD5 before SHA-256', () => [challenge('MD5', qop), challenge('SHA-256', qop)]],
    [
      'three, MD5 in the middle, in lower case',
      () => [
        challenge('SHA-512-256', qop),
        challenge('', qop).concat(', algorithm=md5'),
        challenge('SHA-256', qop),
      ],
    ],
    [
      'MD5 after SHA-256 of another realm',
      () => [challenge('SHA-256', qop, 'other.test'), challenge('MD5', qop)],
    ],
  ] as const)
    for (const by of [401, 407])
      it(`go through: ${what}, asked by ${by}`, async () => {
        const record = await call(asks(), by)
        expect(record, answered.join('\n')).to.include({ status: 'busy', sip_code: 486 })
        expect(answered).to.have.length(1)
      })

  it('go through where one header has several', async () => {
    const asks = ['SHA-256', 'MD5', 'SHA-512-256'].map((algorithm) =>
      challenge(algorithm, qop, 'a, Digest b'),
    )
    for (const order of [asks, asks.toReversed(), asks.slice(0, 2)])
      for (const by of [401, 407]) expect(await call(order, by, true)).to.include({ sip_code: 486 })
  })

  it('refuse calls where they take SHA-256 alone, which the switch cannot compute', async () => {
    for (const by of [401, 407])
      for (const joined of [false, true]) {
        const record = await call([challenge('SHA-256', qop), challenge('SHA-512-256', qop)], by, joined)
        expect(record).to.include({ status: 'failed', sip_code: 403 })
        expect(answered).to.deep.equal([])
      }
  })
})
