/**
 * Deletes what a workspace leaves behind when it is deleted: it is closed by then, and takes nothing new. The work is a job
 * of small transactions, each of which can be done again: a server that is killed leaves it to the next one. Between two
 * steps it rests for as long as the last one took, so that other workspaces hardly notice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { deletedBatches, withRests } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, addJob } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type CallRemoval, sumOf } from './call-removal.js'
import { piecesOf, walk } from './erasures/walk.js'

/** The kind of outbox job that does it. */
export const workspaceRemovalJob = 'workspace_removal'

interface Payload {
  workspace_id: string
}

/** One kind of rows of a workspace: yields after each transaction. @yields how many rows it has deleted */
export type RemovalStep = (workspace: Owner) => AsyncIterable<number>

interface Parts {
  database: Database
  steps: readonly RemovalStep[]
  /** Deletes the workspace itself and what people set up, which is little. */
  last: (tx: EntityManager, workspace: Owner) => Promise<void>
  log: Logger
}

/** How often the end of a removal is looked for. */
const lookMs = 25

export class WorkspaceRemoval {
  private readonly stopping = new AbortController()

  constructor(private readonly parts: Parts) {}

  /** Adds the job to the transaction that closes the workspace. */
  async begin(tx: EntityManager, { id }: Owner): Promise<void> {
    const payload: Payload = { workspace_id: id }
    await addJob(tx, { id: newId('job'), kind: workspaceRemovalJob, payload, created_at: new Date() })
  }

  async work(job: Job): Promise<void> {
    const { database, steps, last, log } = this.parts
    const { workspace_id: id } = job.payload as Payload
    const workspace = { id }
    let rows = 0
    for (const step of steps)
      for await (const deleted of withRests(step(workspace), this.stopping.signal)) rows += deleted
    await database.transaction(async (tx) => last(tx, workspace))
    log.info({ event: 'workspace.removed', workspace: id, rows }, 'workspace removed')
  }

  /** Waits until nothing of a workspace is left, or the time is over. */
  async over({ id }: Owner, withinMs: number): Promise<void> {
    const until = Date.now() + withinMs
    while (Date.now() < until && (await this.isThere(id))) await sleep(lookMs)
  }

  /** Stops a removal that is under way after its step; it continues when a server starts. */
  stop(): void {
    this.stopping.abort(new Error('the server stops: the removal of the workspace continues later'))
  }

  private async isThere(id: string): Promise<boolean> {
    const rows = await this.parts.database.source.query<unknown[]>('SELECT 1 FROM workspaces WHERE id = ?', [
      id,
    ])
    return rows.length > 0
  }
}

/** Rows of a table that has an index which begins with the workspace. */
export function rowsOf(database: Database, table: string): RemovalStep {
  return ({ id }) => deletedBatches(database, table, 'workspace_id = ?', [id])
}

/** Rows that have files. @param some deletes some rows, and their files a moment later; returns how many, 0 for none */
export function filesOf(
  database: Database,
  some: (tx: EntityManager, workspace: Owner) => Promise<number>,
): RemovalStep {
  return async function* (workspace) {
    for (;;) {
      const deleted = await database.transaction(async (tx) => some(tx, workspace))
      yield deleted
      if (deleted === 0) return
    }
  }
}

const callsAtOnce = 50

/** Calls with all that belongs to them, recordings as well. */
export function callsOf(database: Database, calls: CallRemoval): RemovalStep {
  return async function* (workspace) {
    const pages = walk<object>(database, workspace, {
      ...{ table: 'calls', index: 'calls_history', columns: [], rows: 1_000 },
    })
    for await (const page of pages) {
      for (const some of piecesOf(page, callsAtOnce)) {
        const ids = some.map(({ id }) => id)
        const deleted = sumOf(await calls.remove(workspace, ids, true))
        yield Object.values(deleted).reduce((sum, count) => sum + count, 0)
      }
    }
  }
}
