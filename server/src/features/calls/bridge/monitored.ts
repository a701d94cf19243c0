/** Agents who can be monitored in a call. */
import type { AnsweredLeg } from '../dialling/answered-leg.js'
import type { Side } from './side.js'
import type { Heard } from '../session/live-call.js'
import type { Bridge } from './bridge.js'

/** The agent on one side of a bridge, even after that side is replaced; null when there is no agent now. */
export function monitoredBridge(bridge: Bridge, side: Side): Heard | null {
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
export function monitoredPhone({ leg, channel }: AnsweredLeg): Heard | null {
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
