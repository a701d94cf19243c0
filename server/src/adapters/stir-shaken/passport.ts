/** Who calls, signed: PASSporTs (RFC 8225) of the kind `shaken` (RFC 8588), in the header Identity (RFC 8224). */
import { type KeyObject, sign, verify } from 'node:crypto'

/** What the signer attests (RFC 8588): customer and number, the customer only, or neither. */
export const attestations = ['A', 'B', 'C'] as const
export type Attestation = (typeof attestations)[number]

export interface Claims {
  readonly attest: Attestation
  /** Numbers that are called, digits of E.164. */
  readonly dest: readonly string[]
  readonly orig: string
  /** When it was signed, seconds since 1970. */
  readonly iat: number
  /** Identifies the call's origin to the signer, a UUID. */
  readonly origid: string
}

/** An Identity header, taken apart; nothing of it is proven. */
export interface Identity {
  readonly claims: Claims
  /** Where the certificate is. */
  readonly x5u: string
  readonly signed: string
  readonly signature: Buffer
}

/** No signature with its certificate's address is longer. */
const maxHeaderChars = 4_096
/** Of all together: more than the edge passes on. */
const maxHeadersChars = 8_192

/** One of several headers: commas within `<>` are those of its address. */
const oneHeader = /(?:[^,<]|<[^<>]*>?)+/g

const digest = 'sha256'

/** ES256 (RFC 7518, section 3.4): both numbers one after the other, not in ASN.1. */
const dsaEncoding = 'ieee-p1363'

/** The value of an Identity header. @param key a private key on P-256 @param x5u where its certificate is */
export function signedIdentity(claims: Claims, key: KeyObject, x5u: string): string {
  const { attest, dest, iat, orig, origid } = claims
  // In the order of their names (RFC 8225, section 9).
  const signed = [
    { alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u },
    { attest, dest: { tn: dest }, iat, orig: { tn: orig }, origid },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign(digest, Buffer.from(signed), { key, dsaEncoding }).toString('base64url')
  return `${signed}.${signature};info=<${x5u}>;alg=ES256;ppt=shaken`
}

/**
 * Reads the Identity headers of a call, with commas between them, to the first of a `shaken` PASSporT in its full form.
 * @returns null where all are of kinds that are not ours (RFC 8224, section 6.2: as if there were none), undefined where
 * one was to be read and cannot be
 */
export function identityAmong(headers: string): Identity | null | undefined {
  let isBroken = headers.length > maxHeadersChars
  for (const header of isBroken ? [] : (headers.match(oneHeader) ?? [''])) {
    const identity = parseIdentity(header)
    if (identity) return identity
    isBroken ||= !isOfOtherKind(header)
  }
  return isBroken ? undefined : null
}

/** Reads an Identity header. @returns null for what is no `shaken` PASSporT in its full form */
export function parseIdentity(header: string): Identity | null {
  if (header.length > maxHeaderChars) return null
  const [, head = '', payload = '', signature = '', info] =
    /^\s*([\w-]+)\.([\w-]+)\.([\w-]{86})\s*;\s*info\s*=\s*<([^<>\s]+)>/.exec(header) ?? []
  const [known, said] = [jsonOf(head), jsonOf(payload)]
  if (known?.['alg'] !== 'ES256' || known['ppt'] !== 'shaken' || known['typ'] !== 'passport') return null
  const x5u = known['x5u']
  const claims = said && claimsOf(said)
  if (!claims || typeof x5u !== 'string' || x5u !== info) return null
  return { claims, x5u, signed: `${head}.${payload}`, signature: Buffer.from(signature, 'base64url') }
}

/**
 * Whether it says what extension it is of, and that is another one: in its own head (RFC 8225, section 8.1), or, where a
 * compact form has none, beside it (RFC 8224, section 4).
 */
function isOfOtherKind(header: string): boolean {
  const [, head = ''] = /^\s*([\w-]*)\./.exec(header) ?? []
  const ppt = head === '' ? parameterOf(header, 'ppt') : jsonOf(head)?.['ppt']
  return typeof ppt === 'string' && ppt !== 'shaken'
}

/** A header parameter, `;name=value` or `;name="value"`; its name in any case (RFC 3261, section 7.3.1). */
function parameterOf(header: string, name: string): string | undefined {
  for (const parameter of header
    .replace(/<[^<>]*>/g, '')
    .split(';')
    .slice(1)) {
    const [, key = '', value] = /^\s*([\w-]+)\s*=\s*"?([\w.-]+)"?\s*$/.exec(parameter) ?? []
    if (key.toLowerCase() === name) return value
  }
  return undefined
}

/** Whether the holder of a certificate's key signed it. */
export function isSignedBy({ signed, signature }: Identity, key: KeyObject): boolean {
  return isOnP256(key) && verify(digest, Buffer.from(signed), { key, dsaEncoding }, signature)
}

/** ES256 knows no other curve. */
export function isOnP256({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

type Json = Record<string, unknown>

function jsonOf(part: string): Json | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

function claimsOf({ attest, dest, iat, orig, origid }: Json): Claims | null {
  const called = (dest as Json | null | undefined)?.['tn']
  const caller = (orig as Json | null | undefined)?.['tn']
  const attestation = attestations.find((one) => one === attest)
  if (!attestation || !Number.isSafeInteger(iat) || !isNumber(caller)) return null
  if (!Array.isArray(called) || called.length === 0 || !called.every(isNumber)) return null
  if (typeof origid !== 'string' || origid.length > 64) return null
  return { attest: attestation, dest: called, orig: caller, iat: iat as number, origid }
}

/** Digits, as RFC 8224 (section 8.3) has numbers in their canonical form. */
function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,18}$/.test(value)
}
