/** Replies to clients who opt out, opt in again, or ask for help. */
import type { EntityManager } from 'typeorm'
import type { Logger } from 'pino'
import { type Database, afterCommit } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../../infrastructure/database/outbox.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import { shownNumber } from '../../../lib/numbering/e164.js'
import type { Message } from '../message.entity.js'
import { maxBodyLength } from '../message.schema.js'
import type { OptOutWord } from './opt-out-words.js'

const replyJob = 'message.opt_out_reply'

/** Numbers in E.164; `from` may be a short code. */
export interface Reply {
  readonly from: string
  readonly to: string
  readonly body: string
}

interface Payload extends Reply {
  readonly workspace_id: string
  /** The message that is answered. */
  readonly message_id: string
}

interface Options {
  database: Database
  /** Accepts a message of the platform’s own, once under a key, though its client has opted out. */
  send: (workspace: Owner, reply: Reply, key: string) => Promise<unknown>
  log: Logger
}

/** A later reply is of no use. */
const triedForMs = 3_600_000

const settings = {
  ...{ concurrency: 4, turns: { ofOwner: 2, share: 1 / 2 }, leaseMs: 60_000 },
  retryMs: (attempts: number) => Math.min(1_000 * 2 ** attempts, 60_000),
}

const bodies: Readonly<Record<OptOutWord, (number: string) => string>> = {
  stop: (number) =>
    `You have unsubscribed from messages from ${number} and will receive no more. Reply START to resubscribe.`,
  start: (number) => `You will receive messages from ${number} again. Reply STOP to unsubscribe.`,
  help: (number) =>
    `Messages from ${number}. Reply STOP to unsubscribe, START to resubscribe. Message and data rates may apply.`,
}

export class OptOutReplies {
  private readonly worker: OutboxWorker

  constructor(private readonly options: Options) {
    const { database, log } = options
    this.worker = new OutboxWorker(database, replyJob, async (job) => this.reply(job), settings, log)
  }

  start(): void {
    this.worker.start()
  }

  async stop(): Promise<void> {
    await this.worker.stop()
  }

  /**
   * Queues the reply to a word, for after the commit of the transaction that stores it.
   * @param own the workspace's answer; null: the usual one, '': none
   */
  async add(tx: EntityManager, message: Message, word: OptOutWord, own: string | null): Promise<void> {
    if (own?.trim() === '') return
    const number = message.originator ?? shownNumber(message.system_number)
    const payload: Payload = {
      ...{ workspace_id: message.workspace_id, message_id: message.id },
      ...{
        from: number,
        to: shownNumber(message.client_number),
        body: own?.replaceAll('{{number}}', number).slice(0, maxBodyLength) ?? bodies[word](number),
      },
    }
    const { workspace_id } = message
    await addJob(tx, { id: newId('job'), kind: replyJob, workspace_id, payload, created_at: new Date() })
    afterCommit(tx, () => this.worker.wake())
  }

  private async reply(job: Job): Promise<void> {
    const { workspace_id, message_id, ...reply } = job.payload as Payload
    try {
      await this.options.send({ id: workspace_id }, reply, `opt-out-reply-${message_id}`)
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      if (!isRefused && Date.now() - job.created_at.getTime() < triedForMs) throw error
      this.options.log.warn(
        { event: 'message.opt_out_not_answered', err: error, workspace: workspace_id, message_id },
        'an opt-out is not answered',
      )
    }
  }
}
