/** What deletes calls, messages and all else that grows: by age, on request, and of one person. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { agingRowsOf } from '../retention/all-aging-rows.js'
import { CallRemoval } from '../retention/call-removal.js'
import { MessageRemoval } from '../retention/message-removal.js'
import { RetentionSweep } from '../retention/retention-sweep.js'
import { SweepLease } from '../retention/sweep-lease.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Messages } from './messages.js'

export function wireRetention(log: Logger, core: Core, calls: Calls, messages: Messages) {
  const { database, policy } = core
  const { recordings } = calls
  const { media, news } = messages
  const callRemoval = new CallRemoval({
    database,
    deleteRecordings: async (tx, workspace, ids) => recordings.service.deleteOfCalls(tx, workspace, ids),
  })
  const messageRemoval = new MessageRemoval({
    database,
    deleteFiles: async (tx: EntityManager, ids) => media.store.deleteOf(tx, ids),
    changed: (workspace, id) => news.changed(workspace.id, id, ['messages']),
  })
  const sweep = new RetentionSweep({
    ...{ database, policy, log },
    lease: new SweepLease(database, 'retention', randomUUID()),
    rows: agingRowsOf({
      ...{ database, calls: callRemoval, messages: messageRemoval },
      deleteRecordings: async (workspace, ids) => recordings.service.deleteMany(workspace, ids),
    }),
  })
  return { callRemoval, messageRemoval, sweep }
}

export type Retention = ReturnType<typeof wireRetention>
