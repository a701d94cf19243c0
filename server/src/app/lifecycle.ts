/**
 * The parts of a server: which of them start in which phase, and by when each phase of a stop is over.
 *
 * Parts of a phase start one after another, in the order in which they were added, and stop all at once. A stop never
 * hangs: a part that fails or does not stop within its phase's deadline is logged by its name, and the next phase begins.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** What a part does when it starts or stops. */
type Step = () => unknown

export interface Phases<Start extends string, Stop extends string> {
  readonly start: readonly Start[]
  /** Deadlines, in milliseconds, in the order of the phases. */
  readonly stop: Readonly<Record<Stop, number>>
}

interface Stopping {
  readonly name: string
  readonly step: Step
}

export class Lifecycle<Start extends string, Stop extends string> {
  private readonly starts = new Map<Start, Step[]>()
  private readonly stops = new Map<string, Stopping[]>()

  constructor(
    private readonly phases: Phases<Start, Stop>,
    private readonly log: Logger,
  ) {}

  /** @param steps of a part, each with its phase: what only runs has no start, and what needs no stop none */
  add(name: string, { start, stop }: { start?: readonly [Start, Step]; stop?: readonly [Stop, Step] }): this {
    if (start) this.starts.set(start[0], [...(this.starts.get(start[0]) ?? []), start[1]])
    if (stop) this.stops.set(stop[0], [...(this.stops.get(stop[0]) ?? []), { name, step: stop[1] }])
    return this
  }

  /** @throws what the first part that cannot start throws */
  async start(): Promise<void> {
    for (const phase of this.phases.start) for (const step of this.starts.get(phase) ?? []) await step()
  }

  async stop(): Promise<void> {
    for (const [phase, deadlineMs] of Object.entries<number>(this.phases.stop)) {
      const running = new Set(this.stops.get(phase) ?? [])
      const timer = new AbortController()
      const all = Promise.all([...running].map(async (part) => this.stopPart(part, running)))
      await Promise.race([all, sleep(deadlineMs, undefined, { signal: timer.signal }).catch(() => undefined)])
      timer.abort()
      if (running.size === 0) continue
      const parts = [...running].map(({ name }) => name)
      this.log.warn(
        { event: 'server.stop_overdue', phase, parts, deadlineMs },
        'parts have not stopped in time',
      )
    }
  }

  private async stopPart(part: Stopping, running: Set<Stopping>): Promise<void> {
    try {
      await part.step()
    } catch (error) {
      this.log.error({ event: 'server.stop_failed', part: part.name, err: error }, 'a part has not stopped')
    }
    running.delete(part)
  }
}
