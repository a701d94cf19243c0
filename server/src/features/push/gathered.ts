/** Reads that are asked for one by one and made together. */

interface Waiting<V> {
  resolve(value: V): void
  reject(error: unknown): void
}

/** At most so many keys are read at once. */
const largestRead = 500

/**
 * When a team rings, each of its members is looked up in the same moment: what is asked for within one turn of the event
 * loop is read in one query.
 */
export class Gathered<K, V> {
  private waiting = new Map<string, { key: K; waiting: Waiting<V>[] }>()

  constructor(
    /** Values by name, for the keys that are asked for. */
    private readonly read: (keys: K[]) => Promise<ReadonlyMap<string, V>>,
    private readonly nameOf: (key: K) => string,
    private readonly none: V,
  ) {}

  async get(key: K): Promise<V> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) setImmediate(() => this.flush())
      const name = this.nameOf(key)
      const entry = this.waiting.get(name) ?? { key, waiting: [] }
      entry.waiting.push({ resolve, reject })
      this.waiting.set(name, entry)
    })
  }

  private flush(): void {
    const entries = [...this.waiting]
    this.waiting = new Map()
    for (let from = 0; from < entries.length; from += largestRead) {
      void this.readAll(entries.slice(from, from + largestRead))
    }
  }

  private async readAll(entries: [string, { key: K; waiting: Waiting<V>[] }][]): Promise<void> {
    try {
      const found = await this.read(entries.map(([, { key }]) => key))
      for (const [name, { waiting }] of entries) {
        for (const one of waiting) one.resolve(found.get(name) ?? this.none)
      }
    } catch (error) {
      for (const [, { waiting }] of entries) for (const one of waiting) one.reject(error)
    }
  }
}
