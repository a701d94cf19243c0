/** What measurements are kept in: instruments that are fed as things happen, and readings that are put when somebody looks. */
import { Counter, Gauge, Histogram, type LabelValues, type Registry } from 'prom-client'

/** What a metric is: its name without the prefix, and one line for people. */
interface Definition<L extends string> {
  readonly name: string
  readonly help: string
  readonly labels?: readonly L[]
}

const prefix = 'jackfield_'

/** Seconds: of work within this machine, and of what people or other servers do. */
export const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
export const slow = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300]

function full<L extends string>({ name, help, labels = [] }: Definition<L>, registry: Registry) {
  return { name: prefix + name, help, labelNames: [...labels], registers: [registry] }
}

export function counter<L extends string>(registry: Registry, definition: Definition<L>): Counter<L> {
  return new Counter(full(definition, registry))
}

/** @param buckets upper bounds, in the metric's own unit */
export function histogram<L extends string>(
  registry: Registry,
  definition: Definition<L>,
  buckets: readonly number[],
): Histogram<L> {
  return new Histogram({ ...full(definition, registry), buckets: [...buckets] })
}

/** A metric whose value somebody else keeps. Without a value it is not shown: unknown is not 0. */
export class Reading<L extends string = never> {
  private readonly metric: Gauge<L> | Counter<L>
  private readonly hasLabels: boolean

  /** @param kind `total` only grows until what keeps it starts again */
  constructor(registry: Registry, kind: 'now' | 'total', definition: Definition<L>) {
    const options = full(definition, registry)
    this.metric = kind === 'now' ? new Gauge(options) : new Counter(options)
    this.hasLabels = (definition.labels ?? []).length > 0
    this.forget()
  }

  put(value: number | undefined, labels?: LabelValues<L>): void {
    if (value === undefined || !Number.isFinite(value)) return
    if (labels) this.metric.inc(labels, value)
    else this.metric.inc(value)
  }

  forget(): void {
    this.metric.reset()
    if (!this.hasLabels) this.metric.remove()
  }
}
