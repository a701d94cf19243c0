/** The disks that files are kept on. */
import { statfs } from 'node:fs/promises'
import type { ServerFacts } from './status.schema.js'

export type Disk = ServerFacts['disks'][number]

/** Where files are kept, by what they are; null for what is not kept on a disk, or not known. */
export type Directories = Readonly<Record<Disk['purpose'], string | null>>

export async function disksOf({ state, media, recordings }: Directories): Promise<Disk[]> {
  const disks = await Promise.all([
    diskOf('state', state),
    diskOf('media', media),
    diskOf('recordings', recordings),
  ])
  return disks.filter((disk) => disk !== null)
}

/** Null where that cannot be read. */
async function diskOf(purpose: Disk['purpose'], path: string | null): Promise<Disk | null> {
  if (path === null) return null
  return statfs(path).then(
    ({ bsize, bavail, blocks }) => ({
      ...{ purpose, path },
      // As `df` has it: what is kept for root cannot be used.
      free_bytes: bavail * bsize,
      total_bytes: blocks * bsize,
    }),
    () => null,
  )
}
