/**
 * Which agents have a call or are rung for one: nobody rings them beside it. One server drives all calls of its switch,
 * so that this is kept in memory, by the channels; what an earlier process knew is found again in the legs of live calls.
 */
import { EventEmitter } from 'node:events'
import type { Switchboard } from '../switch/switchboard.js'

interface Claim {
  agentId: string
  /** Milliseconds since 1970. */
  since: number
}

/** The switch lists a channel within this after it was claimed for. */
const listedAfterMs = 10_000

export class AgentClaims extends EventEmitter<{ freed: [agentId: string] }> {
  private readonly byChannel = new Map<string, Claim>()
  /** How many channels each agent has. */
  private readonly channelsOf = new Map<string, number>()

  constructor(switchboard: Pick<Switchboard, 'on'>) {
    super()
    this.setMaxListeners(0)
    switchboard.on('gone', (channelId) => this.release(channelId))
  }

  isFree(agentId: string): boolean {
    return !this.channelsOf.has(agentId)
  }

  /** Claims an agent for a channel that is going to ring. @returns false when they have another already */
  claim(agentId: string, channelId: string): boolean {
    if (!this.isFree(agentId)) return false
    this.hold(agentId, channelId)
    return true
  }

  /** An agent has this channel, besides others or not: a call that they make themselves. */
  hold(agentId: string, channelId: string, since = Date.now()): void {
    if (this.byChannel.has(channelId)) return
    this.byChannel.set(channelId, { agentId, since })
    this.channelsOf.set(agentId, (this.channelsOf.get(agentId) ?? 0) + 1)
  }

  release(channelId: string): void {
    const claim = this.byChannel.get(channelId)
    if (!claim) return
    this.byChannel.delete(channelId)
    const left = (this.channelsOf.get(claim.agentId) ?? 1) - 1
    if (left > 0) this.channelsOf.set(claim.agentId, left)
    else {
      this.channelsOf.delete(claim.agentId)
      this.emit('freed', claim.agentId)
    }
  }

  /** Begins anew with what the rows of live calls say. */
  restore(legs: readonly { agent_id: string | null; channel_id: string }[]): void {
    this.byChannel.clear()
    this.channelsOf.clear()
    for (const { agent_id, channel_id } of legs) if (agent_id) this.hold(agent_id, channel_id, 0)
  }

  /** Gives up claims for channels that the switch does not have. */
  keepOnly(channelIds: readonly string[]): void {
    const existing = new Set(channelIds)
    const latest = Date.now() - listedAfterMs
    for (const [id, { since }] of [...this.byChannel]) {
      if (since < latest && !existing.has(id)) this.release(id)
    }
  }
}
