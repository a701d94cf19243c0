import Type from 'typebox'
import { maxPageSize } from '../../infrastructure/http/lists.js'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'
import type { CallDialogue } from './call-dialogue.entity.js'
import { type SessionEnd, type VoiceAgentSession, sessionEnds } from './voice-agent-session.entity.js'

const Count = Type.Integer()

export const VoiceAgentSessionShape = Type.Object(
  {
    id: Type.String(),
    leg_id: Type.String(),
    voice_agent_id: Type.String(),
    version: Type.Integer(),
    provider: Type.String(),
    model_id: Type.String(),
    started_at: Timestamp,
    ended_at: nullable(Timestamp),
    end_reason: Type.Unsafe<SessionEnd | null>({ type: ['string', 'null'], enum: [...sessionEnds, null] }),
    usage: nullable(
      Type.Object(
        {
          input_text_tokens: Count,
          input_audio_tokens: Count,
          cached_tokens: Count,
          output_text_tokens: Count,
          output_audio_tokens: Count,
          transcribed_seconds: Type.Number(),
          spoken_characters: Count,
        },
        { description: 'By the provider’s own count, so far; null until something was said' },
      ),
    ),
    cost: Type.Number({ description: 'USD, a part of the call’s cost' }),
  },
  { title: 'VoiceAgentSession' },
)

export const CallDialogueShape = Type.Object(
  {
    id: Type.String(),
    session_id: Type.String(),
    position: Type.Integer({ description: 'From 1, in the order in which it was said' }),
    speaker: Type.Enum(['caller', 'voice_agent']),
    text: Type.String(),
    is_interrupted: Type.Boolean({ description: 'The caller began to speak before they had heard it all' }),
    created_at: Timestamp,
  },
  { title: 'CallDialogue' },
)

export const TranscriptQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 50 }),
})

export function presentSession(session: VoiceAgentSession) {
  const { usage_counts: used } = session
  return {
    id: session.id,
    leg_id: session.leg_id,
    voice_agent_id: session.voice_agent_id,
    version: session.version,
    provider: session.provider,
    model_id: session.model_id,
    started_at: session.started_at.toISOString(),
    ended_at: session.ended_at?.toISOString() ?? null,
    end_reason: session.end_reason,
    usage: used && {
      input_text_tokens: used.inputTextTokens,
      input_audio_tokens: used.inputAudioTokens,
      cached_tokens: used.cachedTokens,
      output_text_tokens: used.outputTextTokens,
      output_audio_tokens: used.outputAudioTokens,
      transcribed_seconds: used.transcribedSeconds,
      spoken_characters: used.spokenCharacters,
    },
    cost: session.cost,
  }
}

export function presentDialogue({ id, session_id, position, speaker, text, ...more }: CallDialogue) {
  return {
    ...{ id, session_id, position, speaker, text, is_interrupted: more.is_interrupted },
    created_at: more.created_at.toISOString(),
  }
}
