import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The header `Jackfield-Signature`: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. The time is
 * signed too, so that a receiver can refuse what somebody recorded and sends again.
 */
export function signatureOf(body: string | Buffer, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${digestOf(body, secret, String(seconds)).toString('hex')}`
}

/** How far the time of a signature may be from ours: what is older may be what somebody recorded. */
const toleranceMs = 300_000

/** Whether a header, in the form of {@link signatureOf}, signs a body now. */
export function isSigned(header: string, body: Buffer, secret: string, now: Date): boolean {
  if (!isFresh(header, now)) return false
  const [seconds, digest] = partsOf(header)
  return timingSafeEqual(Buffer.from(digest, 'hex'), digestOf(body, secret, seconds))
}

/** Whether a header may sign something now, whatever it is. */
export function isFresh(header: string, now: Date): boolean {
  const [seconds, digest] = partsOf(header)
  return digest !== '' && Math.abs(Number(seconds) * 1_000 - now.getTime()) <= toleranceMs
}

function partsOf(header: string): [seconds: string, digest: string] {
  const [, seconds = '', digest = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  return [seconds, digest]
}

function digestOf(body: string | Buffer, secret: string, seconds: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
}
