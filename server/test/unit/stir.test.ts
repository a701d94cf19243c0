/** Signed callers: PASSporTs, certificates and their chains. */
import { X509Certificate, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { pino } from 'pino'
import { GuardedClient } from '../../src/infrastructure/http-client/guarded-client.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { refusalOf } from '../../src/adapters/stir-shaken/caller-verification.js'
import { certificatesOf, isTrusted } from '../../src/adapters/stir-shaken/chain.js'
import {
  type Claims,
  isSignedBy,
  parseIdentity,
  signedIdentity,
} from '../../src/adapters/stir-shaken/passport.js'
import { SignerCertificates } from '../../src/adapters/stir-shaken/signer-certificates.js'
import { maySignFor } from '../../src/adapters/stir-shaken/tn-auth-list.js'
import { Verification } from '../../src/adapters/stir-shaken/verification.js'
import { Stir } from '../../src/adapters/stir-shaken/stir.js'
import { eventually } from '../support/api-client.js'
import { StirCertificates } from '../support/stir-certificates.js'

const x5u = 'https://certificates.example/carrier.pem'

const claims: Claims = {
  ...{ attest: 'A', orig: '12025550199', dest: ['12125550123'], iat: 1_790_000_000 },
  origid: '123e4567-e89b-12d3-a456-426655440000',
}

describe('a signed caller', () => {
  let certificates: StirCertificates
  before(() => {
    certificates = new StirCertificates()
  })
  after(() => certificates.remove())

  const read = (file: string) => certificates.read(file)
  const keyOf = (name: string) => createPrivateKey(read(`${name}.key`))
  const authorities = () => [new X509Certificate(read('authority.pem'))]

  it('is known by a key, and by no other, and by no other words', () => {
    const header = signedIdentity(claims, keyOf('carrier'), x5u)
    expect(header).to.match(/^[\w-]+\.[\w-]+\.[\w-]{86};info=<https:[^>]+>;alg=ES256;ppt=shaken$/)
    const identity = parseIdentity(header)!
    expect(identity.claims).to.deep.equal(claims)
    expect(identity.x5u).to.equal(x5u)
    expect(isSignedBy(identity, new X509Certificate(read('carrier.pem')).publicKey)).to.equal(true)
    expect(isSignedBy(identity, createPublicKey(keyOf('stranger')))).to.equal(false)
    const other = Buffer.from(JSON.stringify({ attest: 'A' })).toString('base64url')
    expect(
      isSignedBy({ ...identity, signed: `${identity.signed}${other}` }, createPublicKey(keyOf('carrier'))),
    ).to.equal(false)
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    expect(isSignedBy(identity, publicKey)).to.equal(false)
  })

  it('writes its words in the order of their names, as others compare them', () => {
    const [head = '', payload = ''] = signedIdentity(claims, keyOf('carrier'), x5u).split('.')
    const text = (part: string) => Buffer.from(part, 'base64url').toString()
    expect(text(head)).to.equal(`{"alg":"ES256","ppt":"shaken","typ":"passport","x5u":"${x5u}"}`)
    expect(text(payload)).to.equal(
      '{"attest":"A","dest":{"tn":["12125550123"]},"iat":1790000000,"orig":{"tn":"12025550199"},"origid":"123e4567-e89b-12d3-a456-426655440000"}',
    )
  })

  it('is needed by those who let in nobody else, also where nobody verifies', () => {
    expect(refusalOf('take', null)).to.equal(null)
    expect(refusalOf('refuse_failed', null)).to.equal(null)
    expect(refusalOf('refuse', null)).to.deep.equal({ sipCode: 437, phrase: 'Unsupported Credential' })
  })

  it('is read from nothing else', () => {
    const good = signedIdentity(claims, keyOf('carrier'), x5u)
    const forged = (head: object, payload: object) =>
      [head, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
      good.slice(good.lastIndexOf('.', good.indexOf(';')))
    const head = { alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u }
    const payload = { attest: 'A', dest: { tn: ['1'] }, iat: 1, orig: { tn: '1' }, origid: 'x' }
    expect(parseIdentity(forged(head, payload))).not.to.equal(null)
    for (const broken of [
      ...[
        '',
        'x',
        good.replace(';info', ';inform'),
        good.replace('carrier.pem>', 'other.pem>'),
        good.slice(5),
      ],
      ...[`${good}${' '.repeat(5_000)}`, '..;info=<x>', good.replace(/^[^.]+/, 'bnVsbA')],
      ...[forged({ ...head, alg: 'none' }, payload), forged({ ...head, ppt: 'div' }, payload)],
      ...[forged(head, { ...payload, attest: 'D' }), forged(head, { ...payload, orig: { tn: '+1' } })],
      ...[
        forged(head, { ...payload, dest: { tn: [] } }),
        forged(head, { ...payload, dest: { tn: ['1', '+2'] } }),
        forged(head, { ...payload, dest: null }),
        forged(head, { ...payload, iat: 'x' }),
        forged(head, []),
      ],
    ])
      expect(parseIdentity(broken), broken.slice(0, 80)).to.equal(null)
  })

  it('needs a certificate that leads to an authority, now', () => {
    const chain = certificatesOf(read('carrier.pem') + read('between.pem'))
    const now = Date.now()
    expect(chain).to.have.length(2)
    expect(isTrusted(chain, authorities(), now)).to.equal(true)
    expect(isTrusted(chain.slice(0, 1), authorities(), now), 'a link is missing').to.equal(false)
    expect(isTrusted(chain.slice(1), authorities(), now), 'an authority is no signer').to.equal(false)
    expect(isTrusted(chain, [new X509Certificate(read('stranger.pem'))], now)).to.equal(false)
    expect(isTrusted(chain, authorities(), now + 3 * 86_400_000), 'it has ended').to.equal(false)
    expect(isTrusted([], authorities(), now)).to.equal(false)
  })

  it('leads by no more authorities than those on its way allow', () => {
    const isSigner = (...names: string[]) =>
      isTrusted(certificatesOf(names.map((name) => read(`${name}.pem`)).join('')), authorities(), Date.now())
    expect(isSigner('direct', 'last')).to.equal(true)
    expect(isSigner('distant', 'beyond', 'last')).to.equal(false)
  })

  it('may sign for the callers that its TNAuthList names, and for nobody without one', () => {
    const may = (name: string, number: string) =>
      maySignFor(new X509Certificate(read(`${name}.pem`)).raw, number)
    expect(may('carrier', '12025550199')).to.equal(true)
    expect(may('unlisted', '12025550199')).to.equal(false)
    for (const [number, is] of [
      ...([
        ['12025550199', true],
        ['12025550198', false],
      ] as const),
      ...([
        ['12125550099', false],
        ['12125550100', true],
        ['12125550399', true],
      ] as const),
      ...([
        ['12125550400', false],
        ['1212555010', false],
        ['121255501000', false],
      ] as const),
    ])
      expect(may('numbers', number), number).to.equal(is)
    const { raw } = new X509Certificate(read('carrier.pem'))
    expect(maySignFor(raw.subarray(0, -40), '12025550199')).to.equal(false)
  })

  describe('with the files of the operator', () => {
    const settings = (changes: object = {}) => ({
      ...{ certificate_file: certificates.path('own.pem'), key_file: certificates.path('own.key') },
      ...{ certificate_url: x5u, ca_file: certificates.path('own-ca.pem'), ...changes },
    })
    const put = (file: string, text: string) => writeFileSync(certificates.path(file), text)
    const open = async (changes: object = {}) => {
      const httpClient = { allowed_networks: [], dns_servers: [] }
      const log = pino({ level: 'silent' })
      const stir = new Stir({ settings: settings(changes), httpClient, log, lookEveryMs: 20 })
      await stir.open().catch((error: unknown) => {
        stir.close()
        throw error
      })
      return stir
    }
    const { iat: _, ...said } = claims
    const isOf = (name: string, header = '') =>
      isSignedBy(parseIdentity(header)!, new X509Certificate(read(`${name}.pem`)).publicKey)

    before(() => {
      put('own.pem', read('carrier.pem'))
      put('own.key', read('carrier.key'))
      put('own-ca.pem', read('authority.pem'))
    })

    it('is signed by the key that is there now, and a key that is not the certificate’s is not taken', async () => {
      const stir = await open()
      try {
        expect(isOf('carrier', stir.sign(said))).to.equal(true)
        const end = stir.signsUntil!.getTime()
        expect(end - Date.now()).to.be.within(1.9 * 86_400_000, 2 * 86_400_000)
        expect(stir.sign(said, end - 1)).to.be.a('string')
        expect(stir.sign(said, end), 'a signature that proves nothing').to.equal(undefined)
        put('own.key', read('stranger.key'))
        put('own.key', read('numbers.key'))
        put('own.pem', read('numbers.pem'))
        await eventually(async () => isOf('numbers', stir.sign(said)), Boolean, { what: 'new key' })
      } finally {
        stir.close()
      }
      put('own.key', read('stranger.key'))
      expect(await open().catch(String)).to.match(/is not that of the certificate/)
      expect(await open({ ca_file: certificates.path('own.key') }).catch(String)).to.match(/Error/)
    })

    it('is neither signed nor verified without them', async () => {
      const stir = await open({ certificate_file: '', key_file: '', certificate_url: '', ca_file: '' })
      expect(stir).to.include({ signs: false, signsUntil: null, verifies: false })
      expect(stir.sign(said)).to.equal(undefined)
      expect(await stir.verify('x', { orig: '1', dest: '2' })).to.equal(null)
      stir.close()
    })
  })

  describe('of a call that comes in', () => {
    let server: Server
    let url = ''
    let asked = 0
    let answer: string | number = ''
    let verification: Verification
    let now = 0
    const fresh = (): Claims => ({ ...claims, iat: Math.floor(now / 1000) })
    const numbers = { orig: claims.orig, dest: claims.dest[0]! }

    before(async () => {
      // The certificates hold by now.
      now = Date.now()
      server = createServer((_, response) => {
        asked++
        if (typeof answer === 'number') response.writeHead(answer).end()
        else response.end(answer)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/carrier.pem`
    })
    beforeEach(() => {
      answer = read('carrier.pem') + read('between.pem')
      asked = 0
      const allowed_networks = [parseNetwork('127.0.0.0/8')!]
      const client = new GuardedClient({ allowed_networks, dns_servers: [] })
      verification = new Verification(new SignerCertificates({ client, authorities }))
    })
    after(() => server.close())

    const signedBy = (name: string, said = fresh()) => signedIdentity(said, keyOf(name), url)

    it('is passed, with what its carrier says, and its certificate is asked for once', async () => {
      for (const attest of ['A', 'B', 'C'] as const) {
        const header = signedBy('carrier', { ...fresh(), attest })
        expect(await verification.of(header, numbers, now)).to.deep.equal({
          ...{ status: 'passed', attestation: attest, reason: null },
        })
      }
      expect(asked).to.equal(1)
    })

    it('fails by its reason', async () => {
      const reasonOf = async (header: string | undefined, called = numbers) => {
        const { status, attestation, reason } = await verification.of(header, called, now)
        expect(attestation).to.equal(null)
        return `${status} ${String(reason)}`
      }
      expect(await reasonOf(undefined)).to.equal('none null')
      expect(await reasonOf('nonsense')).to.equal('failed bad_identity')
      const old = { ...fresh(), iat: Math.floor(now / 1000) - 61 }
      expect(await reasonOf(signedBy('carrier', old))).to.equal('failed stale')
      const other = { ...numbers, orig: '12025550198' }
      expect(await reasonOf(signedBy('carrier'), other)).to.equal('failed other_number')
      const elsewhere = { ...numbers, dest: '12125550124' }
      expect(await reasonOf(signedBy('carrier'), elsewhere)).to.equal('failed other_number')
      expect(await reasonOf(signedBy('stranger'))).to.equal('failed bad_identity')
    })

    it('is told by the first of several signatures that is of its kind', async () => {
      const good = signedBy('carrier')
      const bad = signedBy('stranger')
      const [, payload = ''] = good.split('.')
      const head = { alg: 'ES256', ppt: 'div', typ: 'passport', x5u: url }
      const div = `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${payload}.${'x'.repeat(86)};info=<${url}>;alg=ES256;ppt="div"`
      const compact = `..${'x'.repeat(86)};info=<${url}>;alg=ES256;ppt=shaken`
      const told = async (...headers: string[]) => {
        const { status, reason } = await verification.of(headers.join(', '), numbers, now)
        return reason ?? status
      }
      expect(await told(div, good)).to.equal('passed')
      expect(await told('nonsense', compact, good, bad)).to.equal('passed')
      expect(await told(good, bad, 'nonsense')).to.equal('passed')
      expect(await told(bad, good)).to.equal('bad_identity')
      expect(await told(div), 'RFC 8224, 6.2: as if there were none').to.equal('none')
      for (const parameter of ['ppt=rcd', 'ppt="rcd"', 'PPT = rcd'])
        expect(await told(compact.replace('ppt=shaken', parameter)), parameter).to.equal('none')
      expect(await told(compact), 'of our kind, and not to be read').to.equal('bad_identity')
      expect(await told(compact.replace(/;ppt=.*/, '')), 'of no kind that is told').to.equal('bad_identity')
      expect(await told(div, 'nonsense')).to.equal('bad_identity')
      expect(await told(...Array<string>(20).fill(div), good), 'of so many none is read').to.equal(
        'bad_identity',
      )
    })

    it('goes on with the certificate that is known while its address does not answer', async () => {
      const later = now + 3_700_000
      const header = signedBy('carrier', { ...fresh(), iat: Math.floor(later / 1000) })
      expect((await verification.of(signedBy('carrier'), numbers, now)).status).to.equal('passed')
      const before = answer
      answer = 503
      expect((await verification.of(header, numbers, later)).status).to.equal('passed')
      expect(asked).to.equal(2)
      answer = before
    })

    it('fails without a certificate that can be had and trusted, and asks again for one that could not', async () => {
      answer = 503
      const header = signedBy('carrier')
      expect((await verification.of(header, numbers, now)).reason).to.equal('no_certificate')
      expect((await verification.of(header, numbers, now + 9_000)).reason).to.equal('no_certificate')
      expect(asked, 'what cannot be had is asked for again after ten seconds').to.equal(1)
      answer = 'no certificate'
      expect((await verification.of(header, numbers, now + 10_000)).reason).to.equal('no_certificate')
      answer = read('stranger.pem')
      expect((await verification.of(header, numbers, now + 20_000)).reason).to.equal('untrusted')
      expect(asked).to.equal(3)
      expect((await verification.of(header, numbers, now + 50_000)).reason).to.equal('untrusted')
      expect(asked, 'who is not trusted is asked for again after a minute').to.equal(3)
      answer = read('unlisted.pem') + read('between.pem')
      const late = signedBy('unlisted', { ...fresh(), iat: Math.floor(now / 1000) + 80 })
      expect((await verification.of(late, numbers, now + 80_000)).reason).to.equal('untrusted')
      expect(asked).to.equal(4)
      const elsewhere = signedIdentity(fresh(), keyOf('carrier'), 'http://169.254.169.254/latest')
      expect((await verification.of(elsewhere, numbers, now)).reason).to.equal('no_certificate')
    })
  })
})
