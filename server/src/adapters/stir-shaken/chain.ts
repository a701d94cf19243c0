/** Certificates of signers: whether one leads to an authority that the operator trusts. */
import { X509Certificate } from 'node:crypto'
import { children, extension, first, tags } from './der.js'

/** A chain is the signer's certificate and some between it and the authority. */
const maxCertificates = 6

/** 2.5.29.19, id-ce-basicConstraints. */
const basicConstraints = Buffer.from('551d13', 'hex')

const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g

/** The first certificates of a PEM file, in its order. @throws where one cannot be read */
export function certificatesOf(text: string, atMost = maxCertificates): X509Certificate[] {
  return (text.match(pem) ?? []).slice(0, atMost).map((one) => new X509Certificate(one))
}

/**
 * Whether the first of these certificates holds now, and leads to one of the authorities by way of the others.
 * @param now milliseconds since 1970
 */
export function isTrusted(
  [leaf, ...between]: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): boolean {
  if (!leaf || leaf.ca) return false
  let current = leaf
  for (let step = 0; step < maxCertificates; step++) {
    if (!holds(current, now)) return false
    const mayIssue = (one: X509Certificate) => issued(one, current) && step <= mostBelow(one)
    if (authorities.some((one) => mayIssue(one) && holds(one, now))) return true
    const next = between.find((one) => one.ca && one !== current && mayIssue(one))
    if (!next) return false
    current = next
  }
  return false
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function holds({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now < Date.parse(validTo)
}

/** How many authorities there may be between it and a signer (RFC 5280, section 4.2.1.9); of what cannot be read, none. */
function mostBelow({ raw }: X509Certificate): number {
  try {
    const constraints = extension(raw, basicConstraints)
    const length = constraints && children(first(constraints).body).find(({ tag }) => tag === tags.integer)
    return length ? Number(`0x${length.body.toString('hex')}`) : Infinity
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}
