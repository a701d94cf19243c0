import { type SpeechUsage, type ToolCall } from '../speech-model.js'

export interface ChatOutcome {
  readonly toolCalls: readonly ToolCall[]
  readonly usage: Partial<SpeechUsage> | null
}
