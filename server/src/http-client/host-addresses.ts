/** The addresses of host names, kept for as long as their records hold: calls do not wait for DNS each time. */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

const tryMs = 2_000
const tries = 2

/** Addresses are kept for as long as their records say, within these bounds; what DNS denies for the shortest time. */
const minTtlMs = 5_000
const maxTtlMs = 300_000

/** Where DNS does not answer, what it said before holds for so long. */
const staleMs = 86_400_000

/** More than all carriers of a platform. */
const maxNames = 10_000

interface Known {
  readonly until: number
  readonly addresses: Promise<string[]>
}

interface Told {
  readonly at: number
  readonly addresses: readonly string[]
}

export class HostAddresses {
  private readonly resolver = new Resolver({ timeout: tryMs, tries })
  private readonly known = new Map<string, Known>()
  /** What DNS said of a name when it last answered. */
  private readonly told = new Map<string, Told>()

  /** @param servers `host` or `host:port`; the system's when empty. `/etc/hosts` is not read. */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** IPv4 first; none when there is no such name, or DNS does not answer. Never throws. */
  async of(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host]
    const before = this.known.get(host)
    if (before && performance.now() < before.until) return before.addresses
    if (this.known.size >= maxNames) this.known.clear()
    const found = this.lookUp(host)
    const addresses = found.then((one) => one.addresses)
    // Until it is found out all who ask wait for the same.
    this.known.set(host, { until: Infinity, addresses })
    const { ttlMs } = await found
    this.known.set(host, { until: performance.now() + ttlMs, addresses })
    return addresses
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.resolver.cancel()
  }

  private async lookUp(host: string): Promise<{ addresses: string[]; ttlMs: number }> {
    const answers = await Promise.all([
      this.resolver.resolve4(host, { ttl: true }).catch(silenceOf),
      this.resolver.resolve6(host, { ttl: true }).catch(silenceOf),
    ])
    const found = answers.flatMap((answer) => answer ?? [])
    const addresses = found.map(({ address }) => address)
    if (!answers.includes(null)) this.tell(host, addresses)
    else if (addresses.length === 0) return { addresses: this.last(host), ttlMs: minTtlMs }
    if (addresses.length === 0) return { addresses, ttlMs: minTtlMs }
    const ttlMs = Math.min(maxTtlMs, ...found.map(({ ttl }) => ttl * 1000))
    return { addresses, ttlMs: Math.max(ttlMs, minTtlMs) }
  }

  private tell(host: string, addresses: readonly string[]): void {
    if (this.told.size >= maxNames) this.told.clear()
    this.told.set(host, { at: performance.now(), addresses })
  }

  private last(host: string): string[] {
    const told = this.told.get(host)
    return told && performance.now() - told.at < staleMs ? [...told.addresses] : []
  }
}

/** @returns null where DNS did not answer; that there is nothing is an answer */
function silenceOf(error: unknown): null | [] {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null
}
