/** Facts about this server and its machine. */
import { availableParallelism, hostname, loadavg } from 'node:os'
import { secretId } from '../../infrastructure/database/secret-id.js'
import { apiVersion } from '../../lib/version.js'
import { type Directories, disksOf } from './disks.js'
import type { ServerFacts } from './status.schema.js'

interface Parts {
  readonly directories: Directories
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
    disks: await disksOf(directories),
  }
}
