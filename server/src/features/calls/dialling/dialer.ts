import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { Route } from '../routing/route.js'
import type { RouteDialOptions } from './dial-options.js'

/** Dials one kind of route. */
export interface Dialer {
  takes(route: Route): boolean
  /**
   * @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile
   */
  dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg>
}

/** Dials a route of any kind, as where a phone forwards to. */
export type Dial = Dialer['dial']
