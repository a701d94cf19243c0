/** The verification of a caller, as it is stored with a call, and its names elsewhere. */
import type { Attestation } from './passport.js'

/** Why a signature proves nothing. */
export const verificationFailures = [
  'bad_identity',
  'stale',
  'other_number',
  'no_certificate',
  'untrusted',
] as const
export type VerificationFailure = (typeof verificationFailures)[number]

/** `none`: the call came without a signature. */
export const verificationStatuses = ['passed', 'failed', 'none'] as const

export interface CallerVerification {
  readonly status: (typeof verificationStatuses)[number]
  /** The signer's attestation; null unless the verification passed. */
  readonly attestation: Attestation | null
  /** Null unless it failed. */
  readonly reason: VerificationFailure | null
}

/** What to do with calls whose caller is not verified: `refuse_failed` lets unsigned ones in. */
export const unverifiedCallers = ['take', 'refuse_failed', 'refuse'] as const
export type UnverifiedCallers = (typeof unverifiedCallers)[number]

/** What phones get: `verstat` of 3GPP TS 24.229, section 7.2A.20, and ATIS-1000074. */
export const verstatOf: Readonly<Record<CallerVerification['status'], string>> = {
  passed: 'TN-Validation-Passed',
  failed: 'TN-Validation-Failed',
  none: 'No-TN-Validation',
}

/** A final answer to an INVITE. */
export interface SipRefusal {
  readonly sipCode: number
  readonly phrase: string
}

/** RFC 8224, section 6.2.2. */
const refusals: Readonly<Record<VerificationFailure, SipRefusal>> = {
  bad_identity: { sipCode: 438, phrase: 'Invalid Identity Header' },
  other_number: { sipCode: 438, phrase: 'Invalid Identity Header' },
  stale: { sipCode: 403, phrase: 'Stale Date' },
  no_certificate: { sipCode: 436, phrase: 'Bad Identity Info' },
  untrusted: { sipCode: 437, phrase: 'Unsupported Credential' },
}

/**
 * How to refuse a call whose caller is not verified; null when it is taken.
 * @param verification null if no callers are verified: a policy that takes only verified callers refuses all calls then
 */
export function refusalOf(
  policy: UnverifiedCallers,
  verification: CallerVerification | null,
): SipRefusal | null {
  if (!verification) return policy === 'refuse' ? refusals.untrusted : null
  const { status, reason } = verification
  if (policy === 'take' || status === 'passed') return null
  if (reason) return refusals[reason]
  return policy === 'refuse' ? { sipCode: 428, phrase: 'Use Identity Header' } : null
}
