/** What this server can tell of itself and its machine. */
import { statfs } from 'node:fs/promises'
import { availableParallelism, hostname, loadavg } from 'node:os'
import { secretId } from '../database/secret-id.js'
import { apiVersion } from '../version.js'
import type { ServerFacts } from './status.schema.js'

interface Parts {
  /** Where files are kept, by what they are; null for what is not kept on a disk. */
  readonly directories: Readonly<Record<'media' | 'recordings', string | null>>
  /** Ids of the keys that are known, the current one first. */
  readonly secretKeys: () => string[]
  readonly operatorToken: () => string
  readonly drivesCalls: () => boolean
  /** Live streams of this server. */
  readonly streams: () => number
}

const startedAt = new Date(Date.now() - process.uptime() * 1000)

export async function serverFacts({
  directories,
  secretKeys,
  operatorToken,
  drivesCalls,
  streams,
}: Parts): Promise<ServerFacts> {
  const disks = await Promise.all([
    diskOf('media', directories.media),
    diskOf('recordings', directories.recordings),
  ])
  return {
    host: hostname(),
    version: apiVersion,
    started_at: startedAt.toISOString(),
    secret_keys: secretKeys(),
    operator_token_id: secretId(operatorToken(), 'operator token'),
    drives_calls: drivesCalls(),
    memory_bytes: process.memoryUsage.rss(),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    cpus: availableParallelism(),
    streams: streams(),
    disks: disks.filter((disk) => disk !== null),
  }
}

/** The disk that a directory is on; null where that cannot be read. */
async function diskOf(purpose: 'media' | 'recordings', path: string | null) {
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
