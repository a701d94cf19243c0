import { setTimeout as sleep } from 'node:timers/promises'
import { afterCommit } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { deleteMessages } from '../messages/message-deletion.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'

/** Time for a call that is hung up to be over, and how often that is looked at. */
const endsWithinMs = 5_000
const lookMs = 50

/** What goes with a workspace that is deleted, and what stands against deleting it. */
export function guardWorkspaces(core: Core, resources: Resources, calls: Calls, messages: Messages): void {
  const { apiKeys, workspaces, webhooks } = core
  const { agents, phoneNumbers, sipAccounts, extensions, pushCredentials, contacts, addressBooks, speech } =
    resources
  const { store, recordings, callFlows } = calls
  workspaces.removeFirst(async (tx, workspace) => {
    await recordings.service.deleteAll(tx, workspace)
    await callFlows.deleteReferences(tx, workspace)
    await extensions.deleteAll(tx, workspace)
    await agents.deleteAll(tx, workspace)
    await sipAccounts.deleteAll(tx, workspace)
    await contacts.deleteAll(tx, workspace)
    await addressBooks.deleteAll(tx, workspace)
    await phoneNumbers.deleteAll(tx, workspace)
    await pushCredentials.deleteAll(tx, workspace)
    await webhooks.service.deleteAll(tx, workspace)
    await messages.media.store.deleteAll(tx, workspace)
    await deleteMessages(tx, workspace)
    await apiKeys.revokeAll(tx, workspace)
    // What is left of the cache after a failure is removed as all that is unused.
    afterCommit(tx, () => void speech.forget(workspace.id).catch(() => undefined))
  })
  workspaces.guardDeletion(async (workspace) => {
    const { unanswered, answered } = await store.liveOf(workspace)
    if (answered === 0) await hangUpAll(workspace, unanswered, calls)
    const live = await store.countLive(workspace)
    return live > 0
      ? `The workspace has ${live} live calls: hang them up first, by POST /calls/:id/hangup; those that only ring are hung up with it`
      : null
  })
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
