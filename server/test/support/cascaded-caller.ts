/** A caller of a chain of three servers, for tests of how it answers speech. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { CascadedModel } from '../../src/adapters/speech/cascaded/cascaded-model.js'
import type { CascadedServices } from '../../src/adapters/speech/cascaded/services.js'
import type {
  SpeechModelError,
  SpeechSettings,
  SpeechUsage,
  ToolCall,
} from '../../src/adapters/speech/speech-model.js'
import { usualTurns } from '../../src/adapters/speech/turn-detection.js'
import { eventually } from './api-client.js'
import type { OpenAiHttpServer } from './openai-http.js'
import { speech } from './spoken.js'

export const key = 'sk-very-secret'
export const rate = 24_000

export const usual: SpeechSettings = {
  modelId: 'house-model',
  voiceId: null,
  instructions: 'You are the clerk of a bakery.',
  temperature: 0.8,
  noiseReduction: false,
  tools: [
    {
      name: 'find_order',
      description: 'Finds an order.',
      parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    },
  ],
  history: [],
  language: 'en-GB',
  turnDetection: usualTurns,
}

/** A model, and all events that it has emitted. */
export class Listening {
  readonly events: string[] = []
  readonly said: string[] = []
  readonly heard: string[] = []
  readonly calls: ToolCall[] = []
  readonly failures: SpeechModelError[] = []
  readonly used: Record<keyof SpeechUsage, number> = {
    ...{ inputTextTokens: 0, inputAudioTokens: 0, cachedTokens: 0, outputTextTokens: 0 },
    ...{ outputAudioTokens: 0, transcribedSeconds: 0, spokenCharacters: 0 },
  }
  /** Of each utterance, in the order in which they began. */
  readonly audio = new Map<string, number[]>()

  constructor(readonly model: CascadedModel) {
    model.on('audio', (samples, itemId) => {
      const heard = this.audio.get(itemId) ?? []
      if (heard.length === 0) this.events.push('audio')
      for (const sample of samples) heard.push(sample)
      this.audio.set(itemId, heard)
    })
    model.on('audioDone', () => this.events.push('audioDone'))
    model.on('callerSpeaks', () => this.events.push('callerSpeaks'))
    model.on('callerPauses', () => this.events.push('callerPauses'))
    model.on('heard', (text) => {
      this.events.push('heard')
      this.heard.push(text)
    })
    model.on('said', (text) => {
      this.events.push('said')
      this.said.push(text)
    })
    model.on('toolCall', (call) => {
      this.events.push('toolCall')
      this.calls.push(call)
    })
    model.on('responded', () => this.events.push('responded'))
    model.on('usage', (used) => {
      for (const [name, count] of Object.entries(used)) this.used[name as keyof SpeechUsage] += count
    })
    model.on('failed', (error) => {
      this.events.push('failed')
      this.failures.push(error)
    })
  }

  /** The caller speaks, and is then silent for long enough to end the turn, whatever they said. */
  hear(ms: number, silentMs = 1_700): void {
    for (const frame of framesFor(speech(ms, rate), silentMs)) this.model.hear(frame, new Int16Array(0))
  }

  /** Twenty times as fast as a caller. @param sent what is played to them from the beginning on */
  async hears(samples: Int16Array, silentMs = 1_700, sent: Int16Array = new Int16Array(0)): Promise<void> {
    const played = framesFor(sent, 0)
    for (const [index, frame] of framesFor(samples, silentMs).entries()) {
      this.model.hear(frame, played[index] ?? new Int16Array(0))
      if (index % 50 === 49) await sleep(50)
    }
  }

  async until(event: string, times = 1): Promise<void> {
    await eventually(
      async () => this.count(event),
      (count) => count >= times || this.failures.length > 0,
      { what: `${times} times ${event}` },
    )
    expect(this.count(event), this.failures[0]?.message).to.be.at.least(times)
  }

  count(event: string): number {
    return this.events.filter((one) => one === event).length
  }

  sound(index = 0): Int16Array {
    return Int16Array.from([...this.audio.values()][index] ?? [])
  }
}

export function services(
  server: OpenAiHttpServer,
  changes: Partial<CascadedServices['textToSpeech']> = {},
): CascadedServices {
  const service = (model: string) => ({ baseUrl: server.baseUrl, apiKey: key, model })
  return {
    speechToText: service('whisper-house'),
    chat: service('llama-house'),
    textToSpeech: { ...service('kokoro-house'), voice: 'af_heart', pcmRate: rate, ...changes },
  }
}

function framesFor(samples: Int16Array, silentMs: number): Int16Array[] {
  const length = rate / 50
  const count = Math.ceil((samples.length + (silentMs * rate) / 1_000) / length)
  return Array.from({ length: count }, (_, index) => {
    const frame = new Int16Array(length)
    frame.set(samples.subarray(index * length, (index + 1) * length))
    return frame
  })
}
