/**
 * Text to speech: `POST /audio/speech` (https://platform.openai.com/docs/api-reference/audio/createSpeech), which
 * speaches (Kokoro, Piper), Kokoro-FastAPI and others answer too.
 */
import { SpeechModelError } from '../speech-model.js'
import { retried } from './retried.js'
import type { ServiceLink } from './service-link.js'
import type { CascadedServices, Deadlines } from './services.js'
import { SpeechSamples } from './speech-samples.js'

/** Sound of one sentence: minutes. */
const maxBytes = 16_777_216

export class TextToSpeech {
  private readonly voice: string

  /** @param rate samples a second of what is spoken */
  constructor(
    private readonly link: ServiceLink,
    private readonly service: CascadedServices['textToSpeech'],
    voice: string | null,
    private readonly deadlines: Deadlines,
    private readonly rate: number,
  ) {
    this.voice = voice ?? service.voice
  }

  /** Speaks a text. @param onSamples gets the samples as they arrive; none twice, also when the request is repeated */
  async speak(text: string, signal: AbortSignal, onSamples: (samples: Int16Array) => void): Promise<void> {
    let heard = 0
    await retried(signal, async () => {
      // A second answer says the same: what the caller has of the first is left out.
      let left = heard
      await this.ask(text, signal, (samples) => {
        const fresh = samples.subarray(Math.min(left, samples.length))
        left -= samples.length - fresh.length
        heard += fresh.length
        if (fresh.length > 0) onSamples(fresh)
      })
    })
  }

  private async ask(
    text: string,
    signal: AbortSignal,
    onSamples: (samples: Int16Array) => void,
  ): Promise<void> {
    const { model } = this.service
    const body = JSON.stringify({ model, input: text, voice: this.voice, response_format: 'pcm' })
    const headers = { 'content-type': 'application/json' }
    await this.link.ask(
      {
        ...{ method: 'POST', path: '/audio/speech', headers, body },
        ...{ deadlines: this.deadlines, maxBytes, signal },
      },
      async ({ type, headers: answered, parts }) => {
        if (isOtherThanSamples(type)) {
          throw new SpeechModelError('protocol', `text to speech answered with ${type.slice(0, 60)}`)
        }
        const rate = /;\s*rate=(\d{4,5})\b/i.exec(answered['content-type'] ?? '')?.[1]
        const samples = new SpeechSamples(rate ? Number(rate) : this.service.pcmRate, this.rate)
        for await (const part of parts) onSamples(samples.push(part))
        onSamples(samples.end())
      },
    )
  }
}

/**
 * Compressed sound, or no sound. Servers send samples as `audio/pcm`, `audio/wav`, `application/octet-stream` and so on.
 */
function isOtherThanSamples(type: string): boolean {
  return /^(text\/|application\/json|audio\/(mpeg|mp3|opus|ogg|aac|flac|webm|mp4))/.test(type)
}
