import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { SipAccount } from './sip-account.entity.js'

/** An account as callers see it: without its hashes. */
export function presentSipAccount(account: SipAccount) {
  const { ha1: _, ha1b: __, ha1_sha256: ___, ha1b_sha256: ____, ...shown } = account
  return withTimes(shown)
}
