/** How a workspace is deleted: what prevents it, what is closed at once, and what is removed afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { type Job, OutboxWorker } from '../../infrastructure/database/outbox.js'
import { afterCommit } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { conflict } from '../../infrastructure/http/errors.js'
import { removedTables } from '../../features/retention/removed-tables.js'
import {
  WorkspaceRemoval,
  callsOf,
  filesOf,
  rowsOf,
  workspaceRemovalJob,
} from '../../features/retention/workspace-removal.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'
import type { Retention } from './retention.js'

/** Time for a call that is hung up to be over, and how often that is looked at. */
const endsWithinMs = 5_000
const lookMs = 50

/** One at a time on each server, and calls go first. */
const removing = { concurrency: 1, leaseMs: 10_000, renewed: true, retryMs: 2_000 }

export function wireWorkspaceDeletion(
  log: Logger,
  core: Core,
  resources: Resources,
  calls: Calls,
  messages: Messages,
  retention: Retention,
) {
  const { apiKeys, workspaces, webhooks, database, hub } = core
  const { agents, phoneNumbers, sipAccounts, extensions, pushCredentials } = resources
  const { contacts, addressBooks, speech } = resources
  const { store, recordings, callFlows } = calls
  const { media } = messages

  /** What could still act for it: as few rows as people set up. */
  const close = async (tx: EntityManager, workspace: Owner) => {
    await callFlows.deleteReferences(tx, workspace)
    await extensions.deleteAll(tx, workspace)
    await agents.deleteAll(tx, workspace)
    await sipAccounts.deleteAll(tx, workspace)
    await pushCredentials.deleteAll(tx, workspace)
    await webhooks.service.deleteAll(tx, workspace)
    await phoneNumbers.close(tx, workspace)
    await tx.query('DELETE FROM credit_balances WHERE workspace_id = ?', [workspace.id])
  }
  const removal = new WorkspaceRemoval({
    database,
    steps: [
      ...removedTables.first.map((table) => rowsOf(database, table)),
      filesOf(database, async (tx, workspace) => media.store.deleteSome(tx, workspace)),
      callsOf(database, retention.callRemoval),
      filesOf(database, async (tx, workspace) => recordings.service.deleteSome(tx, workspace)),
      ...removedTables.last.map((table) => rowsOf(database, table)),
    ],
    last: async (tx, workspace) => {
      // A request that had begun before may have written something since then.
      await close(tx, workspace)
      await contacts.deleteAll(tx, workspace)
      await addressBooks.deleteAll(tx, workspace)
      await phoneNumbers.deleteAll(tx, workspace)
      await apiKeys.revokeAll(tx, workspace)
      await workspaces.remove(tx, workspace)
      // What is left of the cache after a failure is removed as all that is unused.
      afterCommit(tx, () => void speech.forget(workspace.id).catch(() => undefined))
    },
    log,
  })
  const worker = new OutboxWorker(
    ...([database, workspaceRemovalJob, async (job: Job) => removal.work(job), removing, log] as const),
  )
  workspaces.whenDeleted({
    guard: async (workspace) => {
      const { unanswered, answered } = await store.liveOf(workspace)
      if (answered === 0) await hangUpAll(workspace, unanswered, calls)
      refuseLive(await store.countLive(workspace))
    },
    close: async (tx, workspace) => {
      // No call begins any more: what counts calls waits for the workspace's row, which is locked.
      refuseLive(await store.countLive(workspace, tx))
      await close(tx, workspace)
      await removal.begin(tx, workspace)
    },
    closed: async ({ id }) => {
      hub.close({ workspace_id: id }, 'workspace_deleted')
      worker.wake()
      await removal.over({ id }, removedWithinMs)
    },
  })
  return {
    start: () => worker.start(),
    stop: async () => {
      removal.stop()
      await worker.stop()
    },
  }
}

/** A small workspace is gone when the answer comes; of a large one the id is free again later. */
const removedWithinMs = 2_000

/** @throws 409 */
function refuseLive(live: number): void {
  if (live === 0) return
  throw conflict(
    `The workspace has ${live} live calls: hang them up first, by POST /calls/:id/hangup; those that only ring are hung up with it`,
  )
}

/** Calls that only ring hold no workspace in place: waits for a moment until they are over. */
async function hangUpAll(
  workspace: Owner,
  callIds: readonly string[],
  { calls, store }: Calls,
): Promise<void> {
  await Promise.all(callIds.map(async (id) => calls.hangUp(workspace, id).catch(() => undefined)))
  const until = Date.now() + endsWithinMs
  while (callIds.length > 0 && Date.now() < until && (await store.countLive(workspace)) > 0) {
    await sleep(lookMs)
  }
}
