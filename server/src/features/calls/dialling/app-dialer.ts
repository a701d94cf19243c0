/** Dials a user who may have apps: all their apps and phones ring at the same time. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import { DialFailedError } from '../model/answered-leg.js'
import { failures } from '../model/termination.js'
import { appsOf } from '../routing/app-route.js'
import type { AppRoute, Route } from '../routing/route.js'
import type { AgentClaims } from './agent-claims.js'
import type { RouteDialOptions } from './dial-options.js'
import type { Dialer, Dial } from './dialer.js'
import type { UserRinger } from './user-ringer.js'

export class AppDialer implements Dialer {
  constructor(
    private readonly claims: AgentClaims,
    private readonly users: UserRinger,
    /** Dials the user's phones. */
    private readonly dialPhone: Dial,
    private readonly drop: (reached: AnsweredLeg) => void,
  ) {}

  takes(route: Route): boolean {
    return Boolean(appsOf(route))
  }

  async dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const to = appsOf(route)
    if (!to) throw new Error('the route leads to no user')
    const release = await this.claim(call, to)
    if (!release) throw new DialFailedError(failures.agentBusy, new Date())
    try {
      await this.users.admit(call, to)
      // A caller that the switch bridges by itself gets only what the switch dials, so apps cannot ring.
      if (options.caller) return await this.dialPhone(call, route, options)
      return await this.users.dial({
        ...{ call, route, to, options },
        overPhone:
          route.targets.length === 0
            ? null
            : async (signal) => this.dialPhone(call, route, { ...options, signal }),
        drop: this.drop,
      })
    } finally {
      release()
    }
  }

  /**
   * Reserves an agent, so that no other call rings them.
   * @returns null if another call does, or the agent has one
   */
  private async claim({ id }: Call, { person, isExpected }: AppRoute): Promise<(() => void) | null> {
    if (person.kind !== 'agent' || isExpected) return () => undefined
    return this.claims.claim(person.sub, id)
  }
}
