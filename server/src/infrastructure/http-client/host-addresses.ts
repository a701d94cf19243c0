/** The addresses of host names. */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DnsMemory, type DnsAnswer, silenceOf } from './dns-memory.js'

const tryMs = 2_000
const tries = 2

export class HostAddresses {
  private readonly resolver = new Resolver({ timeout: tryMs, tries })
  private readonly memory = new DnsMemory<string>(async (host) => this.ask(host))

  /** @param servers `host` or `host:port`; the system's when empty. `/etc/hosts` is not read. */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** IPv4 first; none when there is no such name, or DNS does not answer. Never throws. */
  async of(host: string): Promise<readonly string[]> {
    return isIP(host) === 0 ? this.memory.of(host) : [host]
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.resolver.cancel()
  }

  private async ask(host: string): Promise<DnsAnswer<string>> {
    const answers = await Promise.all([
      this.resolver.resolve4(host, { ttl: true }).catch(silenceOf),
      this.resolver.resolve6(host, { ttl: true }).catch(silenceOf),
    ])
    const found = answers.flatMap((answer) => answer ?? [])
    return {
      records: found.map(({ address }) => address),
      isWhole: !answers.includes(null),
      ttlMs: Math.min(...found.map(({ ttl }) => ttl * 1000)),
    }
  }
}
