/** Cost of ended legs of the calls that run here: they are charged only when their calls end. */
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { billedSeconds, costOf } from '../../rates/rating.js'
import { sumOf } from '../../../lib/money.js'
import type { CallLeg } from './call-leg.entity.js'
import { answerOfLeg } from './leg-ends.js'

export class EndedLegs {
  /** USD, by call id and leg id. */
  private readonly calls = new Map<string, Map<string, number>>()

  /**
   * Starts to track a call.
   * @param legs the legs that it has had
   */
  follow(callId: string, legs: readonly CallLeg[] = []): void {
    if (!this.calls.has(callId)) this.calls.set(callId, new Map())
    for (const leg of legs) if (leg.ended_at) this.add(leg, leg.answered_at, leg.ended_at)
  }

  /** Records the end of a leg; ignored for calls that do not run here. */
  ended(leg: CallLeg, end: ChannelEnd): void {
    this.add(leg, answerOfLeg(leg, end), end.endedAt)
  }

  /**
   * USD.
   * @param living legs that are counted elsewhere
   */
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
