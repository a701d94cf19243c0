/** Agents who can be monitored in a call. */
import type { Heard } from './live-call.js'
import type { Reached } from './hunt.js'
import type { Talk } from './talk.js'
import type { Side } from './talk-mark.js'

/** The agent on one side of a bridge, even after that side is replaced; null when there is no agent now. */
export function heardInTalk(talk: Talk, side: Side): Heard | null {
  const agentId = talk.at(side).leg.agent_id
  if (agentId === null || talk.isOver) return null
  return {
    agentId,
    get channel() {
      return talk.at(side).channel
    },
    get isOver() {
      return talk.isOver
    },
    onOver: (callback) => {
      talk.once('over', callback)
      return () => talk.off('over', callback)
    },
  }
}

/** The agent at one end of a call that the switch bridged; null when there is none. */
export function heardOnPhone({ leg, channel }: Reached): Heard | null {
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
