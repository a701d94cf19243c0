/** Speech: a provider renders it once for a workspace, and the same words are found in the cache from then on. */
import type { SpeechRequest, SpeechFor } from './speech-provider.js'
import type { SpeechProvider } from './speech-provider.js'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.js'
import { convert } from './convert.js'
import { espeak } from './espeak.js'
import { SpeechCache } from './speech-cache.js'

export class Speech {
  private readonly directory: string
  private readonly cache: SpeechCache
  private readonly rendering = new Map<string, Promise<string>>()

  constructor(
    private readonly config: Pick<Config['media'], 'directory' | 'tts_voice' | 'tts_cache_mb'>,
    private readonly provider: SpeechProvider = espeak,
  ) {
    this.directory = join(config.directory, 'tts')
    this.cache = new SpeechCache(this.directory, config.tts_cache_mb * 1024 * 1024)
  }

  /** Whether the provider has a voice. */
  async checkVoice(voice: string): Promise<boolean> {
    return this.provider.hasVoice(voice)
  }

  /**
   * Path of a WAV file that says the text; rendered once, however many ask for it at once.
   * @throws {ApiError} 429 and 503 as the lane does
   */
  async render(
    { text, voice = this.config.tts_voice, speed = 1 }: SpeechRequest,
    consumer: SpeechFor,
  ): Promise<string> {
    const identity = JSON.stringify([this.provider.name, voice, speed, text])
    const key = createHash('sha256').update(identity).digest('hex')
    const cached = await this.cache.find(consumer.workspaceId, key)
    if (cached) return cached
    // A live call does not wait for a rendering in a slower lane.
    const name = `${consumer.lane} ${consumer.workspaceId} ${key}`
    const running = this.rendering.get(name)
    if (running) return running
    const rendering = this.renderNew(key, { text, voice, speed }, consumer).finally(() =>
      this.rendering.delete(name),
    )
    this.rendering.set(name, rendering)
    return rendering
  }

  /** Removes all that a deleted workspace had spoken. */
  async forget(workspaceId: string): Promise<void> {
    await this.cache.forget(workspaceId)
  }

  private async renderNew(
    key: string,
    request: Required<SpeechRequest>,
    consumer: SpeechFor,
  ): Promise<string> {
    await mkdir(this.directory, { recursive: true })
    const raw = join(this.directory, `${randomUUID()}.raw.tmp`)
    const converted = join(this.directory, `${randomUUID()}.wav.tmp`)
    try {
      await this.provider.render(request, raw, consumer)
      await convert({ source: raw, container: 'wav', target: converted, ...consumer })
      return await this.cache.keep(consumer.workspaceId, key, converted)
    } finally {
      await rm(raw, { force: true })
      await rm(converted, { force: true })
    }
  }
}
