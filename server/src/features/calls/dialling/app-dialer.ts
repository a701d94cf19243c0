/** Dials a user who may have apps: all their apps and phones ring at the same time. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import { DialFailedError } from '../model/answered-leg.js'
import { connectOutcomeOf as outcomeOf, failures } from '../model/termination.js'
import { appsOf } from '../routing/app-route.js'
import type { AppRoute, Route } from '../routing/route.js'
import type { OfferResult } from '../model/call-offer.entity.js'
import type { AgentClaims } from './agent-claims.js'
import type { CallOffers, Offered } from './call-offers.js'
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
    private readonly offers: Pick<CallOffers, 'begin' | 'refuse'>,
  ) {}

  takes(route: Route): boolean {
    return Boolean(appsOf(route))
  }

  async dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const to = appsOf(route)
    if (!to) throw new Error('the route leads to no user')
    const offered = offeredTo(to, options)
    const release = await this.claim(call, to)
    try {
      if (!release) throw new DialFailedError(failures.agentBusy, new Date())
      await this.users.admit(call, to)
    } catch (error) {
      release?.()
      // The other members of a team are rung instead.
      if (offered && offered.teamId === null) this.offers.refuse(call, offered, refusalOf(error))
      throw error
    }
    const offer = offered && this.offers.begin(call, offered)
    try {
      const reached = await this.ring(call, route, to, options)
      offer?.('answered')
      return reached
    } catch (error) {
      offer?.(resultOf(error))
      throw error
    } finally {
      release?.()
    }
  }

  private async ring(
    call: Call,
    route: Route,
    to: AppRoute,
    options: RouteDialOptions,
  ): Promise<AnsweredLeg> {
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

/** Null for a client of the customer's app, and for an agent whose own app makes the call. */
function offeredTo({ person, isExpected }: AppRoute, { teamId }: RouteDialOptions): Offered | null {
  return person.kind === 'agent' && !isExpected ? { agentId: person.sub, teamId: teamId ?? null } : null
}

/** Why no device of an agent rings. */
function refusalOf(error: unknown): OfferResult {
  if (!(error instanceof DialFailedError)) return 'failed'
  return error.failure.hangupCause === failures.agentBusy.hangupCause ? 'busy' : 'offline'
}

const resultsByCause: Partial<Record<string, OfferResult>> = {
  [failures.answeredElsewhere.hangupCause]: 'answered_elsewhere',
  [failures.canceled.hangupCause]: 'caller_left',
  [failures.offline.hangupCause]: 'offline',
  USER_BUSY: 'rejected',
  CALL_REJECTED: 'rejected',
}

/** How the ringing of an agent ended without an answer. */
function resultOf(error: unknown): OfferResult {
  if (!(error instanceof DialFailedError)) return 'failed'
  const { hangupCause } = error.failure
  return resultsByCause[hangupCause] ?? (outcomeOf(error.failure) === 'no_answer' ? 'no_answer' : 'failed')
}
