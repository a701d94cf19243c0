/**
 * Writes what comes in its order, as many at a time as have come while the batch before was written: one at a time when
 * little happens, hundreds under load. What the database cannot take now is tried until it can.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

interface Waiting<T> {
  readonly item: T
  readonly written: () => void
  readonly refused: (error: Error) => void
}

interface Options {
  /** Name in the log. */
  readonly name: string
  /** Items of one batch. */
  readonly most: number
  readonly log: Logger
  /** Whether a batch that could not be written is tried again. */
  readonly tries: 'once' | 'for ever'
}

const shortestPauseMs = 100
const longestPauseMs = 1_000

export class BatchWriter<T> {
  private readonly waiting: Waiting<T>[] = []
  private running: Promise<void> | undefined

  /** @param write all or none of them, in one transaction */
  constructor(
    private readonly write: (items: readonly T[]) => Promise<void>,
    private readonly options: Options,
  ) {}

  /** Resolves once it is written. @throws if the data can never be written; with `once`, also if the first attempt fails */
  async add(item: T): Promise<void> {
    return new Promise((written, refused) => {
      this.waiting.push({ item, written, refused })
      this.running ??= this.run().finally(() => (this.running = undefined))
    })
  }

  /** Waits until all is written that has been added. */
  async drained(): Promise<void> {
    while (this.running) await this.running
  }

  private async run(): Promise<void> {
    let most = this.options.most
    let failures = 0
    // Items that are added in this turn of the event loop go together.
    await new Promise(setImmediate)
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, most)
      const error = await this.failureOf(batch)
      if (!error) {
        this.waiting.splice(0, batch.length).forEach(({ written }) => written())
        most = this.options.most
        failures = 0
      } else if (this.options.tries === 'once' || (isOfTheData(error) && batch.length === 1)) {
        if (failures === 0)
          this.options.log.error(
            { event: 'message.batch_refused', err: error, batch: this.options.name },
            'a batch cannot be written',
          )
        this.waiting.splice(0, batch.length).forEach(({ refused }) => refused(error))
      } else {
        if (failures === 0)
          this.options.log.warn(
            { event: 'message.batch_delayed', err: error, batch: this.options.name },
            'a batch cannot be written now',
          )
        // Halve the batch to isolate an item that the database will never accept.
        if (isOfTheData(error)) most = Math.ceil(batch.length / 2)
        failures += 1
        await sleep(Math.min(longestPauseMs, shortestPauseMs * failures))
      }
    }
  }

  private async failureOf(batch: readonly Waiting<T>[]): Promise<Error | null> {
    return this.write(batch.map(({ item }) => item)).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    )
  }
}

/** Whether the database answered that the data are wrong (SQLSTATE classes 22 and 23): it will again. */
function isOfTheData(error: Error): boolean {
  const { sqlState = '' } = error as { sqlState?: string }
  return sqlState.startsWith('22') || sqlState.startsWith('23')
}
