import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, digits, flag, money, timestamp, word } from '../../infrastructure/database/columns.js'

/**
 * What a rate is for: calls to numbers with its prefix, calls that come in on numbers of ours with its prefix, or
 * messages to numbers with its prefix.
 */
export const rateKinds = ['outbound_call', 'inbound_call', 'message'] as const
export type RateKind = (typeof rateKinds)[number]

/** The rate of a prefix in a deck. Deck, kind, prefix and `valid_from` together are unique. */
@Entity('rates')
export class DeckRate {
  @PrimaryColumn(asciiId) rate_deck_id!: string
  @PrimaryColumn(word as never) kind!: RateKind
  /** Digits that numbers begin with; '' for all numbers. */
  @PrimaryColumn(digits as never) prefix!: string
  /** From when it holds, in the place of an earlier one of the same prefix; 1970 for ever. */
  @PrimaryColumn(timestamp as never) valid_from!: Date
  /** What people call it: `Cuba mobile`. */
  @Column({ type: 'varchar', length: 64 }) destination!: string
  /** USD a minute, of messages a segment. */
  @Column(money) price!: number
  /** USD for each call that is answered. */
  @Column(money) connection_fee!: number
  /** Seconds that are charged of each call at least. */
  @Column({ type: 'smallint', unsigned: true }) minimum_seconds!: number
  /** Steps in which the seconds beyond are charged. */
  @Column({ type: 'smallint', unsigned: true }) increment_seconds!: number
  /** Its numbers may not be called, or written to. */
  @Column(flag) is_blocked!: boolean
}

/** The `valid_from` of rates that hold for ever. */
export const always = new Date(0)
