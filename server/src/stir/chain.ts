/** Certificates of those who sign calls: whether one leads to an authority that the operator trusts. */
import { X509Certificate } from 'node:crypto'

/** A chain is the signer's certificate and some between it and the authority. */
const maxCertificates = 6

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
    const authority = authorities.find((one) => issued(one, current) && holds(one, now))
    if (authority) return true
    const next = between.find((one) => one.ca && one !== current && issued(one, current))
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
