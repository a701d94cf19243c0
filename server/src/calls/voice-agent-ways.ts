/** Voice agents as calls see them. */
import type { Owner } from '../database/workspace-table.js'
import type { Call } from './call.entity.js'
import type { Route } from './call-routing.js'

export interface VoiceAgentWays {
  /**
   * The way to a voice agent.
   * @param version the published one by default
   * @param maxSeconds that it may talk, whatever its version says; by default 300, or what its version says if that is less
   * @returns null when there is no such voice agent or version, or no provider has its model
   */
  wayTo(
    call: Readonly<Call>,
    voiceAgentId: string,
    version?: number,
    maxSeconds?: number,
  ): Promise<Route | null>
  /** What callers hear whom it cannot serve: in English, and in its own language (ISO 639) where that is another. */
  apology(
    workspace: Owner,
    voiceAgentId: string,
    version: number | undefined,
  ): Promise<{ english: string; own: { language: string; text: string } | null }>
  /** As {@link wayTo}, for a call that is made to it: it begins to speak when it is joined with somebody. */
  wayToCalled(call: Readonly<Call>, voiceAgentId: string): Promise<Route | null>
  /** Which of both the workspace does not have; null when it has both. */
  missing(
    workspace: Owner,
    voiceAgentId: string,
    version: number | undefined,
  ): Promise<'voice_agent_id' | 'version' | null>
  /** Whether the last voice agent of a call was lost in the middle of it. */
  hasFailed(callId: string): boolean
}
