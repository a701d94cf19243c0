/**
 * Speech to text: `POST /audio/transcriptions` (https://platform.openai.com/docs/api-reference/audio/createTranscription),
 * which whisper.cpp (with `--inference-path /v1/audio/transcriptions`), speaches and others answer too.
 */
import { randomBytes } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { joinedSamples } from '../../../lib/sound/joined-samples.js'
import { SpeechModelError } from '../speech-model.js'
import { Resampler } from '../../../lib/sound/resampler.js'
import { retried } from './retried.js'
import type { ServiceLink } from './service-link.js'
import type { Deadlines } from './services.js'
import { wavOf } from './wav.js'

/** Whisper's sample rate; whisper.cpp takes no other. */
const fileRate = 16_000

const maxAnswerBytes = 262_144
const maxTextLength = 8_000

export class SpeechToText {
  /** @param language of ISO 639, or null */
  constructor(
    private readonly link: ServiceLink,
    private readonly deadlines: Deadlines,
    private readonly language: string | null,
  ) {}

  /**
   * @param rate of the samples
   * @returns what was said; empty when nothing was
   */
  async transcribe(samples: Int16Array, rate: number, signal: AbortSignal): Promise<string> {
    const { type, body } = this.form(wavOf(await atFileRate(samples, rate), fileRate))
    return retried(signal, async () =>
      this.link.ask(
        {
          ...{ method: 'POST', path: '/audio/transcriptions', headers: { 'content-type': type }, body },
          ...{ deadlines: this.deadlines, maxBytes: maxAnswerBytes, signal },
        },
        async ({ parts }) => {
          const answer: Buffer[] = []
          for await (const part of parts) answer.push(part)
          return textOf(Buffer.concat(answer).toString())
        },
      ),
    )
  }

  /** The request as multipart/form-data (RFC 7578). */
  private form(wav: Buffer): { type: string; body: Buffer } {
    const boundary = `jackfield-${randomBytes(16).toString('hex')}`
    const fields = {
      model: this.link.service.model,
      response_format: 'json',
      ...(this.language !== null && { language: this.language }),
    }
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\nContent-Type: audio/wav\r\n\r\n`
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.concat([Buffer.from(parts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    }
  }
}

/** A second of it at a time: half a minute at once would hold up the sound of every other call. */
async function atFileRate(samples: Int16Array, rate: number): Promise<Int16Array> {
  const resampler = new Resampler(rate, fileRate)
  const parts: Int16Array[] = []
  for (let at = 0; at < samples.length; at += rate) {
    parts.push(resampler.push(samples.subarray(at, at + rate)))
    await othersTurn()
  }
  parts.push(resampler.end())
  return joinedSamples(parts)
}

/** Whisper writes what is no speech in brackets: `[BLANK_AUDIO]`, `(wind blowing)`. */
const noSpeech = /^[[(*][^\])*]*[\])*]$/

function textOf(answer: string): string {
  try {
    const { text } = JSON.parse(answer) as { text?: unknown }
    if (typeof text === 'string') {
      // whisper.cpp puts each segment on a line of its own.
      const said = text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
      return noSpeech.test(said) ? '' : said
    }
  } catch {
    // Reported below, like any answer without a text.
  }
  throw new SpeechModelError('protocol', 'speech to text answered with no JSON that has a text')
}
