import type { Side } from '../../calls/bridge/side.js'
import type { Bridge } from '../../calls/bridge/bridge.js'

/** Which place of a talk a voice agent has; null when it is in it no more. */
export function sideOf(bridge: Bridge, voiceAgentId: string): Side | null {
  const sides: readonly Side[] = ['destination', 'line']
  return sides.find((side) => bridge.at(side).leg.voice_agent_id === voiceAgentId) ?? null
}
