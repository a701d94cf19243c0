/** All that is measured of the platform, in the text format of Prometheus. */
import { Gauge, type MetricObject, Registry, collectDefaultMetrics } from 'prom-client'
import { answerWithin } from '../platform/answer-within.js'
import { callMetrics } from './call-metrics.js'
import type { MeasuredPart } from './part.js'
import { requestMetrics } from './request-metrics.js'
import { switchMetrics } from './switch-metrics.js'
import { workMetrics } from './work-metrics.js'

/** A part that does not answer within this time, in milliseconds, is down; Prometheus itself waits for 10 s. */
const patienceMs = 3_000

/** Gauges of prom-client that are named as counters; the same is there by kind, without the ending. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

export interface MetricDefinition {
  readonly name: string
  readonly kind: string
  readonly help: string
  readonly labels: readonly string[]
}

export class Metrics {
  private readonly registry = new Registry()
  private readonly parts: readonly MeasuredPart[]
  private readonly up: Gauge<'part'>
  private ends: readonly (() => void)[] = []
  private looking: Promise<string> | undefined
  private readonly asking = new Set<MeasuredPart>()

  /** @param parts makes them, with the registry that their readings belong to */
  constructor(parts: (registry: Registry) => readonly MeasuredPart[]) {
    const { registry } = this
    this.up = new Gauge({
      name: 'jackfield_part_up',
      help: '1 while a part of the platform answers, otherwise 0',
      labelNames: ['part'],
      registers: [registry],
    })
    this.parts = parts(registry)
  }

  /** The content type of {@link text}. */
  get type(): string {
    return this.registry.contentType
  }

  /** All metrics, once {@link start} has made them. */
  get definitions(): MetricDefinition[] {
    const made: (MetricObject & { labelNames?: string[] })[] = this.registry.getMetricsAsArray()
    return made.map(({ name, type, help, labelNames = [] }) => ({
      name,
      kind: String(type),
      help,
      labels: labelNames,
    }))
  }

  start(): void {
    const { registry } = this
    collectDefaultMetrics({ register: registry })
    for (const name of misnamed) registry.removeSingleMetric(name)
    this.ends = [requestMetrics, callMetrics, switchMetrics, workMetrics].flatMap((measure) =>
      measure(registry),
    )
  }

  stop(): void {
    for (const end of this.ends) end()
    // Its default metrics hold the process’s observers of garbage collection and of the event loop.
    this.registry.clear()
  }

  /** Asks all parts. Several who look at the same moment get the same. */
  async text(): Promise<string> {
    this.looking ??= this.look().finally(() => {
      this.looking = undefined
    })
    return this.looking
  }

  /** A part that still works on its last question is not asked again: statements would pile up behind a database that hangs. */
  private async ask(part: MeasuredPart) {
    if (this.asking.has(part)) return null
    this.asking.add(part)
    return answerWithin(patienceMs, async () => part.ask().finally(() => this.asking.delete(part)))
  }

  private async look(): Promise<string> {
    const { parts } = this
    const asked = await Promise.all(parts.map(async (part) => this.ask(part)))
    for (const [index, part] of parts.entries()) {
      const put = asked[index]
      for (const reading of part.readings) reading.forget()
      put?.()
      this.up.set({ part: part.name }, put ? 1 : 0)
    }
    return this.registry.metrics()
  }
}
