/** Transcribes a whole recording, over the same service that transcribes callers of voice agents. */
import { ServiceLink } from './service-link.js'
import type { Deadlines, Service } from './services.js'
import { SpeechToText } from './speech-to-text.js'

/** Samples a second. */
export const transcribedRate = 16_000

/** 9.6 MB: OpenAI takes 25 MB at once. */
const pieceSamples = 300 * transcribedRate

/** No caller waits for it, and servers without a GPU take as long as the sound. */
const deadlines: Deadlines = { silenceMs: 300_000, wholeMs: 300_000 }

/** Of the whole text. */
const maxLength = 16_000

/**
 * @param samples mono, at {@link transcribedRate}
 * @returns what was said, at most 16,000 characters; empty when nothing was
 * @throws {SpeechModelError}
 */
export async function transcribeFile(
  service: Service,
  samples: Int16Array,
  signal: AbortSignal,
): Promise<string> {
  const link = new ServiceLink(service, 'speech to text')
  try {
    const speechToText = new SpeechToText(link, deadlines, null)
    const texts: string[] = []
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const piece = samples.subarray(at, at + pieceSamples)
      texts.push(await speechToText.transcribe(piece, transcribedRate, signal))
    }
    return texts.filter(Boolean).join(' ').slice(0, maxLength)
  } finally {
    link.close()
  }
}
