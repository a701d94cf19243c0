/**
 * Which agents have a call or are rung for one: nobody rings them beside it. One server drives all calls of its switch,
 * so that this is kept in memory, by the channels; what an earlier process knew is found again in the legs of live calls.
 * What other cells do with an agent is asked of {@link OtherCells}.
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

/** What other cells, with switches of their own, do with agents. */
export interface OtherCells {
  /** Whether an agent has a call there, or is rung for one, as far as is known. */
  has(agentId: string): boolean
  /** Keeps them from ringing an agent. @returns false where one of them does */
  take(agentId: string, callId: string): Promise<boolean>
  giveUp(agentId: string): void
  /** Returns once an agent who was given up can be taken by them. Never throws. */
  givenUp(agentId: string): Promise<void>
  /** Gives up all but these. */
  keepOnly(agentIds: readonly string[]): Promise<void>
}

/** Where there are none. */
export const noOtherCells: OtherCells = {
  has: () => false,
  take: async () => Promise.resolve(true),
  giveUp: () => undefined,
  givenUp: async () => Promise.resolve(),
  keepOnly: async () => Promise.resolve(),
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

  /** Agents who are being claimed. */
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
  async claim(agentId: string, callId: string): Promise<(() => void) | null> {
    if (!this.isFree(agentId)) return null
    this.claiming.add(agentId)
    try {
      if (!(await this.others.take(agentId, callId))) return null
    } finally {
      this.claiming.delete(agentId)
    }
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

  /** A channel goes on in another call. */
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

  /** Returns once other cells can claim an agent who is free. */
  async givenUp(agentId: string): Promise<void> {
    await this.others.givenUp(agentId)
  }

  /** Another cell has let an agent go. */
  freedElsewhere(agentId: string): void {
    if (this.isFree(agentId)) this.emit('freed', agentId)
  }

  /** Begins anew with what the rows of live calls say. */
  restore(legs: readonly HeldLeg[]): void {
    this.claims.clear()
    this.idsOf.clear()
    this.released.clear()
    for (const leg of legs) this.hold(leg)
    this.emit('restored')
  }

  /** Lets all agents go: the switch is gone, and all channels with it. */
  releaseAll(): void {
    for (const id of [...this.claims.keys()]) this.release(id)
  }

  /** Gives up claims for channels that the switch does not have. @throws when the database is away */
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
