/** DNS for the guarded client: a name is only ever resolved to addresses that may be connected to. */
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { AddressPolicy } from './address-policy.js'
import { RequestRefusedError } from './errors.js'

const tryMs = 2_000
const tries = 2

type Address = { address: string; family: 4 | 6 }

/**
 * Makes the `lookup` of a connection. It asks DNS itself rather than through getaddrinfo, whose few
 * threads a name server that never answers would hold; /etc/hosts is therefore not read. As the
 * connection is made to what is returned here, a name that resolves differently the next time gains nothing.
 */
export function guardedLookup(policy: AddressPolicy, dnsServers: readonly string[]): LookupFunction {
  const resolver = new Resolver({ timeout: tryMs, tries })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  return (hostname, options, callback) => {
    allAddresses(resolver, hostname).then(
      (found) => {
        const usable = found.filter(({ address }) => policy.allows(address))
        const [first] = usable
        if (!first) {
          const error =
            found.length > 0 ? new RequestRefusedError(`${hostname} leads to no public address`) : null
          callback(error ?? unknownHost(hostname), '', 4)
        } else if (options.all) callback(null, usable)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 4),
    )
  }
}

/** All addresses of a name, none when it has none. @throws when no name server answers */
async function allAddresses(resolver: Resolver, hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected' && !isAbsent(four.reason)) throw four.reason
  const addresses = (result: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
  return [...addresses(four, 4), ...addresses(six, 6)]
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

function unknownHost(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`the host ${hostname} is not known`), { code: 'ENOTFOUND' })
}
