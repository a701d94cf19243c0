/**
 * Whose requests are counted together (contract, Authentication 8 and Limits): those of a key, of an agent at an address
 * and of a client. Beside each of these a wider limit holds: for all keys of a workspace, and for all people at an
 * address, so that many keys or accounts do not add up to a flood, and an office behind one address is no flood.
 */
import { createHash } from 'node:crypto'
import type { Actor, RateTier, Tenant } from './endpoint.js'
import type { RateLimits, RateState } from './rate-limits.js'

/** Limits of a whole workspace or address, as a multiple of one identity's limit. */
export interface WideLimits {
  per_workspace: number
  per_address: number
}

interface Counted {
  readonly tier: RateTier
  /** Of an endpoint that is counted apart from others of its tier. */
  readonly apart: string | null
  /** Only the wide limit of the address holds. */
  readonly uncounted: boolean
}

/** Requests with wrong credentials that an address may send, as a multiple of one identity's limit. */
const refusedTimes = 10

export class RequestCounts {
  constructor(
    private readonly limits: RateLimits,
    private readonly wide: WideLimits,
  ) {}

  /**
   * Counts a request of an actor, or of a visitor.
   * @param source the address, as `sourceOf` gives it
   * @returns what is left; null for the operator, whose box it is, and where nothing is counted
   * @throws {RateLimitError}
   */
  async count(
    { workspace, actor }: { workspace: Tenant | undefined; actor: Actor | undefined },
    { tier, apart, uncounted }: Counted,
    source: string,
  ): Promise<RateState | null> {
    if (actor?.kind === 'operator') return null
    const prefix = apart === null ? '' : `${apart} `
    if (actor?.kind === 'api_key') {
      const own = await this.limits.countEverywhere(tier, prefix + actor.sid)
      const all = `workspace:${workspace?.id ?? ''}`
      return lesser(own, await this.limits.countEverywhere(tier, all, this.wide.per_workspace))
    }
    const own = uncounted
      ? null
      : await this.limits.countEverywhere(tier, prefix + identityOf(workspace, actor, tier, source))
    const all = await this.limits.countEverywhere(tier, `address:${source}`, this.wide.per_address)
    return own && lesser(own, all)
  }

  /** Counts a request before its sender is known: a flood is refused before its bodies are read. */
  async countVisit(tier: RateTier, source: string): Promise<void> {
    await this.limits.countEverywhere(tier, `address:${source}`, this.wide.per_address)
  }

  /** Counts a visitor's request by what it names, such as a username or a session. */
  async countNamed(tier: RateTier, path: string, source: string, name: string): Promise<RateState> {
    return this.limits.countEverywhere(tier, `${path} ${source} ${digest(name)}`)
  }

  /** Counts a request whose credentials do not hold: by the credentials at an address, and by the address. */
  async countRefused(source: string, authorization: string): Promise<RateState> {
    const own = await this.limits.countEverywhere('default', `refused:${source} ${digest(authorization)}`)
    return lesser(own, await this.limits.countEverywhere('default', `refused:${source}`, refusedTimes))
  }
}

function identityOf(
  workspace: Tenant | undefined,
  actor: Exclude<Actor, { kind: 'operator' | 'api_key' }> | undefined,
  tier: RateTier,
  source: string,
): string {
  switch (actor?.kind) {
    case undefined:
      return `visitor:${source}`
    case 'agent':
      // What an agent sends is counted wherever they are (contract, Limits: SMS tier).
      return tier === 'sms' ? actor.id : `${actor.id} ${source}`
    case 'client':
      return `client:${workspace?.id ?? ''}:${actor.sub}`
    case 'call_token':
      return `call:${actor.call_id}:${actor.sub}`
  }
}

function lesser(own: RateState, wide: RateState): RateState {
  return wide.remaining < own.remaining ? wide : own
}

/** Names of strangers are of any length. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}
