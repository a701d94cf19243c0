/** The cache of rendered speech: files named by what they say, the longest unused ones removed when there are too many. */
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** A running call may still play what was asked for lately. */
const keptMs = 3_600_000

/** The directory is looked through at most this often. */
const sweepEveryMs = 60_000

export class SpeechCache {
  private sweptAt = 0

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
    private readonly now: () => number = Date.now,
  ) {}

  pathOf(key: string): string {
    return join(this.directory, `${key}.wav`)
  }

  /** Path of a file, or null; noted as used. */
  async find(key: string): Promise<string | null> {
    const path = this.pathOf(key)
    const used = new Date(this.now())
    return utimes(path, used, used).then(
      () => path,
      () => null,
    )
  }

  /**
   * Sweeps while its caller goes on: a call that waits for its words does not wait for this. A sweep that
   * fails is tried again with a later file.
   */
  sweepBehind(): void {
    this.sweep().catch(() => undefined)
  }

  /** Removes what has not been used for the longest time until the cache is within its bound. */
  async sweep(): Promise<void> {
    const now = this.now()
    if (now - this.sweptAt < sweepEveryMs) return
    this.sweptAt = now
    await mkdir(this.directory, { recursive: true })
    const names = await readdir(this.directory)
    const files = await Promise.all(names.map(async (name) => this.entry(name)))
    const entries = files.filter((file) => file !== null).sort((a, b) => a.usedAt - b.usedAt)
    let size = entries.reduce((sum, entry) => sum + entry.size, 0)
    for (const entry of entries) {
      if (size <= this.maxBytes || now - entry.usedAt < keptMs) return
      // It may have been asked for since it was listed.
      if ((await this.entry(entry.name))?.usedAt !== entry.usedAt) continue
      await rm(join(this.directory, entry.name), { force: true })
      size -= entry.size
    }
  }

  private async entry(name: string): Promise<{ name: string; size: number; usedAt: number } | null> {
    const found = await stat(join(this.directory, name)).catch(() => null)
    return found && { name, size: found.size, usedAt: found.mtimeMs }
  }
}
