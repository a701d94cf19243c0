/** Voice agents as calls see them: what a call can be connected with. */
import type { Route } from './call-routing.js'
import type { Call } from './call.entity.js'

export interface VoiceAgentWays {
  /**
   * The way to a voice agent.
   * @param version one of its own, in the place of the published one
   * @returns null when there is no such voice agent or version, or none is published
   */
  wayTo(call: Readonly<Call>, voiceAgentId: string, version?: number): Promise<Route | null>
}
