/** What calls and texts cost. */
import { micros, microsOf } from '../../lib/money.js'

/** What a leg of a call costs; the columns of its row. */
export interface Rate {
  /** USD. */
  readonly fee_per_minute: number
  /** USD, once when it is answered. */
  readonly connection_fee: number
  /** Seconds that are charged of every answered leg, at least. */
  readonly minimum_seconds: number
  /** What is beyond the minimum is charged in steps of so many seconds. */
  readonly increment_seconds: number
  /** The deck that it is of; null: the fee of a number, or of a voice agent's model. */
  readonly rate_deck_id: string | null
  /** Digits that the number begins with; '' for all numbers. Null without a deck. */
  readonly rate_prefix: string | null
}

/** The rate of what is charged by the second. @param fee_per_minute USD */
export function perMinute(fee_per_minute: number): Rate {
  return {
    fee_per_minute,
    ...{ connection_fee: 0, minimum_seconds: 1, increment_seconds: 1 },
    ...{ rate_deck_id: null, rate_prefix: null },
  }
}

export const free = perMinute(0)

/** Whether a leg costs nothing, however long it is. */
export function isFree({ fee_per_minute, connection_fee }: Rate): boolean {
  return fee_per_minute === 0 && connection_fee === 0
}

/** Seconds between answer and end; every begun second counts, and the first begins with the answer. */
export function billedSeconds(answeredAt: Date | null, endedAt: Date): number {
  if (!answeredAt) return 0
  return Math.max(1, Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1000))
}

type Steps = Pick<Rate, 'minimum_seconds' | 'increment_seconds'>

/** Seconds that are charged of so many. */
export function chargedSeconds(seconds: number, { minimum_seconds, increment_seconds }: Steps): number {
  if (seconds <= 0) return 0
  const beyond = Math.max(0, seconds - minimum_seconds)
  return minimum_seconds + Math.ceil(beyond / increment_seconds) * increment_seconds
}

/** USD, to six decimals, of a leg that was up for so many seconds; nothing without an answer. */
export function costOf(seconds: number, rate: Omit<Rate, 'rate_deck_id' | 'rate_prefix'>): number {
  if (seconds <= 0) return 0
  const time = Math.round((chargedSeconds(seconds, rate) * microsOf(rate.fee_per_minute)) / 60)
  return (microsOf(rate.connection_fee) + time) / micros
}

/** USD, of a text. @param price USD a segment */
export function costOfSegments(segments: number, price: number): number {
  return (segments * microsOf(price)) / micros
}

/** Seconds that a credit pays for at a rate; Infinity when calls are free. */
export function affordableSeconds(credit: number, rate: Rate): number {
  if (isFree(rate)) return Infinity
  const left = microsOf(credit) - microsOf(rate.connection_fee)
  if (left < 0) return 0
  if (rate.fee_per_minute === 0) return Infinity
  const paid = Math.floor((left * 60) / microsOf(rate.fee_per_minute))
  if (paid < rate.minimum_seconds) return 0
  const steps = Math.floor((paid - rate.minimum_seconds) / rate.increment_seconds)
  return rate.minimum_seconds + steps * rate.increment_seconds
}
