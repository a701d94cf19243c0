/**
 * Reports the keys that a caller pressed: to the call's timeline, to webhooks that subscribe to it, and to the server that
 * the action `ivr` names (contract, Call actions, ivr callback). The request to that server is written in one transaction with
 * the event: it is sent even if this process dies, or that server is down for a while.
 */
import type { EntityManager } from 'typeorm'
import type { CallEvent } from '../calls/model/call-event.entity.js'
import { eventOf } from '../calls/model/call-events.js'
import type { ScriptStep } from '../calls/model/call.schema.js'
import type { Call } from '../calls/model/call.entity.js'
import type { Collected } from '../calls/model/script-results.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, type OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import { readActions } from './answered-actions.js'
import {
  type CallbackAnswer,
  type CallbackClient,
  type CallbackServer,
  callbackDeadlineMs,
} from '../../infrastructure/callbacks/callback-client.js'
import { callbackDetails } from './timeline.js'

/** The kind of outbox job that posts one. */
export const ivrCallbackJob = 'ivr_callback'

/** Attempts begin no later than this after the keys were pressed. */
const triedForMs = 3_600_000

/** The first attempt is made at once by who collected the keys; a worker makes it when that process has died. */
export const ivrLeaseMs = 2 * callbackDeadlineMs

/** Pauses after attempts that failed: threefold each time, ten minutes at most. */
export function ivrRetryMs(attempts: number): number {
  return Math.min(10_000 * 3 ** attempts, 600_000)
}

interface Payload extends Collected, CallbackServer {
  call_id: string
}

interface CallRecords {
  load(id: string): Promise<Call | null>
  keysCollected(tx: EntityManager, call: Call, keys: Collected): Promise<void>
  note(...events: CallEvent[]): Promise<void>
}

interface Options {
  database: Database
  client: CallbackClient
  store: CallRecords
  /** Puts actions in the place of all that a call has left. */
  replaceActions(call: Call, actions: ScriptStep[]): Promise<void>
  worker: () => OutboxWorker
}

/** The server gave no 2xx: it is asked again later. */
class NotTakenError extends Error {}

export class IvrCallbacks {
  /** Who waits for the answer of a job's first attempt. */
  private readonly waiting = new Map<string, (actions: ScriptStep[] | null) => void>()

  constructor(private readonly options: Options) {}

  /**
   * Reports what was pressed; returns when the server has answered, or its deadline is over. Actions in its answer replace
   * the rest of the call's script, unless that was replaced meanwhile.
   * @param server null if the action names none
   */
  async report(call: Call, keys: Collected, server: CallbackServer | null): Promise<void> {
    const { script_revision } = call
    const job = server && jobOf(call, { call_id: call.id, ...server, ...keys })
    await this.options.database.transaction(async (tx) => {
      await this.options.store.keysCollected(tx, call, keys)
      if (job) await addJob(tx, job)
    })
    if (!job) return
    const actions = await this.firstAnswer(job)
    if (actions && call.script_revision === script_revision) await this.options.replaceActions(call, actions)
  }

  /** The worker makes the attempt now, and leaves what is answered here. */
  private async firstAnswer(job: Job): Promise<ScriptStep[] | null> {
    const answered = new Promise<ScriptStep[] | null>((resolve) => this.waiting.set(job.id, resolve))
    void this.options.worker().runNow(job)
    return answered
  }

  /** Makes one attempt. @throws when it is to be repeated */
  async post(job: Job): Promise<void> {
    const answered = this.waiting.get(job.id)
    this.waiting.delete(job.id)
    let actions: ScriptStep[] | null = null
    try {
      actions = await this.attempt(job)
    } finally {
      answered?.(actions)
    }
  }

  private async attempt(job: Job): Promise<ScriptStep[] | null> {
    const { call_id, digits, status, ...server } = job.payload as Payload
    const call = await this.options.store.load(call_id)
    if (!call) return null
    const workspace = { id: call.workspace_id }
    const data = { workspace_id: workspace.id, call_id, digits, status }
    const answer = await this.options.client.ask({
      ...{ workspace, server, callId: call_id },
      event: 'call.ivr_collected',
      body: { data },
    })
    const taken = isTaken(answer)
    const hasActions = answer.ok && Object.hasOwn(answer.json, 'actions')
    const read = hasActions ? readActions(answer.json) : null
    const failed = read && !read.ok ? read : taken || answer.ok ? null : answer
    const details = callbackDetails('ivr', answer.exchange, failed, { ignored: read?.ok ? read.ignored : [] })
    await this.options.store.note(eventOf(call, 'call.callback', new Date(), { details }))
    if (!taken && Date.now() - job.created_at.getTime() < triedForMs) {
      throw new NotTakenError(failed?.message)
    }
    return read?.ok ? read.actions : null
  }
}

/** Due when the first attempt has been made, or will never be. */
function jobOf({ cell, workspace_id }: Call, payload: Payload) {
  const now = new Date()
  const due_at = new Date(now.getTime() + ivrLeaseMs)
  const job = { id: newId('job'), kind: ivrCallbackJob, cell, workspace_id, payload }
  return { ...job, created_at: now, due_at, attempts: 0 }
}

/** Any 2xx takes the news, whatever else it says. */
function isTaken({ exchange: { status } }: CallbackAnswer): boolean {
  return status !== null && status >= 200 && status < 300
}
