/** What dialling needs of the room that rings apps: a call to a user rings all their apps and phones. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { AppRoute, Route } from '../routing/route.js'
import type { RouteDialOptions } from './dial-options.js'

/** A request to ring one user. */
export interface UserRequest {
  call: Call
  route: Route
  to: AppRoute
  options: RouteDialOptions
  /** Dials the route's registered addresses, until the signal; null if it has none. */
  overPhone: ((signal: AbortSignal) => Promise<AnsweredLeg>) | null
  /** Hangs up a leg that answered too late. */
  drop: (reached: AnsweredLeg) => void
}

export interface UserRinger {
  /** @throws {DialFailedError} the agent takes no calls */
  admit(call: Call, to: AppRoute): Promise<void>
  /** @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile */
  dial(request: UserRequest): Promise<AnsweredLeg>
}
