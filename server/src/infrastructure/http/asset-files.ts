/** Files of a directory that the build has filled: read once, and shared by all who ask. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Names as builds write them; none is hidden, and none leads out of the directory. */
const plainPath = /^(?:\/[\w@-][\w.@-]*)+$/

/** More than all files of a build; those of builds before it are forgotten beyond that. */
const maxKeptBytes = 64_000_000

export interface Asset {
  readonly bytes: Buffer
  readonly changedAt: Date
}

interface Kept {
  readonly size: number
  readonly changedAt: Date
  readonly bytes: Promise<Buffer>
}

export class AssetFiles {
  private readonly kept = new Map<string, Kept>()
  private storedBytes = 0

  constructor(private readonly directory: string) {}

  /** As the file is now: a rebuilt one is read again. @param path begins with a slash @returns null for no file */
  async find(path: string): Promise<Asset | null> {
    if (!plainPath.test(path)) return null
    const file = join(this.directory, path)
    const found = await stat(file).catch(() => null)
    if (!found?.isFile()) return null
    const { bytes, changedAt } = this.keep(file, found.size, found.mtime)
    try {
      return { bytes: await bytes, changedAt }
    } catch {
      // It was taken away in between.
      this.kept.delete(file)
      return null
    }
  }

  private keep(file: string, size: number, changedAt: Date): Kept {
    const before = this.kept.get(file)
    if (before?.size === size && before.changedAt.getTime() === changedAt.getTime()) return before
    if (before) this.storedBytes -= before.size
    if (this.storedBytes + size > maxKeptBytes) {
      this.kept.clear()
      this.storedBytes = 0
    }
    const one = { size, changedAt, bytes: readFile(file) }
    this.kept.set(file, one)
    this.storedBytes += size
    return one
  }
}
