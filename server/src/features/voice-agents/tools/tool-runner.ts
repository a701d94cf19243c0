/** Interface between sessions and tools: which tools there are, and the result of a call of one. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { CallEventName } from '../../calls/model/call-event.entity.js'
import type { Call } from '../../calls/model/call.entity.js'
import type { ScriptedCall } from '../../calls/session/live-call.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { SpeechTool, ToolCall } from '../../../adapters/speech/speech-model.js'
import type { VoiceAgentSettings } from '../../voice-agent-sessions/voice-agent-settings.entity.js'

/** The call in which a tool is called. */
export interface ToolContext {
  readonly workspace: Owner
  readonly call: Readonly<Call>
  readonly voiceAgentId: string
  /** The session's settings: only their tools may be called. */
  readonly settings: VoiceAgentSettings
  /** The running call; its talk is that of the caller with the voice agent. */
  readonly live: ScriptedCall
  /** The caller's channel: keys are pressed there. */
  readonly caller: Channel
  /** Aborted when the session ends; everything that a tool does ends too. */
  readonly signal: AbortSignal
  /** Resolves when the caller has heard all that the voice agent has said so far. */
  heard(): Promise<void>
  /** Gives the model news of the call, and has it speak. */
  instruct(text: string): void
  /** Adds to the call's timeline. */
  note(event: CallEventName, details: object): void
}

export interface ToolAnswer {
  /** JSON for the model. */
  readonly output: string
  /**
   * Set when the voice agent's part in the call ends with it. `ended`: the session ends, and hangs the call up.
   * `transferred`: the voice agent's leg has been hung up, or is in this moment.
   */
  readonly ends?: 'ended' | 'transferred'
}

export interface ToolRunner {
  /** The tools that a version has enabled, and that are active. */
  toolsOf(workspace: Owner, settings: VoiceAgentSettings): Promise<SpeechTool[]>
  /** Never throws: errors are answers too, of which the model can speak. Adds the call to the timeline. */
  run(context: ToolContext, call: ToolCall): Promise<ToolAnswer>
}
