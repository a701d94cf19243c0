/** The secrets of webhooks: as Standard Webhooks write them, sealed, and two while one is replaced. */
import { createHmac, randomBytes } from 'node:crypto'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { signatureOf } from '../../infrastructure/http-client/signature.js'
import type { Webhook } from './webhook.entity.js'

type Secrets = Pick<Webhook, 'id' | 'secret' | 'previous_secret' | 'previous_secret_until'>

/** Prefix of a key (Standard Webhooks, "Signature scheme"). */
const prefix = 'whsec_'

/** Bytes that a key may have (the same). */
const keyBytes = { least: 24, most: 64, made: 32 } as const

export function newSecret(): string {
  return prefix + randomBytes(keyBytes.made).toString('base64')
}

/** Whether a secret is a key of a length that may sign. */
export function isSecret(secret: string): boolean {
  const { length } = keyOf(secret)
  return length >= keyBytes.least && length <= keyBytes.most
}

/** The columns of a webhook whose secret is another from now on. @param overlapMs for which the one before signs too */
export function replacedSecret(
  box: SecretBox,
  webhook: Secrets,
  { secret, overlapMs, now }: { secret: string; overlapMs: number; now: Date },
): Omit<Secrets, 'id'> {
  const { id } = webhook
  const before = box.open(webhook.secret, purposes.webhook(id))
  return {
    secret: box.seal(secret, purposes.webhook(id)),
    previous_secret: overlapMs > 0 ? box.seal(before, purposes.previousWebhookSecret(id)) : null,
    previous_secret_until: overlapMs > 0 ? new Date(now.getTime() + overlapMs) : null,
  }
}

/** What shows that a delivery is ours, as it was sent. */
export interface Signatures {
  /** `Jackfield-Signature`. */
  signature: string
  /** `Jackfield-Previous-Signature`, by the secret before; undefined when none signs any more. */
  previous?: string | undefined
  /** `webhook-signature`, of all secrets. */
  standard: string
}

/** Signs a body in both ways, by all secrets that sign at this time. @param id of the event: `webhook-id` */
export function signed(
  box: SecretBox,
  webhook: Secrets,
  sent: { id: string; body: string; at: Date },
): Signatures {
  const { id, previous_secret: before, previous_secret_until: until } = webhook
  const secret = box.open(webhook.secret, purposes.webhook(id))
  const isReplaced = before !== null && until !== null && sent.at < until
  const previous = isReplaced ? box.open(before, purposes.previousWebhookSecret(id)) : undefined
  const keys = previous === undefined ? [secret] : [secret, previous]
  return {
    signature: signatureOf(sent.body, secret, sent.at),
    ...(previous !== undefined && { previous: signatureOf(sent.body, previous, sent.at) }),
    standard: keys.map((key) => standardSignature(key, sent)).join(' '),
  }
}

/** `v1,` and the HMAC-SHA256 of id, time and body, in base64. */
function standardSignature(secret: string, { id, body, at }: { id: string; body: string; at: Date }): string {
  const content = `${id}.${secondsOf(at)}.${body}`
  return `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`
}

/** Unix seconds. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000)
}

/** Secrets of earlier versions are in base64url, which is read as well. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64')
}
