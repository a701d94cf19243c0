/** What DNS says of a carrier's name: its own addresses, and those of the servers that its SRV records name. */
import { Resolver } from 'node:dns/promises'
import { addressOf, rangeOf } from '../../lib/hosts.js'

/** Everything that a name resolves to, as far as DNS answered. */
export interface CarrierAddresses {
  /** Without repetition, sorted. */
  addresses: string[]
  /** Seconds that the shortest-lived record holds; undefined without records. */
  ttl: number | undefined
  /** What could not be learnt; undefined when every question was answered, "there is none" being an answer. */
  failure: string | undefined
}

/** For one question to one name server. */
const tryMs = 2_000
const tries = 2

/** RFC 3263, section 4. */
const services = ['_sip._udp', '_sip._tcp', '_sips._tcp']

/** More targets of a name than this are ignored: no trunk needs them. */
const maxTargets = 16
const maxAddresses = 64

interface Answer {
  address: string
  ttl: number
}

export class CarrierDns {
  private readonly resolver = new Resolver({ timeout: tryMs, tries })

  /** @param servers `host` or `host:port`; the system's when empty. `/etc/hosts` is not read. */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** Never throws: `failure` says what failed. */
  async resolve(host: string): Promise<CarrierAddresses> {
    const failures = new Set<string>()
    const ask = async <T>(question: Promise<T[]>): Promise<T[]> =>
      question.catch((error: unknown) => {
        const { code = 'failed', hostname = host } = error as NodeJS.ErrnoException & { hostname?: string }
        if (code !== 'ENOTFOUND' && code !== 'ENODATA') failures.add(`${code} for ${hostname}`)
        return []
      })
    const addressesOf = async (name: string): Promise<Answer[]> =>
      (
        await Promise.all([
          ask(this.resolver.resolve4(name, { ttl: true })),
          ask(this.resolver.resolve6(name, { ttl: true })),
        ])
      ).flat()
    const [own, ...found] = await Promise.all([
      addressesOf(host),
      ...services.map(async (service) => ask(this.resolver.resolveSrv(`${service}.${host}`))),
    ])
    const targets = [...new Set(found.flat().map(({ name }) => name.toLowerCase()))]
      .filter((name) => name !== '' && name !== host)
      .slice(0, maxTargets)
    const answers = [...own, ...(await Promise.all(targets.map(addressesOf))).flat()]
    return {
      addresses: [...new Set(answers.map(({ address }) => addressOf(rangeOf(address).first)))]
        .sort()
        .slice(0, maxAddresses),
      ttl: answers.length > 0 ? Math.min(...answers.map(({ ttl }) => ttl)) : undefined,
      failure: [...failures][0],
    }
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.resolver.cancel()
  }
}
