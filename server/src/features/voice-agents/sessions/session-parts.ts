/** The dependencies of a voice agent's session. */
import type { Logger } from 'pino'
import type { CallEventName } from '../../calls/model/call-event.entity.js'
import type { Call } from '../../calls/model/call.entity.js'
import type { ScriptedCall } from '../../calls/session/live-call.js'
import type { SpeechModel } from '../../../adapters/speech/speech-model.js'
import type { ToolRunner } from '../tools/tool-runner.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'
import type { SessionSettings } from '../../voice-agent-sessions/voice-agent-session.entity.js'

/**
 * How a session begins: with its greeting; by itself, when the caller returns in the same call, or comes back from a
 * hold or transfer of the previous process; or silently, when it continues one in the middle of a conversation.
 */
export type Opening = 'greeting' | 'return' | 'resume'

export interface SessionParts {
  readonly call: Readonly<Call>
  readonly model: SpeechModel
  readonly settings: SessionSettings
  readonly provider: string
  /** USD a minute. */
  readonly feePerMinute: number
  readonly opening: Opening
  /** Silence after which the caller is asked whether they are still there. */
  readonly silenceSeconds: number
  readonly store: SessionStore
  readonly tools: ToolRunner
  /** The running call; undefined when it is over. */
  live(): ScriptedCall | undefined
  note(event: CallEventName, details: object): void
  readonly log: Logger
  /** Its model was lost. */
  failed(): void
  /** It has ended, and everything is stored. */
  over(session: { readonly id: string }): void
}
