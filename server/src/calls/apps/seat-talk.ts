/** What the person at a seat can do in a call that they have. */
import type { Reached } from '../hunt.js'
import type { Seat } from './seat.js'

export interface SeatTalk {
  /** Presses keys: the other side hears them, as those of a telephone. */
  dtmf(seat: Seat, digits: string): Promise<void>
  /** Nobody hears the person any more. */
  mute(seat: Seat, on: boolean): Promise<void>
  /** The other side hears music, and the person nothing. */
  hold(seat: Seat): Promise<void>
  unhold(seat: Seat): Promise<void>
  /** Whether the other side hears music because of this one. */
  isHolding(seat: Seat): boolean
  /** Tells the app on the other side, if it is one, whether the person is seen. */
  camera(seat: Seat, on: boolean): void
  /** @throws {AppRefused} when there is nobody of that name, or they take no call */
  transfer(seat: Seat, target: string, reason: string | undefined): Promise<void>
  /** Whether another leg can take the place of a seat's. */
  mayReplace(seat: Seat): boolean
  /** Gives a seat's place to another leg of the same person; its own is hung up. */
  replace(seat: Seat, next: Reached): Promise<void>
}
