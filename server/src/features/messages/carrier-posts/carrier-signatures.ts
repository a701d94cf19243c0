/** Signatures of carriers' posts, in the formats of Twilio and Telnyx. */
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'

/** Largest difference between the time of a signature and ours. */
const toleranceMs = 300_000

/** A post, as its signature covers it. */
export interface SignedPost {
  readonly host: string
  /** Path and query, as they were sent. */
  readonly path: string
  readonly contentType: string
  readonly body: Buffer
}

/**
 * X-Twilio-Signature: base64 of the HMAC-SHA1, with the auth token, of the URL and the form's fields in the order of
 * their names. For JSON it covers the URL alone, whose query has the body's SHA-256 as bodySHA256
 * (https://www.twilio.com/docs/usage/webhooks/webhooks-security). Proxies change scheme and port, so all are tried.
 */
export function isSignedByTwilio(signature: string, post: SignedPost, token: string): boolean {
  const given = Buffer.from(signature, 'base64')
  if (given.length !== 20) return false
  const isForm = post.contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')
  const bodyHash = new URLSearchParams(post.path.replace(/^[^?]*/, '')).get('bodySHA256')
  // Without the hash, the signature does not cover a body that is not a form.
  if (bodyHash === null && !isForm && post.body.length > 0) return false
  if (bodyHash !== null && bodyHash.toLowerCase() !== createHash('sha256').update(post.body).digest('hex'))
    return false
  const fields = isForm ? fieldsOf(post.body) : ''
  const name = post.host.replace(/:\d+$/, '')
  const hosts = new Set([post.host, name, `${name}:443`, `${name}:80`])
  return [...hosts].some((host) =>
    ['https', 'http'].some((scheme) => {
      const signed = `${scheme}://${host}${post.path}${fields}`
      return timingSafeEqual(given, createHmac('sha1', token).update(signed).digest())
    }),
  )
}

function fieldsOf(body: Buffer): string {
  const fields = [...new URLSearchParams(body.toString())]
  const values = new Map<string, Set<string>>()
  for (const [name, value] of fields) values.set(name, (values.get(name) ?? new Set()).add(value))
  return [...values.keys()]
    .sort()
    .flatMap((name) => [...(values.get(name) ?? [])].sort().map((value) => name + value))
    .join('')
}

/** Prefix of a raw Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether a time in seconds is about now. */
export function isAboutNow(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now.getTime()) <= toleranceMs
}

/**
 * telnyx-signature-ed25519: base64 of the Ed25519 signature of the time, a bar and the body, checked by the account's public
 * key in base64 (https://developers.telnyx.com/docs/messaging/messages/receiving-webhooks).
 */
export function isSignedByTelnyx(
  { signature, timestamp }: { readonly signature: string; readonly timestamp: string },
  body: Buffer,
  publicKey: string,
  now: Date,
): boolean {
  const [given, key] = [signature, publicKey].map((text) => Buffer.from(text, 'base64'))
  if (!isAboutNow(timestamp, now) || given?.length !== 64 || key?.length !== 32) return false
  const spki = createPublicKey({ key: Buffer.concat([ed25519Prefix, key]), format: 'der', type: 'spki' })
  return verify(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), spki, given)
}
