/** Files on a disk of this machine, or on whatever is mounted there. */
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ByteRange, ContentMissingError, type Storage, StorageUnavailableError } from './storage.js'

export class DiskStorage implements Storage {
  readonly kind = 'disk'

  constructor(private readonly directory: string) {}

  async put(key: string, content: string | Buffer): Promise<void> {
    const target = join(this.directory, key)
    await this.doing(async () => {
      await mkdir(dirname(target), { recursive: true })
      // Under a name of its own first: what has the key is whole.
      const temporary = temporaryOf(target)
      if (typeof content === 'string') await copyFile(content, temporary)
      else await writeFile(temporary, content)
      await sync(temporary)
      await rename(temporary, target)
      await sync(dirname(target))
    })
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return this.doing(async () => {
      const file = await open(join(this.directory, key), 'r').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') throw new ContentMissingError(`${key} is not there`)
        throw error
      })
      return file.createReadStream(range && { start: range.first, end: range.last })
    })
  }

  async remove(key: string): Promise<void> {
    const target = join(this.directory, key)
    await this.doing(async () => {
      await rm(temporaryOf(target), { force: true })
      await rm(target, { force: true })
    })
  }

  private async doing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ContentMissingError) throw error
      const reason = codeOf(error) ?? String(error)
      throw new StorageUnavailableError(`the directory cannot be used: ${reason}`, {
        cause: error,
      })
    }
  }
}

/** Where a file grows; what a killed server left of it goes with the file. */
const temporaryOf = (target: string) => `${target}.tmp`

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
