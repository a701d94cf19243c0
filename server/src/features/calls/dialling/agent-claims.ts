/**
 * Which agents are in a call or being rung: they are offered no other call. One server drives all calls of its
 * switch, so this is in memory, by channel; after a restart it is recovered from the legs of live calls. The agents
 * of other cells are up to {@link OtherCells}.
 */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { AgentPresence } from '../../agents/agent-state.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg } from '../model/call-leg.entity.js'

/** What claims need of a leg, which need not be an agent's. */
export type HeldLeg = Pick<
  CallLeg,
  'agent_id' | 'channel_id' | 'call_id' | 'role' | 'created_at' | 'answered_at'
>

interface Claim {
  agentId: string
  callId: string
  /** Whether the agent is in the call, rather than being rung. */
  bridges: boolean
  /** A supervisor only listens, and is never in the call. */
  onlyHears: boolean
  since: Date
  /** Made for ringing, which has several channels, or none yet. */
  isRing: boolean
}

/** Reservations of agents in other cells, which have their own switches. */
export interface OtherCells {
  /** Whether an agent is in a call there or being rung, as far as this server knows. */
  has(agentId: string): boolean
  /** Reserves an agent, so that no other cell rings them. @returns false when another cell has reserved the agent */
  take(agentId: string, callId: string): Promise<boolean>
  giveUp(agentId: string): void
  /** Resolves once other cells can reserve an agent who was given up. Never throws. */
  givenUp(agentId: string): Promise<void>
  /** Gives up all agents but these. */
  keepOnly(agentIds: readonly string[]): Promise<void>
}

/** For an appliance with one cell. */
export const noOtherCells: OtherCells = {
  has: () => false,
  take: async () => Promise.resolve(true),
  giveUp: () => undefined,
  givenUp: async () => Promise.resolve(),
  keepOnly: async () => Promise.resolve(),
}

interface ClaimEvents {
  freed: [agentId: string]
  /** An agent is being rung, has answered, or has lost a leg. */
  changed: [agentId: string]
  /** All claims have been rebuilt from the database. */
  restored: []
}

/** A claimed channel is in the switch's list within this time. */
const listedAfterMs = 10_000

/** The end of a leg is in its row within this time. */
const writtenAfterMs = 60_000

export class AgentClaims extends EventEmitter<ClaimEvents> {
  /** By channel id; a claim for ringing has an id of its own. */
  private readonly claims = new Map<string, Claim>()
  /** The ids of the claims to each agent. */
  private readonly idsOf = new Map<string, Set<string>>()
  /** When channels were released, in milliseconds since 1970; the oldest first. */
  private readonly released = new Map<string, number>()

  /** Agents whose claim waits for the other cells. */
  private readonly claiming = new Set<string>()

  constructor(
    switchboard: Pick<Switchboard, 'on'>,
    private readonly others: OtherCells,
  ) {
    super()
    this.setMaxListeners(0)
    switchboard.on('answered', (channelId, at) => this.answered(channelId, at))
    switchboard.on('gone', (channelId) => this.release(channelId))
  }

  isFree(agentId: string): boolean {
    return !this.idsOf.has(agentId) && !this.claiming.has(agentId) && !this.others.has(agentId)
  }

  /** Agents who are in a call or being rung, and since when. */
  *taken(): Iterable<[agentId: string, presence: AgentPresence]> {
    for (const agentId of this.idsOf.keys()) {
      const presence = this.presenceOf(agentId)
      if (presence) yield [agentId, presence]
    }
  }

  /** Undefined for an agent who is free. */
  presenceOf(agentId: string): AgentPresence | undefined {
    const claims = [...(this.idsOf.get(agentId) ?? [])].flatMap((id) => this.claims.get(id) ?? [])
    const claim = claims.find(({ bridges }) => bridges) ?? claims[0]
    if (!claim) return undefined
    const { bridges, onlyHears, callId, since } = claim
    if (bridges) return { state: 'incall', call_id: callId, since }
    return { state: 'busy', is_ringing: !onlyHears, call_id: callId, since }
  }

