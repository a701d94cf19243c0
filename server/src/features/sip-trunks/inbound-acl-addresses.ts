/** The addresses behind an inbound ACL's entries: written with the ACL, or for names by {@link InboundAclResolver}. */
import { type EntityManager, In, Not } from 'typeorm'
import { addressOf, isAddressOrBlock, rangeOf } from '../../lib/hosts.js'
import { InboundAclAddress, InboundAclHost } from './inbound-acl-address.entity.js'
import type { InboundAcl } from './inbound-acl.entity.js'

/** What is known of a name in an ACL. */
export interface ResolvedHost {
  host: string
  addresses: string[]
  resolved_at: Date | null
  error: string | null
}

/**
 * Makes the addresses those of the ACL's entries, in the transaction that writes the ACL. A name that was in it before
 * keeps its addresses; a new one has none until it is resolved.
 */
export async function writeAddresses(tx: EntityManager, acl: InboundAcl): Promise<void> {
  const written = acl.allowed_ips.filter(isAddressOrBlock)
  const named = acl.mode === 'domain' ? acl.allowed_ips.filter((entry) => !isAddressOrBlock(entry)) : []
  const names = named.map((host) => host.toLowerCase())
  await tx.delete(InboundAclAddress, { acl_id: acl.id, host: Not(In(names)) })
  await tx.delete(InboundAclHost, { acl_id: acl.id, host: Not(In(names)) })
  if (written.length > 0)
    await tx.insert(
      InboundAclAddress,
      written.map((entry) => addressRow(acl.id, '', entry)),
    )
  const known = new Set((await tx.findBy(InboundAclHost, { acl_id: acl.id })).map(({ host }) => host))
  const rows = names
    .filter((host) => !known.has(host))
    .map((host) => ({ acl_id: acl.id, host, due_at: acl.updated_at, resolved_at: null, error: null }))
  if (rows.length > 0) await tx.insert(InboundAclHost, rows)
}

/** A row of an address or block. */
export function addressRow(acl_id: string, host: string, entry: string): InboundAclAddress {
  const { first, last, isWide } = rangeOf(entry)
  return { acl_id, host, first_address: first, last_address: last, is_wide: isWide }
}

/** What DNS said of an ACL's names, sorted by name: in one statement, as the resolver writes it in one transaction. */
export async function resolvedHosts(manager: EntityManager, aclId: string): Promise<ResolvedHost[]> {
  const { entities, raw } = await manager
    .createQueryBuilder(InboundAclHost, 'host')
    .leftJoin(InboundAclAddress, 'address', 'address.acl_id = host.acl_id AND address.host = host.host')
    .addSelect('address.first_address', 'first_address')
    .where({ acl_id: aclId })
    .orderBy('host.host')
    .addOrderBy('address.first_address')
    .getRawAndEntities<{ host_host: string; first_address: Buffer | null }>()
  return entities.map(({ host, resolved_at, error }) => ({
    host,
    addresses: raw.flatMap((row) =>
      row.host_host === host && row.first_address ? [addressOf(row.first_address)] : [],
    ),
    resolved_at,
    error,
  }))
}
