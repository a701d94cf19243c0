/** WebSockets to servers of customers: held to the rules of the guarded client, and following no redirect. */
import type { LookupFunction } from 'node:net'
import { WebSocket } from 'ws'
import { AddressPolicy } from './address-policy.js'
import { type Network } from '../../lib/networks.js'
import { RequestRefusedError } from './errors.js'
import { guardedLookup } from './guarded-lookup.js'
import { brokenSocketUrlRule } from './urls.js'

export type { RawData, WebSocket } from 'ws'

interface Settings {
  /** Networks that the operator allows although they are not public. */
  allowed_networks: readonly Network[]
  /** Addresses of name servers; the system’s when empty. */
  dns_servers: readonly string[]
}

interface SocketRequest {
  url: string
  headers: Readonly<Record<string, string>>
  /** Bytes of the longest message that is taken. */
  maxPayload: number
}

export class GuardedSockets {
  private readonly policy: AddressPolicy
  private readonly lookup: LookupFunction

  constructor(settings: Settings) {
    this.policy = new AddressPolicy(settings.allowed_networks)
    this.lookup = guardedLookup(this.policy, settings.dns_servers)
  }

  /** The rule that a URL breaks, to follow "must", or undefined; for telling it when the URL is given. */
  brokenRule(url: string): string | undefined {
    return brokenSocketUrlRule(url, this.policy)
  }

  /**
   * Begins to connect. The caller handles its deadline, and its event `error`.
   * @throws {RequestRefusedError} the URL is not allowed; if its name leads to a forbidden address, the event `error` says so
   */
  connect({ url, headers, maxPayload }: SocketRequest): WebSocket {
    const broken = this.brokenRule(url)
    if (broken) throw new RequestRefusedError(`the URL must ${broken}`)
    return new WebSocket(url, {
      headers: { 'user-agent': 'Jackfield', ...headers },
      lookup: this.lookup,
      followRedirects: false,
      perMessageDeflate: false,
      rejectUnauthorized: true,
      maxPayload,
    })
  }
}
