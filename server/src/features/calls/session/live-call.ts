/** The running session of a live call, of either kind. */
import type { PartnerMove } from '../bridge/partner-move.js'
import type { MonitoredAgent } from '../bridge/monitored.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'
import type { ScriptStep } from '../model/call.schema.js'
import type { DialStrategy } from '../dialling/dial-strategy.js'
import type { Bridge } from '../bridge/bridge.js'
import type { Transfer } from '../bridge/transfer.js'
import type { TransferRequest } from '../bridge/transfer-target.js'

/** The party that a phone is bridged with. */
export interface Partner {
  readonly leg: CallLeg
  /** True if the phone has called this party. */
  readonly isCalled: boolean
}

/** What calls of both kinds can do. */
interface RunningCall {
  readonly call: Call
  /** The channel whose end ends the call. */
  readonly channel: Channel | undefined
  /** Ids of all channels of the call. */
  readonly channelIds: string[]
  /** USD that the call has cost up to a moment. */
  costAt(now: Date): number
  /** Seconds of the largest billing increment among its live legs. */
  readonly increment: number
  /** Ends the call, or cancels its dial. */
  hangUp(cause: string): Promise<void>
  /** Ends it with what is known, when the switch no longer reports its end. */
  lose(end: ChannelEnd): void
  /** The party bridged with the phone on a channel; null if there is none. Call {@link movePartner} only if it is not null. */
  partnerOf(channelId: string): Partner | null
  /**
   * Moves the party bridged with the phone on a channel to another call, parked; the phone is hung up, and this call
   * ends.
   * @returns null if one of them has left before
   */
  movePartner(channelId: string, move: PartnerMove): Promise<AnsweredLeg | null>
  /** The agents in the call now. */
  monitored(): MonitoredAgent[]
  /** Resolves when all pending writes are done. */
  settled(): Promise<void>
}

/** A call that runs a script or a flow; its bridges are made by this server. */
export interface ScriptedCall extends RunningCall {
  readonly kind: 'scripted'
  /** Releases a call that another cell continues. */
  abandon(): void
  /** Runs another script instead of the rest of its own. */
  replaceScript(script: ScriptStep[], revision: number): void
  /** Further actions have been queued behind its script. */
  actionsPushed(): void
  /** The bridge of the script leg, while there is one. */
  readonly bridge: Bridge | undefined
  /** True if the previous process left a bridge that is about to be resumed. */
  readonly isResuming: boolean
  /** The transfer in progress. */
  readonly transfer: Transfer | undefined
  /**
   * Starts a transfer; resolves when the transferring party may leave.
   * @param strategy finds the target; dials it by default
   * @returns the transfer; null if the call is not bridged, or a transfer is in progress
   */
  handOver(request: TransferRequest, strategy?: DialStrategy): Promise<Transfer | null>
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
}

/** A call of a phone: the switch bridges both ends by itself, and there is no script. */
export interface SwitchBridgedCall extends RunningCall {
  readonly kind: 'switch_bridged'
  /**
   * Takes the call over from the switch, so that it can be transferred.
   * @param by id of the agent or SIP account that asks; if they are in the call, they are the transferring party
   * @returns the session that runs the call from now on, with its bridge; null if the call is not bridged
   */
  drive(by: string): Promise<ScriptedCall | null>
}

export type LiveCall = ScriptedCall | SwitchBridgedCall

/** A call, if it runs a script. */
export function scripted(live: LiveCall | undefined): ScriptedCall | undefined {
  return live?.kind === 'scripted' ? live : undefined
}

/** The clocks of switch and server differ slightly: a timeline must not run backwards. */
export function notBefore(earliest: Date, at: Date): Date {
  return at < earliest ? earliest : at
}
