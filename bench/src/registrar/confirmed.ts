/** What servers say to an edge. */
import type { Kamailio } from '../../../server/dist/test/support/kamailio.js'

/**
 * Says what a server says every five seconds: that the edge has heard of all changes, and may use what it keeps.
 * @returns ends it
 */
export async function confirmKept(edge: Kamailio, what: 'digests' | 'numbers'): Promise<() => Promise<void>> {
  const confirm = async () => edge.rpc('htable.seti', ['confirmed', what, 1])
  await confirm()
  const timer = setInterval(() => void confirm().catch(() => undefined), 5_000)
  return async () => clearInterval(timer)
}
