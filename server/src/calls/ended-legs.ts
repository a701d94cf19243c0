/** What legs that have ended have cost, of the calls that run here: it is not charged before their calls end. */
import type { ChannelEnd } from '../switch/channel-end.js'
import { billedSeconds, costOf, sumOf } from '../rates/rating.js'
import type { CallLeg } from './call-leg.entity.js'
import { answerOfLeg } from './leg-ends.js'

export class EndedLegs {
  /** USD, by the leg's id, by the call's. */
  private readonly calls = new Map<string, Map<string, number>>()

  /** A call runs here from now on. @param legs those that it has had */
  follow(callId: string, legs: readonly CallLeg[] = []): void {
    if (!this.calls.has(callId)) this.calls.set(callId, new Map())
    for (const leg of legs) if (leg.ended_at) this.add(leg, leg.answered_at, leg.ended_at)
  }

  /** A leg has ended; of a call that does not run here it does not matter. */
  ended(leg: CallLeg, end: ChannelEnd): void {
    this.add(leg, answerOfLeg(leg, end), end.endedAt)
  }

  /** USD. @param living legs that are counted otherwise */
  costOf(callId: string, living: readonly (CallLeg | undefined)[]): number {
    const legs = [...(this.calls.get(callId) ?? [])]
    return sumOf(legs.flatMap(([id, cost]) => (living.some((leg) => leg?.id === id) ? [] : [cost])))
  }

  forget(callId: string): void {
    this.calls.delete(callId)
  }

  clear(): void {
    this.calls.clear()
  }

  private add(leg: CallLeg, answeredAt: Date | null, endedAt: Date): void {
    this.calls.get(leg.call_id)?.set(leg.id, costOf(billedSeconds(answeredAt, endedAt), leg))
  }
}
