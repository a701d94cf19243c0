import type { VoiceAgent } from './voice-agent.entity.js'
import type { VoiceAgentSettings } from '../voice-agent-sessions/voice-agent-settings.entity.js'

/** A voice agent and one of its versions. */
export interface VoiceAgentDetail {
  agent: VoiceAgent
  settings: VoiceAgentSettings
}
