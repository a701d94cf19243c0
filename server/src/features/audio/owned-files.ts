/**
 * Files that rows own. The file is synced to disk before its row is written, and deleted after its row: no row is ever
 * without its file. A file without a row is removed at a later start.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QueryFailedError } from 'typeorm'

/** A file without a row is of a request under way, unless it is older than this. */
const orphanMs = 3_600_000

/** Files that are looked up at once. */
const sweepBatch = 500

export class OwnedFiles {
  /**
   * @param directory where they lie, each by a name of its own
   * @param ownedOf which of these names a row owns
   */
  constructor(
    private readonly directory: string,
    private readonly ownedOf: (names: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {}

  /** Makes the directory, and removes what no row owns. */
  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true })
    const names = await readdir(this.directory)
    for (let from = 0; from < names.length; from += sweepBatch) {
      await this.removeOrphans(names.slice(from, from + sweepBatch))
    }
  }

  pathOf(name: string): string {
    return join(this.directory, name)
  }

  /**
   * Stores a new file and the row that owns it, or neither.
   * @param write writes the file at a temporary path, through to the disk
   * @param own writes the row; gets what `write` returned
   */
  async keep<W, R>(
    name: string,
    write: (path: string) => Promise<W>,
    own: (written: W) => Promise<R>,
  ): Promise<R> {
    const path = this.pathOf(name)
    const temporary = `${path}.${randomUUID()}.tmp`
    try {
      const written = await write(temporary)
      await rename(temporary, path)
      await syncDirectory(this.directory)
      return await own(written)
    } catch (error) {
      await rm(temporary, { force: true })
      if (!mayHaveWritten(error)) await rm(path, { force: true })
      throw error
    }
  }

  /** Removes a file that no row owns any more. */
  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true })
  }

  private async removeOrphans(names: readonly string[]): Promise<void> {
    // Names of ours are ASCII, and a column of ASCII can be compared with nothing else.
    const owned = await this.ownedOf(names.filter((name) => /^[ -~]+$/.test(name)))
    for (const name of names) {
      if (owned.has(name)) continue
      const age = await this.ageOf(name)
      if (age !== null && age >= orphanMs) await this.remove(name)
    }
  }

  /** Milliseconds, or null when another server has just removed it. */
  private async ageOf(name: string): Promise<number | null> {
    try {
      return Date.now() - (await stat(this.pathOf(name))).mtimeMs
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw error
    }
  }
}

/** Writes a file through to the disk. */
export async function writeThrough(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Whether a row may be there although its insert failed: the link broke before the database answered. Its
 * file stays then, and is removed at a later start if there is no row.
 */
function mayHaveWritten(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { sqlState?: string }).sqlState === undefined
  )
}

/** A new name in a directory survives a crash only when the directory is written too. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
