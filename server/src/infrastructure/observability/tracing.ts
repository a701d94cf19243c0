/** Traces, where the operator names a collector; where not, nothing of OpenTelemetry is even loaded. */
import type { Instance, SpanCounts } from './span-counts.js'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import type { Traced } from './traced.js'

/** What waits is sent within this time when the server stops, or is lost. */
const lastWordsMs = 3_000

export class Tracing {
  readonly counts: SpanCounts = { exported: 0, failed: 0, dropped: 0 }
  private traced: Traced | undefined

  constructor(
    private readonly settings: Config['traces'],
    private readonly instance: Instance,
  ) {}

  get isOn(): boolean {
    return this.settings.otlp_endpoint !== ''
  }

  /** Fields that link a log line to its trace. @param line its fields */
  readonly fieldsOf = (line: object): object => this.traced?.fieldsOf(line) ?? {}

  async start(log: Logger): Promise<void> {
    if (!this.isOn) return
    const { startTraced } = await import('./traced.js')
    this.traced = startTraced({ counts: this.counts, settings: this.settings, instance: this.instance, log })
  }

  /** Sends what waits. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastWordsMs)))
    await Promise.race([this.traced?.stop(), late])
    clearTimeout(timer)
    this.traced = undefined
  }
}
