import type { Talk } from '../../calls/talk.js'
import type { Side } from '../../calls/talk-mark.js'

/** Which place of a talk a voice agent has; null when it is in it no more. */
export function sideOf(talk: Talk, voiceAgentId: string): Side | null {
  const sides: readonly Side[] = ['operator', 'line']
  return sides.find((side) => talk.at(side).leg.voice_agent_id === voiceAgentId) ?? null
}
