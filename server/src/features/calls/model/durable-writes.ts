/** Writes that survive a database outage: kept in order and retried until they succeed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { tracingContexts } from '../../../infrastructure/observability/tracing-contexts.js'

const firstRetryMs = 50
const lastRetryMs = 2_000
/** After this long a write is given up and logged; reconciliation repairs what it can later. */
const patienceMs = 10 * 60_000

export class DurableWrites {
  private last: Promise<void> = Promise.resolve()

  /** @param callId the call that the writes belong to */
  constructor(
    private readonly log: Logger,
    private readonly callId?: string,
  ) {}

  /** Queues a write after the earlier ones. */
  async add(write: () => Promise<unknown>): Promise<void> {
    const { callId } = this
    const persist = async () => this.persist(write)
    this.last = this.last.then(
      callId === undefined ? persist : async () => tracingContexts.call.run({ callId }, persist),
    )
    return this.last
  }

  /** Resolves when all writes queued so far are done. */
  async settled(): Promise<void> {
    await this.last
  }

  private async persist(write: () => Promise<unknown>): Promise<void> {
    const until = Date.now() + patienceMs
    for (let delay = firstRetryMs; ; delay = Math.min(delay * 2, lastRetryMs)) {
      try {
        await write()
        return
      } catch (error) {
        if (Date.now() > until) {
          this.log.error({ event: 'call.write_given_up', err: error }, 'giving up a write of a call')
          return
        }
        this.log.warn({ event: 'call.write_retried', err: error }, 'retrying a write of a call')
        await sleep(delay)
      }
    }
  }
}
