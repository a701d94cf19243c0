/** Agents who can be monitored in a call. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Side } from './side.js'
import type { Bridge } from './bridge.js'

/** An agent in a call, as a supervisor monitors them. */
export interface MonitoredAgent {
  readonly agentId: string
  /** The agent's channel now; another one after a transfer. */
  readonly channel: Channel
  /** True when the agent's side has left. */
  readonly isOver: boolean
  /**
   * Calls back when it is over.
   * @returns a function that unsubscribes
   */
  onOver(callback: () => void): () => void
}

/** The agent on one side of a bridge, even after that side is replaced; null when there is no agent now. */
export function monitoredBridge(bridge: Bridge, side: Side): MonitoredAgent | null {
  const agentId = bridge.at(side).leg.agent_id
  if (agentId === null || bridge.isOver) return null
  return {
    agentId,
    get channel() {
      return bridge.at(side).channel
    },
    get isOver() {
      return bridge.isOver
    },
    onOver: (callback) => {
      bridge.once('over', callback)
      return () => bridge.off('over', callback)
    },
  }
}

/** The agent at one end of a call that the switch bridged; null when there is none. */
export function monitoredPhone({ leg, channel }: AnsweredLeg): MonitoredAgent | null {
  const agentId = leg.agent_id
  if (agentId === null || channel.end) return null
  return {
    agentId,
    channel,
    get isOver() {
      return channel.end !== undefined
    },
    onOver: (callback) => {
      channel.once('ended', callback)
      return () => channel.off('ended', callback)
    },
  }
}
