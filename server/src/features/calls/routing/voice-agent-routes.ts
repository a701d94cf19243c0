/** Voice agents as calls see them. */
import type { Route } from './route.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { Call } from '../model/call.entity.js'

export interface VoiceAgentRoutes {
  /**
   * A route to a voice agent.
   * @param version the published one by default
   * @param maxSeconds limit of the conversation, overriding its version's; by default 300, or the version's if that is
   * less
   * @returns null if there is no such voice agent or version, or no provider has its model
   */
  routeTo(
    call: Readonly<Call>,
    voiceAgentId: string,
    version?: number,
    maxSeconds?: number,
  ): Promise<Route | null>
  /** Announcement for callers that it cannot serve: in English, and in its own language (ISO 639) if that differs. */
  apology(
    workspace: Owner,
    voiceAgentId: string,
    version: number | undefined,
  ): Promise<{ english: string; own: { language: string; text: string } | null }>
  /** As {@link routeTo}, for a call that is made to it: it starts to speak when it is bridged. */
  routeToCalled(call: Readonly<Call>, voiceAgentId: string): Promise<Route | null>
  /** The one that the workspace does not have; null if it has both. */
  missing(
    workspace: Owner,
    voiceAgentId: string,
    version: number | undefined,
  ): Promise<'voice_agent_id' | 'version' | null>
  /** True if the last voice agent of a call failed in the middle of it. */
  hasFailed(callId: string): boolean
}
