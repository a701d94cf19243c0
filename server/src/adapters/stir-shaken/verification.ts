/** Whether who calls is who they say: the service of verification of RFC 8224, section 6.2, for calls that come in. */
import type { CallerVerification, VerificationFailure } from './caller-verification.js'
import { identityAmong, isSignedBy } from './passport.js'
import type { SignerCertificates } from './signer-certificates.js'

/** The numbers of a call as they came, digits of E.164. */
interface Numbers {
  readonly orig: string
  readonly dest: string
}

/** RFC 8224, section 4.1, recommends a minute. */
const freshSeconds = 60

const unsigned: CallerVerification = { status: 'none', attestation: null, reason: null }

export class Verification {
  constructor(private readonly certificates: Pick<SignerCertificates, 'at'>) {}

  /** Takes 2 s at the most. @param headers the Identity headers, with commas between them; undefined without one */
  async of(
    headers: string | undefined,
    { orig, dest }: Numbers,
    now = Date.now(),
  ): Promise<CallerVerification> {
    const identity = headers === undefined ? null : identityAmong(headers)
    if (identity === null) return unsigned
    if (!identity) return failed('bad_identity')
    const { claims } = identity
    if (Math.abs(now / 1000 - claims.iat) > freshSeconds) return failed('stale')
    if (claims.orig !== orig || !claims.dest.includes(dest)) return failed('other_number')
    const signer = await this.certificates.at(identity.x5u, now)
    if (signer === undefined) return failed('no_certificate')
    if (!signer?.maySignFor(orig)) return failed('untrusted')
    if (!isSignedBy(identity, signer.key)) return failed('bad_identity')
    return { status: 'passed', attestation: claims.attest, reason: null }
  }
}

function failed(reason: VerificationFailure): CallerVerification {
  return { status: 'failed', attestation: null, reason }
}
