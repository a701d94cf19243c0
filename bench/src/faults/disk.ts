/** A small disk of its own, which can be filled: a file mounted as ext4. It needs root. */
import { mkdir, open, rm, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { run, runAtExit } from './command.js'

const blockBytes = 1 << 20

export class Disk {
  private constructor(
    /** Where it is mounted. */
    readonly path: string,
    private readonly image: string,
  ) {
    process.once('exit', this.leave)
  }

  /** Makes a disk; `<path>.img` beside it holds it. */
  static async make(path: string, megabytes: number): Promise<Disk> {
    const image = `${path}.img`
    await mkdir(path, { recursive: true })
    await (await open(image, 'w')).close()
    await truncate(image, megabytes * blockBytes)
    await run('mkfs.ext4', ['-q', '-m', '0', image])
    await run('mount', ['-o', 'loop', image, path])
    return new Disk(path, image)
  }

  /** Takes all that is free. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.path)
    const most = bavail * bsize - blockBytes
    if (most > 0) await run('fallocate', ['-l', String(most), this.filler])
    const file = await open(this.filler, 'a')
    try {
      for (let bytes = blockBytes; bytes >= 512; bytes /= 2) {
        const block = Buffer.alloc(bytes, 1)
        while (await written(file.write(block)));
      }
    } finally {
      await file.close()
    }
  }

  async free(): Promise<void> {
    await rm(this.filler, { force: true })
  }

  async remove(): Promise<void> {
    await run('umount', [this.path])
    process.off('exit', this.leave)
    await rm(this.image)
  }

  private readonly leave = () => {
    runAtExit('umount', ['--lazy', this.path])
    runAtExit('rm', ['-f', this.image])
  }

  private get filler(): string {
    return join(this.path, 'filler')
  }
}

/** @returns false when the disk is full */
async function written(writing: Promise<{ bytesWritten: number }>): Promise<boolean> {
  try {
    return (await writing).bytesWritten > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
