/** Deletes calls, messages and all else that grows: by age, on request, and for an erasure. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { agingRowsOf } from '../../features/retention/all-aging-rows.js'
import { OutboxWorker } from '../../infrastructure/database/outbox.js'
import { CallRemoval } from '../../features/retention/call-removal.js'
import { Deletions } from '../../features/retention/deletions.js'
import { eraseCalls, eraseRecordings } from '../../features/retention/erasures/erase-calls.js'
import { eraseContacts } from '../../features/retention/erasures/erase-contacts.js'
import { eraseDevices } from '../../features/retention/erasures/erase-devices.js'
import { eraseDeliveries } from '../../features/retention/erasures/erase-deliveries.js'
import { eraseMessages } from '../../features/retention/erasures/erase-messages.js'
import { ErasureRun } from '../../features/retention/erasures/erasure-run.js'
import { ErasureService, erasureJob } from '../../features/retention/erasures/erasure.service.js'
import { redactAnswers, redactAuditLog } from '../../features/retention/erasures/redact-records.js'
import { redactCalls, redactMessages, redactNotes } from '../../features/retention/erasures/redact-texts.js'
import { MessageRemoval } from '../../features/retention/message-removal.js'
import { RetentionSweep } from '../../features/retention/retention-sweep.js'
import { SweepLease } from '../../features/retention/sweep-lease.js'
import type { Config } from '../../config/config.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'
import type { Resources } from './resources.js'

/** Two at a time on each server, one of a workspace: there is no hurry, and calls go first. */
const erasing = { concurrency: 2, turns: { ofOwner: 1 }, leaseMs: 10_000, renewed: true, retryMs: 30_000 }

export function wireRetention(
  config: Config,
  log: Logger,
  core: Core,
  { numbers }: Resources,
  calls: Calls,
  messages: Messages,
) {
  const { database, policy } = core
  const { recordings } = calls
  const { media, notifier } = messages
  const captureKeptMs = config.sip_capture.kept_hours * 3_600_000
  const callRemoval = new CallRemoval({
    database,
    deleteRecordings: async (tx, workspace, ids) => recordings.service.deleteOfCalls(tx, workspace, ids),
    captureKeptMs,
  })
  const messageRemoval = new MessageRemoval({
    database,
    deleteFiles: async (tx: EntityManager, ids) => media.store.deleteOf(tx, ids),
    changed: (workspace, id) => notifier.changed(workspace.id, id, ['messages']),
  })
  const sweep = new RetentionSweep({
    ...{ database, policy, log },
    lease: new SweepLease(database, 'retention', randomUUID()),
    rows: agingRowsOf({
      ...{ database, calls: callRemoval, messages: messageRemoval },
      deleteRecordings: async (workspace, ids) => recordings.service.deleteMany(workspace, ids),
    }),
  })
  const deletions = new Deletions({ database, calls: callRemoval, messages: messageRemoval })
  const ofCalls = {
    ...{ database, calls: callRemoval },
    deleteRecordings: async (...some: Parameters<typeof recordings.service.deleteManyIn>) =>
      recordings.service.deleteManyIn(...some),
  }
  // Deliveries come after calls and messages: they are known by what is gone.
  const run = new ErasureRun({
    database,
    deletions: [
      ...[eraseCalls(ofCalls), eraseRecordings(ofCalls), eraseMessages(database, messageRemoval)],
      ...[eraseContacts(database), eraseDevices(), eraseDeliveries(database)],
    ],
    redactions: [
      ...[redactMessages(database), redactNotes(database), redactCalls(database)],
      ...[redactAuditLog(database), redactAnswers(database)],
    ],
  })
  const worker = new OutboxWorker(database, erasureJob, async (job) => run.work(job), erasing, log)
  const erasures = new ErasureService({ database, numbers, wake: () => worker.wake() })
  const stopErasures = async () => {
    run.stop()
    await worker.stop()
  }
  return { callRemoval, messageRemoval, sweep, deletions, erasures, worker, stopErasures }
}

export type Retention = ReturnType<typeof wireRetention>
