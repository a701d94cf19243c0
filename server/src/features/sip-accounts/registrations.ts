/**
 * Removing what phones have registered: when an account goes or its password changes, its phones are
 * unreachable at once. The removal is a job of the transaction that makes it necessary, so that neither
 * a crash nor an edge that is down loses it; its first try is made before the request is answered.
 */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { type Database, afterCommit } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Job, OutboxWorker, addJob } from '../../infrastructure/database/outbox.js'
import { RepeatingTask } from '../../lib/repeating-task.js'

/** Kind of the jobs. */
const forgetJob = 'edge.forget'

/** The first try's time; then the job is anybody's. More than the edge is given to answer. */
const firstTryMs = 5_000
/** An edge that is away for long is not asked all of it every second. */
const retryMs = (attempts: number) => Math.min(1_000 * 2 ** attempts, 15_000)
const jobsAtOnce = 5
const addressesAJob = 200
/** Addresses of a job that are removed at the same time. */
const addressesAtOnce = 10

/**
 * How often edges hear that they know of all changes, and how old a removal may be meanwhile. They believe it for 15 s
 * (kamailio-conf/roles/kept.cfg): one that cannot be reached uses what it keeps of a changed account for another 25 s at most.
 */
const confirmMs = 5_000
const overdueMs = 5_000

/** What a phone registers as. */
export interface SipAddress {
  username: string
  domain: string
}

interface Payload {
  addresses: SipAddress[]
}

/** The registrar of the SIP edge. */
export interface Registrar {
  /**
   * Begins to remove what is registered under one address after another.
   * @returns removes all registrations of an address; there need not be any. It throws {Error} when an edge does not answer
   * in time, or refuses
   */
  removal(): (username: string, domain: string) => Promise<void>
  /** Says that every edge has heard of all changes of accounts. An edge that does not answer hears it the next time. */
  confirmDigests(): Promise<void>
}

interface RegistrationsEvents {
  /** All registrations of an address were removed; the edge itself sends no event for this. */
  removed: [username: string, domain: string]
}

export class Registrations extends EventEmitter<RegistrationsEvents> {
  private readonly worker: OutboxWorker
  private readonly confirmation: RepeatingTask

  constructor(database: Database, registrar: Registrar, log: Logger) {
    super()
    const failure = [
      'edge.confirm_failed',
      'edges do not hear that they know of all changed accounts',
    ] as const
    this.confirmation = new RepeatingTask({ everyMs: confirmMs, first: 'now', log, failure }, async () => {
      if (!(await this.worker.isBehind(overdueMs))) await registrar.confirmDigests()
    })
    this.worker = new OutboxWorker(
      database,
      forgetJob,
      async ({ payload }) => this.removeAll((payload as Payload).addresses, registrar.removal()),
      { concurrency: jobsAtOnce, leaseMs: firstTryMs, renewed: true, retryMs },
      log,
    )
  }

  /** One edge that is away must not keep the others from the addresses that follow. @throws the first failure */
  private async removeAll(
    addresses: readonly SipAddress[],
    removeFrom: ReturnType<Registrar['removal']>,
  ): Promise<void> {
    const waiting = [...addresses]
    const failures: unknown[] = []
    const removeNext = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { username, domain } = next
        try {
          await removeFrom(username, domain)
          this.emit('removed', username, domain)
        } catch (error) {
          failures.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: addressesAtOnce }, removeNext))
    if (failures.length > 0) throw failures[0]
  }

  start(): void {
    this.worker.start()
    this.confirmation.start()
  }

  async stop(): Promise<void> {
    await this.confirmation.stop()
    await this.worker.stop()
  }

  /** Adds the removal to a transaction that is followed by {@link removeNow}. */
  async remove(tx: EntityManager, address: SipAddress): Promise<Job> {
    return add(tx, [address], firstTryMs)
  }

  /** Makes the first try of a removal whose transaction is committed; later tries follow when it fails. */
  async removeNow(job: Job): Promise<void> {
    await this.worker.runNow(job)
  }

  /** Adds the removal of many to a transaction; it is made soon after it. */
  async removeSoon(tx: EntityManager, addresses: readonly SipAddress[]): Promise<void> {
    for (let start = 0; start < addresses.length; start += addressesAJob) {
      await add(tx, addresses.slice(start, start + addressesAJob), 0)
    }
    if (addresses.length > 0) afterCommit(tx, () => this.worker.wake())
  }
}

async function add(tx: EntityManager, addresses: readonly SipAddress[], delayMs: number): Promise<Job> {
  const created_at = new Date()
  const payload: Payload = { addresses: addresses.map(({ username, domain }) => ({ username, domain })) }
  const job = { id: newId('job'), kind: forgetJob, payload, created_at }
  await addJob(tx, { ...job, due_at: new Date(created_at.getTime() + delayMs) })
  return { ...job, workspace_id: '', attempts: 0 }
}
