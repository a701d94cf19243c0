/**
 * Deletes all data of a person, in steps that can be repeated: each looks for what is still there and deletes it in small
 * transactions, which also count it. If a server is killed, the next one continues the job.
 */
import { recordChange } from '../../../infrastructure/database/audit.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, addJob } from '../../../infrastructure/database/outbox.js'
import { Erasure } from './erasure.entity.js'
import { type ErasurePayload, erasureJob } from './erasure.service.js'
import { type Person, personOf } from './person.js'
import { Progress } from './progress.js'

/** One kind of data of a person. */
export type ErasureStep = (person: Person, progress: Progress) => Promise<void>

interface Parts {
  database: Database
  /** What is deleted: an erasure may have to wait for some of it. */
  deletions: readonly ErasureStep[]
  /** What stays and is freed of the person: all that the workspace keeps is read for it. */
  redactions: readonly ErasureStep[]
}

/** What is under way is looked at again after a tenth of the time since the request, within these bounds. */
const shortestPauseMs = 2_000
const longestPauseMs = 300_000

export class ErasureRun {
  private readonly stopping = new AbortController()

  constructor(private readonly parts: Parts) {}

  async work(job: Job): Promise<void> {
    const { erasure_id: id } = job.payload as ErasurePayload
    const { database, deletions, redactions } = this.parts
    const table = database.platformTable(Erasure)
    const erasure = await table.findOneBy({ id })
    if (!erasure?.numbers) return
    const started_at = erasure.started_at ?? new Date()
    await table.update(id, { status: 'running', started_at })
    const progress = new Progress(database, id, this.stopping.signal)
    const { workspace_id, numbers, clients, contacts } = erasure
    const person = personOf({
      ...{ id, workspace: { id: workspace_id }, numbers },
      ...{ clients: clients ?? [], contacts: contacts ?? [] },
    })
    for (const step of deletions) await step(person, progress)
    // Done at the first look and at the last one, and not each time that it has to wait.
    const stillWaits = erasure.status === 'waiting' && Object.keys(progress.waitingFor).length > 0
    if (!stillWaits) for (const step of redactions) await step(person, progress)
    await this.finish(erasure, progress)
  }

  /** Stops an erasure that is under way after its step; it continues when a server starts. */
  stop(): void {
    this.stopping.abort(new Error('the server stops: the erasure continues later'))
  }

  private async finish(erasure: Erasure, { waitingFor }: Progress): Promise<void> {
    const { id, workspace_id, label } = erasure
    const now = new Date()
    await this.parts.database.transaction(async (tx) => {
      if (Object.keys(waitingFor).length > 0) {
        const age = now.getTime() - erasure.created_at.getTime()
        const pause = Math.min(Math.max(age / 10, shortestPauseMs), longestPauseMs)
        await tx.update(Erasure, id, { status: 'waiting', waiting_for: waitingFor })
        const payload: ErasurePayload = { erasure_id: id }
        const due_at = new Date(now.getTime() + pause)
        const job = { id: newId('job'), kind: erasureJob, workspace_id, payload }
        await addJob(tx, { ...job, created_at: now, due_at })
        return
      }
      const done = {
        status: 'completed',
        numbers: null,
        clients: null,
        contacts: null,
        waiting_for: {},
        ended_at: now,
      } as const
      await tx.update(Erasure, id, done)
      const { deleted } = await tx.findOneByOrFail(Erasure, { id })
      await recordChange(tx, {
        workspace_id,
        action: 'erasure.complete',
        target: { type: 'erasure', id, name: label },
        changes: Object.fromEntries(
          Object.entries(deleted).map(([name, count]) => [name, { from: count, to: 0 }]),
        ),
      })
    })
  }
}
