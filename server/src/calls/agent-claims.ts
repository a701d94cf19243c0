/**
 * Which agents have a call or are rung for one: nobody rings them beside it. One server drives all calls of its switch,
 * so that this is kept in memory, by the channels; what an earlier process knew is found again in the legs of live calls.
 */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Reach } from '../presence/agent-state.js'
import type { Switchboard } from '../switch/switchboard.js'
import type { CallLeg } from './call-leg.entity.js'

/** What is told of a leg, which need not be an agent's. */
export type HeldLeg = Pick<
  CallLeg,
  'agent_id' | 'channel_id' | 'call_id' | 'role' | 'created_at' | 'answered_at'
>

interface Claim {
  agentId: string
  callId: string
  /** Whether the agent is in the call, rather than rung for it. */
  talks: boolean
  /** A supervisor only hears a call, and is never in it. */
  onlyHears: boolean
  since: Date
  /** It is of a ring, which has many channels or none yet. */
  isRing: boolean
}

interface ClaimEvents {
  freed: [agentId: string]
  /** An agent is rung, has answered, or has one leg less. */
  changed: [agentId: string]
  /** All are known anew. */
  restored: []
}

/** The switch lists a channel within this after it was claimed for. */
const listedAfterMs = 10_000

/** The row of a leg tells of its end within this. */
const writtenAfterMs = 60_000

export class AgentClaims extends EventEmitter<ClaimEvents> {
  /** By the channel; of a ring by an id of its own. */
  private readonly claims = new Map<string, Claim>()
  /** The claims to each agent. */
  private readonly idsOf = new Map<string, Set<string>>()
  /** When channels were released, in milliseconds since 1970; the oldest first. */
  private readonly released = new Map<string, number>()

  constructor(switchboard: Pick<Switchboard, 'on'>) {
    super()
    this.setMaxListeners(0)
    switchboard.on('answered', (channelId, at) => this.answered(channelId, at))
    switchboard.on('gone', (channelId) => this.release(channelId))
  }

  isFree(agentId: string): boolean {
    return !this.idsOf.has(agentId)
  }

  /** Agents who have a call or are rung for one, and since when. */
  *taken(): Iterable<[agentId: string, reach: Reach]> {
    for (const agentId of this.idsOf.keys()) {
      const reach = this.reachOf(agentId)
      if (reach) yield [agentId, reach]
    }
  }

  /** Undefined for an agent who is free. */
  reachOf(agentId: string): Reach | undefined {
    const claims = [...(this.idsOf.get(agentId) ?? [])].flatMap((id) => this.claims.get(id) ?? [])
    const claim = claims.find(({ talks }) => talks) ?? claims[0]
    if (!claim) return undefined
    const { talks, callId, since } = claim
    return { state: talks ? 'incall' : 'busy', call_id: callId, since }
  }

  /** Whether what is known here of a channel is newer than what its row says. */
  knows(channelId: string): boolean {
    return this.claims.has(channelId) || this.released.has(channelId)
  }

  /**
   * Claims an agent who is going to be rung, on however many channels.
   * @returns gives the claim up; null when they have a call, or are rung for one
   */
  claim(agentId: string, callId: string): (() => void) | null {
    if (!this.isFree(agentId)) return null
    const id = randomUUID()
    this.add(id, { agentId, callId, talks: false, onlyHears: false, since: new Date(), isRing: true })
    return () => this.release(id)
  }

  /**
   * An agent has this leg, besides others or not: one of a ring, or of a call that they make themselves. Nothing is
   * done for a leg that is no agent's.
   */
  hold({ agent_id, channel_id, call_id, role, created_at, answered_at }: HeldLeg): void {
    if (agent_id === null) return
    // Who calls is in a call from the beginning.
    const onlyHears = role === 'supervisor'
    const talks = role === 'caller' || (answered_at !== null && !onlyHears)
    const since = role === 'caller' ? created_at : (answered_at ?? created_at)
    this.add(channel_id, { agentId: agent_id, callId: call_id, talks, onlyHears, since, isRing: false })
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
      this.emit('freed', agentId)
    }
    this.emit('changed', agentId)
  }

  /** Begins anew with what the rows of live calls say. */
  restore(legs: readonly HeldLeg[]): void {
    this.claims.clear()
    this.idsOf.clear()
    this.released.clear()
    for (const leg of legs) this.hold(leg)
    this.emit('restored')
  }

  /** Gives up claims for channels that the switch does not have. */
  keepOnly(channelIds: readonly string[]): void {
    const existing = new Set(channelIds)
    const latest = Date.now() - listedAfterMs
    for (const [id, { since, isRing }] of [...this.claims]) {
      if (!isRing && since.getTime() < latest && !existing.has(id)) this.release(id)
    }
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
    if (!claim || claim.talks || claim.onlyHears) return
    this.claims.set(channelId, { ...claim, talks: true, since })
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
