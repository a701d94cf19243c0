/**
 * The cache of rendered speech: a directory for each workspace, files named by what they say. Room for a new file is made
 * before it comes, by the longest unused files of the workspace that has most: no workspace drives out another's.
 */
import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/** Age at which files of aborted renderings, and of versions before directories, are removed. */
const leftoverMs = 3_600_000

/** A call may be about to open a file that it got this recently: such files are removed last. */
const recentMs = 60_000

/** Another server may use the same directory: it is read again at most this often. */
const readEveryMs = 60_000

interface Entry {
  readonly size: number
  readonly usedAt: number
}

interface Share {
  bytes: number
  /** By name, the longest unused first. */
  readonly files: Map<string, Entry>
}

export class SpeechCache {
  private shares = new Map<string, Share>()
  private readAt = -Infinity
  /** One change after the other. */
  private queue: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly directory: string,
    private readonly maxBytes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Path of a workspace's file, or null; noted as used. */
  async find(workspaceId: string, key: string): Promise<string | null> {
    const path = this.pathOf(workspaceId, key)
    const usedAt = this.now()
    const used = new Date(usedAt)
    // Updated first, so that the file is not removed in between.
    const share = this.shares.get(workspaceId)
    const entry = share?.files.get(key)
    if (share && entry) {
      share.files.delete(key)
      share.files.set(key, { ...entry, usedAt })
    }
    return utimes(path, used, used).then(
      () => path,
      () => null,
    )
  }

  /** Takes a rendered file over, and makes room for it before. @returns its path */
  async keep(workspaceId: string, key: string, rendered: string): Promise<string> {
    return this.inTurn(async () => {
      const { size } = await stat(rendered)
      if (this.now() - this.readAt >= readEveryMs) await this.read()
      await this.makeRoom(size)
      const path = this.pathOf(workspaceId, key)
      await mkdir(join(this.directory, workspaceId), { recursive: true })
      const usedAt = this.now()
      await utimes(rendered, new Date(usedAt), new Date(usedAt))
      await rename(rendered, path)
      this.add(workspaceId, key, { size, usedAt })
      return path
    })
  }

  /** Removes all that a deleted workspace had spoken. */
  async forget(workspaceId: string): Promise<void> {
    await this.inTurn(async () => {
      this.shares.delete(workspaceId)
      await rm(join(this.directory, workspaceId), { recursive: true, force: true })
    })
  }

  private pathOf(workspaceId: string, key: string): string {
    return join(this.directory, workspaceId, `${key}.wav`)
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work)
    this.queue = done.catch(() => undefined)
    return done
  }

  private add(workspaceId: string, key: string, entry: Entry): void {
    const share = this.shares.get(workspaceId) ?? { bytes: 0, files: new Map<string, Entry>() }
    this.shares.set(workspaceId, share)
    share.bytes += entry.size - (share.files.get(key)?.size ?? 0)
    share.files.delete(key)
    share.files.set(key, entry)
  }

  /** Removes files until this many more bytes fit into the bound, or none is left. */
  private async makeRoom(size: number): Promise<void> {
    let total = [...this.shares.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    const recent = this.now() - recentMs
    for (const mayBeRecent of [false, true]) {
      while (total + size > this.maxBytes) {
        const victim = this.victim(mayBeRecent ? Infinity : recent)
        if (!victim) break
        const [workspaceId, key, entry] = victim
        await rm(this.pathOf(workspaceId, key), { force: true })
        const share = this.shares.get(workspaceId)
        if (share?.files.delete(key)) share.bytes -= entry.size
        if (share?.files.size === 0) this.shares.delete(workspaceId)
        total -= entry.size
      }
    }
  }

  /** The longest unused file of the workspace that has most, if it was last used before `before`; else of the next. */
  private victim(before: number): [workspaceId: string, key: string, entry: Entry] | undefined {
    let most: { bytes: number; found: [string, string, Entry] } | undefined
    for (const [workspaceId, { bytes, files }] of this.shares) {
      const [first] = files
      if (!first || first[1].usedAt >= before || (most && most.bytes >= bytes)) continue
      most = { bytes, found: [workspaceId, ...first] }
    }
    return most?.found
  }

  private async read(): Promise<void> {
    this.readAt = this.now()
    await mkdir(this.directory, { recursive: true })
    this.shares = new Map()
    for (const found of await readdir(this.directory, { withFileTypes: true })) {
      const path = join(this.directory, found.name)
      if (found.isDirectory()) await this.readShare(found.name, path)
      else if (await this.isLeftover(path)) await rm(path, { force: true })
    }
  }

  private async readShare(workspaceId: string, path: string): Promise<void> {
    const files = (await readdir(path)).filter((name) => name.endsWith('.wav'))
    const entries = await Promise.all(files.map(async (name) => entryOf(join(path, name), name)))
    const known = entries.filter((entry) => entry !== null).sort((a, b) => a.usedAt - b.usedAt)
    for (const { key, size, usedAt } of known) this.add(workspaceId, key, { size, usedAt })
    // Fails where another server has just put a file there.
    if (files.length === 0) await rmdir(path).catch(() => undefined)
  }

  private async isLeftover(path: string): Promise<boolean> {
    const found = await stat(path).catch(() => null)
    return found !== null && this.now() - found.mtimeMs >= leftoverMs
  }
}

async function entryOf(path: string, name: string): Promise<({ key: string } & Entry) | null> {
  const found = await stat(path).catch(() => null)
  return found && { key: name.slice(0, -'.wav'.length), size: found.size, usedAt: found.mtimeMs }
}
