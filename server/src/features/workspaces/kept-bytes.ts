/**
 * How many bytes of files each workspace keeps: audios, recordings, files of messages, pictures of agents. A counter goes with every row of a file,
 * in the same transaction, so that nothing is summed up when a file comes.
 */
import { statfs } from 'node:fs/promises'
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { UnavailableError, forbidden } from '../../infrastructure/http/errors.js'

const megabyte = 1_048_576

/** How often the disk is checked, in milliseconds. */
const lookMs = 5_000

/** Seconds after which an upload may be tried again that a full disk refused. */
const retryAfter = 60

/** Workspaces that one sweep recounts. */
const reconciledAtOnce = 20

/** The rows whose files count, as SQL. */
const counted = `
  (SELECT COALESCE(SUM(size), 0) FROM audios WHERE workspace_id = ?)
  + (SELECT COALESCE(SUM(size_bytes), 0) FROM recordings WHERE workspace_id = ? AND status = 'ready')
  + (SELECT COALESCE(SUM(bytes), 0) FROM message_attachments WHERE workspace_id = ?)
  + (SELECT COALESCE(SUM(bytes), 0) FROM message_uploads WHERE workspace_id = ?)
  + (SELECT COALESCE(SUM(avatar_bytes), 0) FROM agents WHERE workspace_id = ?)`

interface Options {
  database: Database
  /** Megabytes that a workspace may keep; null: as many as the settings say. */
  maxOf: (workspaceId: string) => Promise<number | null>
  defaultMegabytes: number
  /** A directory on the disk that files are written to. */
  directory: string
  /** Bytes that stay free there. */
  minFree: number
}

export class StoredBytes {
  /** The workspace that was recounted last. */
  private reconciled = ''
  private looked: { at: number; free: Promise<number> } | undefined

  constructor(private readonly options: Options) {}

  /** Whether so many bytes more may be kept, and there is room for them. */
  async hasRoom(workspace: Owner, bytes: number): Promise<boolean> {
    const [max, used, hasDisk] = await Promise.all([
      this.maxOf(workspace),
      this.usedBy(workspace),
      this.diskHasRoom(bytes),
    ])
    return hasDisk && used + bytes <= max
  }

  /**
   * Looks whether a file may come, before anything is done for it.
   * @throws 403 at the workspace's limit, 503 when the disk is nearly full
   */
  async check(workspace: Owner, bytes: number): Promise<void> {
    if (!(await this.diskHasRoom(bytes)))
      throw new UnavailableError('The disk for files is nearly full: try again later', retryAfter)
    const max = await this.maxOf(workspace)
    if ((await this.usedBy(workspace)) + bytes > max) throw limitReached(max)
  }

  /** Counts files whose rows the transaction writes. @throws 403 at the workspace's limit: requests that race never pass it */
  async take(tx: EntityManager, workspace: Owner, bytes: number): Promise<void> {
    if (bytes === 0) return
    const max = await this.maxOf(workspace)
    await addBytes(tx, workspace.id, bytes)
    const [row] = await tx.query<{ bytes: string }[]>('SELECT bytes FROM kept_bytes WHERE workspace_id = ?', [
      workspace.id,
    ])
    if (Number(row?.bytes ?? 0) > max) throw limitReached(max)
  }

  /** Bytes that each of some workspaces keeps. */
  async of(workspaces: readonly Owner[]): Promise<ReadonlyMap<string, number>> {
    if (workspaces.length === 0) return new Map()
    const rows = await this.options.database.source.query<{ workspace_id: string; bytes: string }[]>(
      'SELECT workspace_id, bytes FROM kept_bytes WHERE workspace_id IN (?)',
      [workspaces.map(({ id }) => id)],
    )
    return new Map(rows.map(({ workspace_id, bytes }) => [workspace_id, Number(bytes)]))
  }

  async usedBy(workspace: Owner): Promise<number> {
    return (await this.of([workspace])).get(workspace.id) ?? 0
  }

  /** Bytes. */
  async maxOf({ id }: Owner): Promise<number> {
    return ((await this.options.maxOf(id)) ?? this.options.defaultMegabytes) * megabyte
  }

  /**
   * Recounts the rows of a workspace whose counter differs from them: it is locked meanwhile, and changes under way are added
   * to the result. A counter that is right is not written.
   */
  async reconcile(workspace: Owner): Promise<void> {
    const ids = Array<string>(5).fill(workspace.id)
    const [row] = await this.options.database.source.query<{ bytes: string }[]>(
      `SELECT ${counted} AS bytes`,
      ids,
    )
    if (Number(row?.bytes ?? 0) === (await this.usedBy(workspace))) return
    await this.options.database.transaction(async (tx) => {
      await addBytes(tx, workspace.id, 0)
      await tx.query(`UPDATE kept_bytes SET bytes = ${counted} WHERE workspace_id = ?`, [
        ...[...ids, workspace.id],
      ])
    })
  }

  /** Recounts some workspaces, others each time: a counter that is wrong, as after a restored table, mends itself. */
  async sweep(): Promise<void> {
    const rows = await this.options.database.source.query<Owner[]>(
      `SELECT id FROM workspaces WHERE id > ? ORDER BY id LIMIT ${reconciledAtOnce}`,
      [this.reconciled],
    )
    for (const workspace of rows) await this.reconcile(workspace)
    this.reconciled = rows.length < reconciledAtOnce ? '' : (rows.at(-1)?.id ?? '')
  }

  private async diskHasRoom(bytes: number): Promise<boolean> {
    const now = performance.now()
    if (!this.looked || now - this.looked.at > lookMs)
      this.looked = { at: now, free: freeOn(this.options.directory) }
    return (await this.looked.free) - bytes >= this.options.minFree
  }
}

/** Counts files whose rows the transaction writes, or with a negative number deletes, whatever the limit. */
export async function addBytes(tx: EntityManager, workspaceId: string, bytes: number): Promise<void> {
  if (bytes < 0) {
    // A workspace that is being deleted may have no counter any more.
    await tx.query('UPDATE kept_bytes SET bytes = bytes + ? WHERE workspace_id = ?', [bytes, workspaceId])
    return
  }
  await tx.query(
    'INSERT INTO kept_bytes (workspace_id, bytes) VALUES (?, ?) ON DUPLICATE KEY UPDATE bytes = bytes + ?',
    [workspaceId, bytes, bytes],
  )
}

function limitReached(max: number): Error {
  const megabytes = max / megabyte
  return forbidden(`The workspace keeps as many files as it may, ${megabytes} MB: delete some`)
}

/** A disk that cannot be looked at is not known to be full. */
async function freeOn(directory: string): Promise<number> {
  return statfs(directory).then(
    ({ bsize, bavail }) => bsize * bavail,
    () => Infinity,
  )
}