  /** Whether this server knows a channel, so that its row may be out of date. */
  knows(channelId: string): boolean {
    return this.claims.has(channelId) || this.released.has(channelId)
  }

  /**
   * Claims an agent before ringing them, on any number of channels.
   * @returns releases the claim; null when the agent is in a call or being rung
   */
  async claim(agentId: string, callId: string): Promise<(() => void) | null> {
    if (!this.isFree(agentId)) return null
    this.claiming.add(agentId)
    try {
      if (!(await this.others.take(agentId, callId))) return null
    } finally {
      this.claiming.delete(agentId)
    }
    const id = randomUUID()
    this.add(id, { agentId, callId, bridges: false, onlyHears: false, since: new Date(), isRing: true })
    return () => this.release(id)
  }

  /**
   * Adds a leg to its agent's claims: one that rings, or one of a call that the agent makes. Ignores a leg without an
   * agent.
   */
  hold({ agent_id, channel_id, call_id, role, created_at, answered_at }: HeldLeg): void {
    if (agent_id === null) return
    // A caller is in the call from the start.
    const onlyHears = role === 'supervisor'
    const bridges = role === 'caller' || (answered_at !== null && !onlyHears)
    const since = role === 'caller' ? created_at : (answered_at ?? created_at)
    this.add(channel_id, { agentId: agent_id, callId: call_id, bridges, onlyHears, since, isRing: false })
  }

  /** A channel has moved to another call. */
  moved(channelId: string, callId: string): void {
    const claim = this.claims.get(channelId)
    if (!claim) return
    this.claims.set(channelId, { ...claim, callId })
    this.emit('changed', claim.agentId)
  }

  release(id: string): void {
    const claim = this.claims.get(id)
    if (!claim) return
    const { agentId, isRing } = claim
    this.claims.delete(id)
    if (!isRing) this.remember(id)
    const ids = this.idsOf.get(agentId)
    ids?.delete(id)
    if (ids?.size === 0) {
      this.idsOf.delete(agentId)
      this.others.giveUp(agentId)
      this.emit('freed', agentId)
    }
    this.emit('changed', agentId)
  }

  /** Resolves once other cells can reserve an agent who is free here. */
  async givenUp(agentId: string): Promise<void> {
    await this.others.givenUp(agentId)
  }

  /** Another cell has released an agent. */
  freedElsewhere(agentId: string): void {
    if (this.isFree(agentId)) this.emit('freed', agentId)
  }

  /** Rebuilds all claims from the legs of live calls. */
  restore(legs: readonly HeldLeg[]): void {
    this.claims.clear()
    this.idsOf.clear()
    this.released.clear()
    for (const leg of legs) this.hold(leg)
    this.emit('restored')
  }

  /** Releases all agents: the switch is down, and its channels are gone. */
  releaseAll(): void {
    for (const id of [...this.claims.keys()]) this.release(id)
  }

  /** Releases claims for channels that the switch does not have. @throws when the database is unreachable */
  async keepOnly(channelIds: readonly string[]): Promise<void> {
    const existing = new Set(channelIds)
    const latest = Date.now() - listedAfterMs
    for (const [id, { since, isRing }] of [...this.claims]) {
      if (!isRing && since.getTime() < latest && !existing.has(id)) this.release(id)
    }
    await this.others.keepOnly([...this.idsOf.keys(), ...this.claiming])
  }

  private add(id: string, claim: Claim): void {
    if (this.claims.has(id)) return
    this.claims.set(id, claim)
    const ids = this.idsOf.get(claim.agentId) ?? new Set()
    this.idsOf.set(claim.agentId, ids.add(id))
    this.emit('changed', claim.agentId)
  }

  private answered(channelId: string, since: Date): void {
    const claim = this.claims.get(channelId)
    if (!claim || claim.bridges || claim.onlyHears) return
    this.claims.set(channelId, { ...claim, bridges: true, since })
    this.emit('changed', claim.agentId)
  }

  private remember(channelId: string): void {
    const now = Date.now()
    for (const [id, at] of this.released) {
      if (at > now - writtenAfterMs) break
      this.released.delete(id)
    }
    this.released.set(channelId, now)
  }
}
