/** Call control of the user on an answered client leg. */
import type { Reached } from '../hunt.js'
import type { Seat } from './seat.js'

export interface SeatTalk {
  /** Sends DTMF to the other side. */
  dtmf(seat: Seat, digits: string): Promise<void>
  /** Mutes the user. */
  mute(seat: Seat, on: boolean): Promise<void>
  /** Plays music to the other side, and nothing to the user. */
  hold(seat: Seat): Promise<void>
  unhold(seat: Seat): Promise<void>
  /** True if this leg holds the other side. */
  isHolding(seat: Seat): boolean
  /** Notifies the app on the other side, if it is one, of the user's camera. */
  camera(seat: Seat, on: boolean): void
  /** @throws {AppRefused} if there is no such target, or it takes no calls */
  transfer(seat: Seat, target: string, reason: string | undefined): Promise<void>
  /** True if another leg can replace this one. */
  mayReplace(seat: Seat): boolean
  /** Replaces a leg by another one of the same user, and hangs it up. */
  replace(seat: Seat, next: Reached): Promise<void>
}
