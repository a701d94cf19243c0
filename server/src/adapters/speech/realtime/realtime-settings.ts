/** What a session asks for, in the words of the protocol: `session.update`, `conversation.item.create`, `response.create`. */
import type { SaidBefore, SpeechSettings } from '../speech-model.js'
import type { RealtimeAddress } from './realtime-address.js'

/** The protocol has PCM at no other rate. */
export const realtimeRate = 24_000

/** After this silence a caller has ended a sentence: the protocol's own default. */
const usualSilenceMs = 500

type Words = Pick<RealtimeAddress, 'protocol' | 'transcriptionModel'>

/**
 * The `session` of a `session.update`. `ga` has no temperature: OpenAI took it out of the protocol, and what a version
 * sets is heeded with `beta` only, within its 0.6 to 1.2.
 */
export function sessionSettings(words: Words, settings: SpeechSettings): object {
  return words.protocol === 'ga' ? gaSession(words, settings) : betaSession(words, settings)
}

function gaSession(words: Words, settings: SpeechSettings): object {
  const format = { type: 'audio/pcm', rate: realtimeRate }
  const transcription = transcriptionOf(words, settings)
  return {
    type: 'realtime',
    instructions: settings.instructions,
    output_modalities: [settings.textOnly ? 'text' : 'audio'],
    audio: {
      input: {
        format,
        turn_detection: turnDetectionOf(settings),
        ...(transcription && { transcription }),
        ...(settings.noiseReduction && { noise_reduction: nearField }),
      },
      output: { format, ...(settings.voiceId !== null && { voice: settings.voiceId }) },
    },
    tools: toolsOf(settings),
    tool_choice: 'auto',
  }
}

function betaSession(words: Words, settings: SpeechSettings): object {
  const transcription = transcriptionOf(words, settings)
  return {
    modalities: settings.textOnly ? ['text'] : ['text', 'audio'],
    instructions: settings.instructions,
    input_audio_format: 'pcm16',
    output_audio_format: 'pcm16',
    turn_detection: turnDetectionOf(settings),
    ...(transcription && { input_audio_transcription: transcription }),
    ...(settings.noiseReduction && { input_audio_noise_reduction: nearField }),
    ...(settings.voiceId !== null && { voice: settings.voiceId }),
    tools: toolsOf(settings),
    tool_choice: 'auto',
    temperature: Math.min(betaTemperature.most, Math.max(betaTemperature.least, settings.temperature)),
  }
}

const betaTemperature = { least: 0.6, most: 1.2 }

/** The server hears when the caller begins and ends, and answers by itself. */
function turnDetectionOf({
  turnDetection: { type, eagerness, threshold, silenceMs },
}: SpeechSettings): object {
  const answers = { create_response: true, interrupt_response: true }
  if (type === 'semantic_vad') return { type, ...(eagerness !== null && { eagerness }), ...answers }
  return {
    type: 'server_vad',
    ...(threshold !== null && { threshold }),
    ...{ silence_duration_ms: silenceMs ?? usualSilenceMs, ...answers },
  }
}

/** A telephone is held to the mouth. */
const nearField = { type: 'near_field' }

/** @returns null if the session has no transcription model */
function transcriptionOf({ transcriptionModel: model }: Words, { language }: SpeechSettings): object | null {
  if (model === null) return null
  // ISO 639-1, as the protocol has it: of BCP 47 the first part, where it has two letters.
  const [code = ''] = (language ?? '').toLowerCase().split('-')
  return { model, ...(code.length === 2 && { language: code }) }
}

function toolsOf({ tools }: SpeechSettings): object[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }))
}

/** The `item` of something that was said, or written, or that the caller does not hear. */
export function messageItem(
  { protocol }: Words,
  role: SaidBefore['speaker'] | 'system',
  text: string,
): object {
  if (role !== 'voice_agent') {
    return {
      type: 'message',
      role: role === 'caller' ? 'user' : 'system',
      content: [{ type: 'input_text', text }],
    }
  }
  const type = protocol === 'ga' ? 'output_text' : 'text'
  return { type: 'message', role: 'assistant', content: [{ type, text }] }
}

/**
 * The `response` of a `response.create` that says a text verbatim. Without context (`input: []`) the model has nothing
 * to answer to or to add. Later answers still know what it said, because the response is part of the conversation
 * (`conversation` is `auto`).
 */
export function literalResponse({ protocol }: Words, text: string): object {
  return {
    input: [],
    tool_choice: 'none',
    instructions: `Say exactly the following text, word for word, in its own language, and nothing else:\n\n${text}`,
    ...(protocol === 'beta' && { temperature: betaTemperature.least }),
  }
}

/** The `response` of a `response.create` with instructions of its own, which replace the session's. */
export function responseAbout(settings: SpeechSettings, about: string): object {
  return { instructions: `${settings.instructions}\n\n${about}` }
}
