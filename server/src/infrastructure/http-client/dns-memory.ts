/** What DNS said of names, kept for as long as its records hold: calls do not wait for DNS each time. */

/** The records of a name. */
export interface DnsAnswer<R> {
  records: readonly R[]
  /** False where a name server did not answer; that there is no record is an answer. */
  isWhole: boolean
  /** For how long they hold, where DNS says so. */
  ttlMs?: number
}

/** Records are kept for as long as they say, within these bounds; what DNS denies for the shortest time. */
const minTtlMs = 5_000
const maxTtlMs = 300_000

/** While DNS does not answer, its last answer is used for this time, in milliseconds. */
const staleMs = 86_400_000

/** More than all carriers of a platform. */
const maxNames = 10_000

export class DnsMemory<R> {
  private readonly known = new Map<string, { until: number; records: Promise<readonly R[]> }>()
  /** The last answer of DNS for a name. */
  private readonly answers = new Map<string, { at: number; records: readonly R[] }>()

  /** @param ask asks DNS for a name; must not throw */
  constructor(private readonly ask: (name: string) => Promise<DnsAnswer<R>>) {}

  /** None when there is no such name, or DNS does not answer. Never throws. */
  async of(name: string): Promise<readonly R[]> {
    const before = this.known.get(name)
    if (before && performance.now() < before.until) return before.records
    if (this.known.size >= maxNames) this.known.clear()
    const found = this.lookUp(name)
    const records = found.then((one) => one.records)
    // All who ask meanwhile wait for the same answer.
    this.known.set(name, { until: Infinity, records })
    const { ttlMs } = await found
    this.known.set(name, { until: performance.now() + ttlMs, records })
    return records
  }

  private async lookUp(name: string): Promise<{ records: readonly R[]; ttlMs: number }> {
    const { records, isWhole, ttlMs = minTtlMs } = await this.ask(name)
    if (isWhole) this.remember(name, records)
    else if (records.length === 0) return { records: this.last(name), ttlMs: minTtlMs }
    if (records.length === 0) return { records, ttlMs: minTtlMs }
    return { records, ttlMs: Math.max(Math.min(maxTtlMs, ttlMs), minTtlMs) }
  }

  private remember(name: string, records: readonly R[]): void {
    if (this.answers.size >= maxNames) this.answers.clear()
    this.answers.set(name, { at: performance.now(), records })
  }

  private last(name: string): readonly R[] {
    const answer = this.answers.get(name)
    return answer && performance.now() - answer.at < staleMs ? answer.records : []
  }
}

/** @returns null where DNS did not answer; that there is nothing is an answer */
export function silenceOf(error: unknown): null | [] {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
}
