/** Speech: a provider renders it once, and the same words are found in the cache from then on. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { convert } from './convert.js'
import { espeak } from './espeak.js'
import { SpeechCache } from './speech-cache.js'

export interface SpeechRequest {
  text: string
  voice?: string
  /** 1 is the normal speed. */
  speed?: number
}

/** Renders speech to a WAV file. */
export interface SpeechProvider {
  readonly name: string
  hasVoice(voice: string): Promise<boolean>
  render(request: Required<SpeechRequest>, target: string): Promise<void>
}

export class Speech {
  private readonly directory: string
  private readonly cache: SpeechCache
  private readonly rendering = new Map<string, Promise<string>>()

  constructor(
    private readonly config: Config['media'],
    private readonly provider: SpeechProvider = espeak,
  ) {
    this.directory = join(config.directory, 'tts')
    this.cache = new SpeechCache(this.directory, config.tts_cache_mb * 1024 * 1024)
  }

  /** Whether the provider has a voice. */
  async checkVoice(voice: string): Promise<boolean> {
    return this.provider.hasVoice(voice)
  }

  /** Path of a WAV file that says the text; rendered once, however many ask for it at once. */
  async render({ text, voice = this.config.tts_voice, speed = 1 }: SpeechRequest): Promise<string> {
    const identity = JSON.stringify([this.provider.name, voice, speed, text])
    const key = createHash('sha256').update(identity).digest('hex')
    const cached = await this.cache.find(key)
    if (cached) return cached
    const running = this.rendering.get(key)
    if (running) return running
    const rendering = this.renderNew(key, { text, voice, speed }).finally(() => this.rendering.delete(key))
    this.rendering.set(key, rendering)
    return rendering
  }

  private async renderNew(key: string, request: Required<SpeechRequest>): Promise<string> {
    await mkdir(this.directory, { recursive: true })
    const raw = join(this.directory, `${randomUUID()}.raw.tmp`)
    const converted = join(this.directory, `${randomUUID()}.wav.tmp`)
    try {
      await this.provider.render(request, raw)
      await convert(raw, 'wav', converted)
      const path = this.cache.pathOf(key)
      await rename(converted, path)
      this.cache.sweepBehind()
      return path
    } finally {
      await rm(raw, { force: true })
      await rm(converted, { force: true })
    }
  }
}
