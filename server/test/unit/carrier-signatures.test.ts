import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { expect } from 'chai'
import {
  type SignedPost,
  isSignedByTelnyx,
  isSignedByTwilio,
} from '../../src/features/messages/carrier-posts/carrier-signatures.js'

describe('signatures of carriers', () => {
  it('of Twilio are those of its documentation', () => {
    // https://www.twilio.com/docs/usage/security, "Validating Signatures from Twilio"
    const post: SignedPost = {
      ...{ host: 'example.com', path: '/myapp.php?foo=1&bar=2' },
      contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
      body: Buffer.from(
        new URLSearchParams({
          ...{ CallSid: 'CA1234567890ABCDE', Caller: '+12349013030', Digits: '1234' },
          ...{ From: '+12349013030', To: '+18005551212' },
        }).toString(),
      ),
    }
    const signed =
      'https://example.com/myapp.php?foo=1&bar=2CallSidCA1234567890ABCDECaller+12349013030Digits1234From+12349013030To+18005551212'
    const signature = createHmac('sha1', '12345').update(signed).digest('base64')
    expect(isSignedByTwilio(signature, post, '12345')).to.equal(true)
    expect(isSignedByTwilio(signature, { ...post, host: 'example.com:443' }, '12345')).to.equal(true)
    expect(isSignedByTwilio(signature, post, '12346')).to.equal(false)
    expect(isSignedByTwilio(signature, { ...post, path: '/myapp.php?foo=1' }, '12345')).to.equal(false)
    expect(isSignedByTwilio(signature, { ...post, body: Buffer.from('Digits=1') }, '12345')).to.equal(false)
    for (const wrong of ['', 'x', 'AAAA']) expect(isSignedByTwilio(wrong, post, '12345')).to.equal(false)
  })

  it('of Twilio cover a body that is no form by its hash in the URL', () => {
    const body = Buffer.from('{"Body":"STOP"}')
    const posted = (path: string): [string, SignedPost] => [
      createHmac('sha1', '12345').update(`https://example.com${path}`).digest('base64'),
      { host: 'example.com', path, contentType: 'application/json', body },
    ]
    const hash = createHash('sha256').update(body).digest('hex')
    expect(isSignedByTwilio(...posted(`/inbound?bodySHA256=${hash}`), '12345')).to.equal(true)
    const [signature, post] = posted('/inbound')
    for (const contentType of ['application/json', 'text/plain', ''])
      expect(isSignedByTwilio(signature, { ...post, contentType }, '12345'), contentType).to.equal(false)
    expect(isSignedByTwilio(signature, { ...post, body: Buffer.alloc(0) }, '12345')).to.equal(true)
    const [other, changed] = posted(`/inbound?bodySHA256=${hash}`)
    expect(isSignedByTwilio(other, { ...changed, body: Buffer.from('{}') }, '12345')).to.equal(false)
  })

  it('of Telnyx are Ed25519 over time and body, and hold for five minutes', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')
    const body = Buffer.from('{"data":{}}')
    const now = new Date()
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const signature = sign(null, Buffer.from(`${timestamp}|{"data":{}}`), privateKey).toString('base64')
    const head = { signature, timestamp }
    expect(isSignedByTelnyx(head, body, key, now)).to.equal(true)
    expect(isSignedByTelnyx(head, Buffer.from('{}'), key, now)).to.equal(false)
    expect(isSignedByTelnyx(head, body, key, new Date(now.getTime() + 301_000))).to.equal(false)
    expect(isSignedByTelnyx({ ...head, signature: 'AAAA' }, body, key, now)).to.equal(false)
    expect(isSignedByTelnyx(head, body, 'no-key', now)).to.equal(false)
  })
})
