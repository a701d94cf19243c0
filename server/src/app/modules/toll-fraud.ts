/** What is looked at against toll fraud: legs over the operator's gateways, to telephone numbers. */
import { type FraudWatch, noCountry } from '../../features/alerts/fraud-watch.js'
import type { CallStore } from '../../features/calls/model/call-store.js'
import { internationalNumber } from '../../lib/numbering/e164.js'

/** Legs that are remembered until they end; of more, the oldest are not counted when they do. */
const maxRemembered = 100_000

export function watchFraud(store: CallStore, watch: FraudWatch): void {
  // The end of a leg may be written twice, and counts once.
  const open = new Set<string>()
  store.on('legBegun', ({ id, workspace_id, gateway_id, number }, isRetry) => {
    const parsed = gateway_id ? internationalNumber(number) : null
    if (!parsed) return
    const [country = noCountry] = parsed.countries
    // A further gateway that is tried for a number is no further call; dialling it again is one.
    if (!isRetry) watch.began(workspace_id, country)
    remember(open, id, maxRemembered)
  })
  store.on('legEnded', ({ id, workspace_id, answered_at }, end) => {
    const answeredAt = answered_at ?? end.answeredAt
    if (!open.delete(id) || !answeredAt) return
    watch.ended(workspace_id, (end.endedAt.getTime() - answeredAt.getTime()) / 1000)
  })
}

/** Adds to a set that holds so many at most: the oldest goes. */
function remember(set: Set<string>, one: string, most: number): void {
  const [oldest] = set
  if (set.size >= most && oldest !== undefined) set.delete(oldest)
  set.add(one)
}
