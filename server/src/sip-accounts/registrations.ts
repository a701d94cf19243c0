/**
 * Removing what phones have registered: when an account goes or its password changes, its phones are
 * unreachable at once. The removal is a job of the transaction that makes it necessary, so that neither
 * a crash nor an edge that is down loses it; its first try is made before the request is answered.
 */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Job, OutboxWorker, addJob } from '../database/outbox.js'

/** Kind of the jobs. */
const forgetJob = 'edge.forget'

/** The first try's time; then the job is anybody's. More than the edge is given to answer. */
const firstTryMs = 5_000
const retryMs = 1_000
const removedAtOnce = 5
const addressesAJob = 200

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
   * Removes all registrations of an address; there need not be any.
   * @throws {Error} when the edge does not answer in time, or refuses
   */
  removeRegistrations(username: string, domain: string): Promise<void>
}

interface RegistrationsEvents {
  /** Nothing is registered under an address any more; the edge itself does not tell of this. */
  removed: [username: string, domain: string]
}

export class Registrations extends EventEmitter<RegistrationsEvents> {
  private readonly worker: OutboxWorker

  constructor(database: Database, registrar: Registrar, log: Logger) {
    super()
    this.worker = new OutboxWorker(
      database,
      forgetJob,
      async ({ payload }) => {
        // One edge that is away must not keep the others from the addresses that follow.
        const failures: unknown[] = []
        for (const { username, domain } of (payload as Payload).addresses) {
          try {
            await registrar.removeRegistrations(username, domain)
            this.emit('removed', username, domain)
          } catch (error) {
            failures.push(error)
          }
        }
        if (failures.length > 0) throw failures[0]
      },
      { concurrency: removedAtOnce, leaseMs: firstTryMs, retryMs },
      log,
    )
  }

  start(): void {
    this.worker.start()
  }

  async stop(): Promise<void> {
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
  }
}

async function add(tx: EntityManager, addresses: readonly SipAddress[], delayMs: number): Promise<Job> {
  const created_at = new Date()
  const payload: Payload = { addresses: addresses.map(({ username, domain }) => ({ username, domain })) }
  const job = { id: newId('job'), kind: forgetJob, payload, created_at }
  await addJob(tx, { ...job, due_at: new Date(created_at.getTime() + delayMs) })
  return { ...job, attempts: 0 }
}
