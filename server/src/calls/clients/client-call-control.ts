/** Call control of the user on an answered client leg. */
import type { AnsweredLeg } from '../dialling/route-dialer.js'
import type { ClientLeg } from './client-leg.js'

export interface ClientCallControl {
  /** Sends DTMF to the other side. */
  dtmf(clientLeg: ClientLeg, digits: string): Promise<void>
  /** Mutes the user. */
  mute(clientLeg: ClientLeg, on: boolean): Promise<void>
  /** Plays music to the other side, and nothing to the user. */
  hold(clientLeg: ClientLeg): Promise<void>
  unhold(clientLeg: ClientLeg): Promise<void>
  /** True if this leg holds the other side. */
  isHolding(clientLeg: ClientLeg): boolean
  /** Notifies the app on the other side, if it is one, of the user's camera. */
  camera(clientLeg: ClientLeg, on: boolean): void
  /** @throws {AppRefused} if there is no such target, or it takes no calls */
  transfer(clientLeg: ClientLeg, target: string, reason: string | undefined): Promise<void>
  /** True if another leg can replace this one. */
  mayReplace(clientLeg: ClientLeg): boolean
  /** Replaces a leg by another one of the same user, and hangs it up. */
  replace(clientLeg: ClientLeg, next: AnsweredLeg): Promise<void>
}
