/**
 * Values that are asked for often and change seldom, kept by their owner until something of the owner changes, and for a
 * bounded time. A value whose look-up began before a change is not kept after it. Null is not kept, so that what is made
 * is found at once. All who ask share a value: objects are frozen.
 *
 * Those who ask at once look up each for itself: a look-up may be part of a transaction, and one that waited for another's
 * could wait for what it holds itself.
 */
interface Options {
  /** Values in all; those of the owner that was asked for longest ago go first. */
  readonly max: number
  /** Values of one owner: it takes no more room from others. */
  readonly maxOfOwner: number
  /** How long a value is kept, in milliseconds; 0: nothing is kept now. */
  readonly lifeMs: () => number
  /** How long after a change its owner's values are not kept: other nodes of a database may not have it yet. */
  readonly settlingMs: number
}

interface Entry {
  readonly value: unknown
  readonly until: number
}

interface Owned {
  /** What is looked up before this is not kept. */
  readonly keptFrom: number
  readonly entries: Map<string, Entry>
}

/** Owners that are remembered without a value, for what has just changed. */
const maxOwners = 10_000

export class KeptValues {
  private readonly owners = new Map<string, Owned>()
  private count = 0
  private keptFrom = 0

  constructor(private readonly options: Options) {}

  /** Values that are kept now. */
  get size(): number {
    return this.count
  }

  /**
   * A value that is kept, or is looked up.
   * @param until when a value holds no more, in milliseconds of the clock; by default it holds until a change
   */
  async get<V>(
    owner: string,
    key: string,
    look: () => Promise<V>,
    until: (value: V) => number = () => Infinity,
  ): Promise<V> {
    const lifeMs = this.options.lifeMs()
    if (lifeMs === 0) return look()
    const now = performance.now()
    const owned = this.ownedBy(owner)
    const entry = owned.entries.get(key)
    if (entry && entry.until > now) {
      renew(owned.entries, key, entry)
      return entry.value as V
    }
    const value = await look()
    // What was forgotten meanwhile may be what was looked up.
    const isCurrent = this.owners.get(owner) === owned && now >= Math.max(owned.keptFrom, this.keptFrom)
    const restMs = Math.min(lifeMs, until(value) - Date.now())
    if (isCurrent && value !== null && restMs > 0) this.keep(owned, key, { value, until: now + restMs })
    return value
  }

  /** Something of an owner has changed. */
  forget(owner: string): void {
    this.drop(owner)
    this.add(owner, { keptFrom: performance.now() + this.options.settlingMs, entries: new Map() })
  }

  /** Something has changed that values of all owners may depend on. */
  forgetAll(): void {
    this.owners.clear()
    this.count = 0
    this.keptFrom = performance.now() + this.options.settlingMs
  }

  private ownedBy(owner: string): Owned {
    const owned = this.owners.get(owner)
    if (owned) renew(this.owners, owner, owned)
    return owned ?? this.add(owner, { keptFrom: 0, entries: new Map() })
  }

  private add(owner: string, owned: Owned): Owned {
    this.owners.set(owner, owned)
    if (this.owners.size > maxOwners) this.dropOldest()
    return owned
  }

  private keep({ entries }: Owned, key: string, { value, until }: Entry): void {
    if (entries.has(key)) this.count--
    renew(entries, key, { value: frozen(value), until })
    this.count++
    const [oldest] = entries.keys()
    if (entries.size > this.options.maxOfOwner && oldest !== undefined) {
      entries.delete(oldest)
      this.count--
    }
    while (this.count > this.options.max) this.dropOldest()
  }

  private dropOldest(): void {
    const [oldest] = this.owners.keys()
    if (oldest !== undefined) this.drop(oldest)
  }

  private drop(owner: string): void {
    this.count -= this.owners.get(owner)?.entries.size ?? 0
    this.owners.delete(owner)
  }
}

/** A map begins with what was used longest ago. */
function renew<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
}

function frozen(value: unknown): unknown {
  return typeof value === 'object' ? Object.freeze(value) : value
}
