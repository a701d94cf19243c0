/**
 * Which agents have a call or are rung for one: nobody rings them beside it. One server drives all calls of its switch,
 * so that this is kept in memory, by the channels; what an earlier process knew is found again in the legs of live calls.
 */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Switchboard } from '../switch/switchboard.js'

interface Claim {
  agentId: string
  /** Milliseconds since 1970. */
  since: number
  /** It is of a ring, which has many channels or none yet. */
  isRing: boolean
}

/** The switch lists a channel within this after it was claimed for. */
const listedAfterMs = 10_000

export class AgentClaims extends EventEmitter<{ freed: [agentId: string] }> {
  /** By the channel; of a ring by an id of its own. */
  private readonly claims = new Map<string, Claim>()
  /** How many claims there are to each agent. */
  private readonly countOf = new Map<string, number>()

  constructor(switchboard: Pick<Switchboard, 'on'>) {
    super()
    this.setMaxListeners(0)
    switchboard.on('gone', (channelId) => this.release(channelId))
  }

  isFree(agentId: string): boolean {
    return !this.countOf.has(agentId)
  }

  /**
   * Claims an agent who is going to be rung, on however many channels.
   * @returns gives the claim up; null when they have a call, or are rung for one
   */
  claim(agentId: string): (() => void) | null {
    if (!this.isFree(agentId)) return null
    const id = randomUUID()
    this.add(id, { agentId, since: Date.now(), isRing: true })
    return () => this.release(id)
  }

  /** An agent has this channel, besides others or not: one of a ring, or of a call that they make themselves. */
  hold(agentId: string, channelId: string, since = Date.now()): void {
    this.add(channelId, { agentId, since, isRing: false })
  }

  private add(id: string, claim: Claim): void {
    if (this.claims.has(id)) return
    this.claims.set(id, claim)
    this.countOf.set(claim.agentId, (this.countOf.get(claim.agentId) ?? 0) + 1)
  }

  release(id: string): void {
    const claim = this.claims.get(id)
    if (!claim) return
    this.claims.delete(id)
    const left = (this.countOf.get(claim.agentId) ?? 1) - 1
    if (left > 0) this.countOf.set(claim.agentId, left)
    else {
      this.countOf.delete(claim.agentId)
      this.emit('freed', claim.agentId)
    }
  }

  /** Begins anew with what the rows of live calls say. */
  restore(legs: readonly { agent_id: string | null; channel_id: string }[]): void {
    this.claims.clear()
    this.countOf.clear()
    for (const { agent_id, channel_id } of legs) if (agent_id) this.hold(agent_id, channel_id, 0)
  }

  /** Gives up claims for channels that the switch does not have. */
  keepOnly(channelIds: readonly string[]): void {
    const existing = new Set(channelIds)
    const latest = Date.now() - listedAfterMs
    for (const [id, { since, isRing }] of [...this.claims]) {
      if (!isRing && since < latest && !existing.has(id)) this.release(id)
    }
  }
}
