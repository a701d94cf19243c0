/** What runs for every live call, whoever made it. */
import type { Channel } from '../switch/channel.js'
import type { ChannelEnd } from '../switch/channel-end.js'
import type { CallEventName } from './call-event.entity.js'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'
import type { ScriptStep } from './call.schema.js'
import type { Reached } from './hunt.js'
import type { Reach } from './reach.js'
import type { Talk } from './talk.js'
import type { Transfer } from './transfer.js'
import type { TransferRequest } from './transfer-target.js'

/** An agent who talks in a call, as a supervisor hears them. */
export interface Heard {
  readonly agentId: string
  /** Theirs now; another one when the call was handed over. */
  readonly channel: Channel
  /** Whether nobody talks there any more. */
  readonly isOver: boolean
  /** Calls back when it is over. @returns forgets that */
  onOver(callback: () => void): () => void
}

/** Whom a phone talks with. */
export interface Partner {
  readonly leg: CallLeg
  /** Whether the phone has called them. */
  readonly isCalled: boolean
}

/** How somebody goes on in another call. */
export interface Giving {
  /** Writes their leg to the other call. @returns its id @throws {CallGoneError} one of both calls has ended */
  readonly take: (leg: CallLeg) => Promise<string>
  /** Is waited for before both are parted; the phone may leave from then on. */
  readonly taken: () => Promise<void>
}

export interface LiveCall {
  readonly call: Call
  /** The channel that the call stands and falls with. */
  readonly channel: Channel | undefined
  /** Ids of all its channels. */
  readonly channelIds: string[]
  /** USD that the call has cost up to a moment. */
  costAt(now: Date): number
  /** Seconds of the largest step in which what lives of it is charged. */
  readonly increment: number
  /** Ends the call, or the attempt to reach somebody. */
  hangUp(cause: string): Promise<void>
  /** Ends it with what is known when the switch no longer tells. */
  lose(end: ChannelEnd): void
  /** Lets go of a call that another cell goes on with; calls of phones never are. */
  abandon?(): void
  /** Runs another script in the place of what is left of its own; calls of phones have none. */
  replaceScript?(script: ScriptStep[], revision: number): void
  /** Other actions wait behind those of its script. */
  actionsPushed?(): void
  /** The talk of its line with somebody, while there is one; calls of phones have none. */
  readonly talk?: Talk | undefined
  /** Whether an earlier process left a talk in it that goes on in a moment. */
  readonly isResuming?: boolean
  /** The transfer that is under way. */
  readonly transfer?: Transfer | undefined
  /**
   * Begins to hand the call over; resolves when who hands it over may leave.
   * @param reach finds the target; rings them by default
   * @returns the transfer; null when there is no talk, or one is under way
   */
  handOver?(request: TransferRequest, reach?: Reach): Promise<Transfer | null>
  /**
   * Takes a call over that the switch joins by itself, so that it can be handed over. Only calls of phones have this.
   * @param by who asks for it, an agent or a SIP account: when they are in the call, it is they who hand it over
   * @returns what runs the call from now on, with its talk; null when nobody talks in it
   */
  drive?(by: string): Promise<LiveCall | null>
  /** Whom the phone on a channel talks with; null while nobody does. {@link give} may be called where it is not null. */
  partnerOf(channelId: string): Partner | null
  /**
   * Has whom the phone on a channel talks with go on in another call, parked; the phone is let go, and this call ends.
   * @returns null when one of both has left before
   */
  give(channelId: string, giving: Giving): Promise<Reached | null>
  /** Adds to its timeline; calls that have no program tell nothing. */
  note?(event: CallEventName, details: object): void
  /** The agents who talk in it now. */
  heard(): Heard[]
  /** Resolves when all that it knew is written. */
  settled(): Promise<void>
}

/** The clocks of switch and server differ by a little: a timeline must not run backwards. */
export function notBefore(earliest: Date, at: Date): Date {
  return at < earliest ? earliest : at
}
