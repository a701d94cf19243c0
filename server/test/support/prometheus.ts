/** Reads the text format of Prometheus, more strictly than Prometheus does: what promtool would warn of is refused, too. */

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

/** All that was measured. */
export class Measurements {
  private constructor(
    /** The type of each metric by its name, those without a sample among them. */
    readonly types: ReadonlyMap<string, string>,
    readonly samples: readonly Sample[],
  ) {}

  /** @throws {Error} naming the line that breaks a rule */
  static read(text: string): Measurements {
    const types = new Map<string, string>()
    const helped = new Set<string>()
    const samples: Sample[] = []
    const seen = new Set<string>()
    let current = ''
    if (!text.endsWith('\n')) throw new Error('the text must end with a line feed')
    for (const line of text.slice(0, -1).split('\n')) {
      if (line === '') continue
      const refuse = (rule: string) => new Error(`${rule}: ${line}`)
      const [, help] = /^# HELP ([a-zA-Z_:][\w:]*) \S/.exec(line) ?? []
      const [, typed, type] = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/.exec(line) ?? []
      if (help) {
        if (helped.has(help)) throw refuse('told twice')
        helped.add(help)
      } else if (typed && type) {
        if (!helped.has(typed)) throw refuse('no help before')
        if ((type === 'counter') !== typed.endsWith('_total'))
          throw refuse('counters, and they alone, end with _total')
        types.set(typed, type)
        current = typed
      } else {
        const sample = sampleIn(line)
        if (!sample) throw refuse('no sample')
        if (!belongsTo(sample.name, current, types.get(current))) throw refuse(`not of ${current}`)
        const identity = line.slice(0, line.lastIndexOf(' '))
        if (seen.has(identity)) throw refuse('told twice')
        seen.add(identity)
        samples.push(sample)
      }
    }
    const read = new Measurements(types, samples)
    for (const [name, type] of types) if (type === 'histogram') read.checkHistogram(name)
    return read
  }

  /** The sum of the samples of a name that have these labels; undefined without any. */
  value(name: string, labels: Labels = {}): number | undefined {
    const found = this.of(name, labels)
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
  }

  of(name: string, labels: Labels = {}): readonly Sample[] {
    const wanted = Object.entries(labels)
    return this.samples.filter(
      (one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value),
    )
  }

  /** Buckets grow, and the last holds all. */
  private checkHistogram(name: string): void {
    for (const total of this.of(`${name}_count`)) {
      const buckets = this.of(`${name}_bucket`, total.labels)
      const counts = buckets.map(({ value }) => value)
      const isRising = counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0))
      const isWhole = buckets.at(-1)?.labels['le'] === '+Inf' && counts.at(-1) === total.value
      if (!isRising || !isWhole || this.of(`${name}_sum`, total.labels).length !== 1)
        throw new Error(`the histogram ${name} is broken: ${JSON.stringify(buckets)}`)
    }
  }
}

function sampleIn(line: string): Sample | null {
  const [, name, inside = '', text = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)$/.exec(line) ?? []
  const value = text === '+Inf' ? Infinity : text === 'Nan' ? NaN : Number(text)
  if (!name || (Number.isNaN(value) && text !== 'Nan')) return null
  const labels = [...inside.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"/g)]
  return { name, value, labels: Object.fromEntries(labels.map(([, key = '', one = '']) => [key, one])) }
}

function belongsTo(name: string, metric: string, type: string | undefined): boolean {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'].some((end) => name === metric + end)
  if (type === 'summary') return [metric, `${metric}_sum`, `${metric}_count`].includes(name)
  return name === metric
}
