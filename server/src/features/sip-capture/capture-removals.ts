/**
 * Removes the SIP of deleted calls from what is captured. Captures lie on the disk of the server beside an edge, and calls
 * are deleted by any server: the Call-IDs are in a table, where each server that captures looks for those that are new to
 * it. After a restart it goes through all of them again. They stay there for as long as captures are kept.
 */
import type { Logger } from 'pino'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { CaptureStore } from './capture-store.js'

interface Parts {
  readonly database: Database
  readonly store: CaptureStore
  readonly log: Logger
  /** Whether this server captures. */
  readonly isOn: boolean
  /** For how long captures are kept, in milliseconds. */
  readonly retainedMs: number
}

interface Row {
  /** A text when it is large. */
  id: string | number
  sip_call_id: string
}

const lookMs = 10_000
const atOnce = 20_000

/** A row may be committed a little after one with a higher id: that much is looked at again. */
const overlap = 1_000

export class CaptureRemovals {
  private readonly task: RepeatingTask
  private last = 0
  private done = new Set<string>()

  constructor(private readonly parts: Parts) {
    const failure = ['sip_capture.removal_failed', 'captured SIP of deleted calls cannot be removed'] as const
    this.task = new RepeatingTask({ everyMs: lookMs, first: 'now', log: parts.log, failure }, async () =>
      this.removeNew(),
    )
  }

  start(): void {
    if (this.parts.isOn) this.task.start()
  }

  async stop(): Promise<void> {
    await this.task.stop()
  }

  /** Forgets what has no captures any more. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - this.parts.retainedMs)
    await deleteInBatches(this.parts.database, 'sip_capture_removals', 'created_at < ?', [before])
  }

  private async removeNew(): Promise<void> {
    for (;;) {
      const rows = await this.parts.database.source.query<Row[]>(
        'SELECT id, sip_call_id FROM sip_capture_removals WHERE id > ? ORDER BY id LIMIT ?',
        [Math.max(0, this.last - overlap), atOnce],
      )
      const fresh = rows.filter(({ id }) => !this.done.has(String(id)))
      if (fresh.length > 0)
        await this.parts.store.remove(new Set(fresh.map(({ sip_call_id }) => sip_call_id)))
      this.done = new Set(rows.map(({ id }) => String(id)))
      this.last = Math.max(this.last, Number(rows.at(-1)?.id ?? 0))
      if (rows.length < atOnce) return
    }
  }
}
