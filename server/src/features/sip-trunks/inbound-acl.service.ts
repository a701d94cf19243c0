/** Inbound ACLs. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { ValidationError, invalidField } from '../../infrastructure/http/errors.js'
import {
  type Afterwards,
  type ResourceRow,
  ResourceService,
} from '../../infrastructure/resources/resource-service.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import { callingCode } from '../../lib/numbering/e164.js'
import type { Stir } from '../../adapters/stir-shaken/stir.js'
import { isAddressOrBlock, isHostName, rangeOf } from '../../lib/hosts.js'
import { type ResolvedHost, resolvedHosts, writeAddresses } from './inbound-acl-addresses.js'
import { InboundAcl } from './inbound-acl.entity.js'
import { inboundAclResource } from './inbound-acl.resource.js'
import type { CreateInboundAcl, UpdateInboundAcl } from './sip-trunk.schema.js'

export class InboundAclService extends ResourceService<InboundAcl, CreateInboundAcl, UpdateInboundAcl> {
  /** @param resolveSoon called when an ACL may hold names that are new */
  constructor(
    database: Database,
    inUse: InUse,
    max: number,
    private readonly resolveSoon: () => void,
    private readonly stir: Pick<Stir, 'verifies'>,
  ) {
    super(inboundAclResource, { database, inUse, max })
  }

  /** What its names lead to; in mode `ip` names are not looked up. */
  async resolved(acl: InboundAcl): Promise<ResolvedHost[]> {
    return acl.mode === 'domain' ? resolvedHosts(this.database.source.manager, acl.id) : []
  }

  /** @throws 400, also for `unverified_callers` where no server verifies callers */
  protected rowOf(base: ResourceRow, input: CreateInboundAcl): InboundAcl {
    checkEntries(input)
    this.checkVerification(input)
    return { ...base, ...input, calling_code: callingCodeOf(input.country) }
  }

  /** @throws 400 as {@link rowOf} */
  protected changesOf(input: UpdateInboundAcl): Partial<InboundAcl> {
    if (input.allowed_ips) checkEntries({ allowed_ips: input.allowed_ips })
    this.checkVerification(input)
    return {
      ...input,
      ...(input.country !== undefined && { calling_code: callingCodeOf(input.country) }),
    }
  }

  protected override async written(
    tx: EntityManager,
    acl: InboundAcl,
    before: InboundAcl | null,
  ): Promise<Afterwards> {
    if (acl.mode !== before?.mode || acl.allowed_ips !== before.allowed_ips) await writeAddresses(tx, acl)
    return async () => this.resolveSoon()
  }

  /** How many ACLs refuse all callers, because the STIR authorities were removed after the ACL was made. */
  async countUnverifiable(): Promise<number> {
    if (this.stir.verifies) return 0
    return this.database.platformTable(InboundAcl).countBy({ unverified_callers: 'refuse' })
  }

  private checkVerification({ unverified_callers = 'take' }: UpdateInboundAcl): void {
    if (unverified_callers === 'take' || this.stir.verifies) return
    throw invalidField(
      'unverified_callers',
      'unverified_callers must be take: callers are not verified, as the operator names no authorities',
    )
  }
}

/** '' for no country. @throws 400 */
function callingCodeOf(country: string): string {
  if (country === '') return ''
  const code = callingCode(country)
  if (code === null)
    throw invalidField('country', 'country must be the code of a country that has telephone numbers')
  return code
}

/** @throws 400 naming each entry that is neither an address, a block nor a name */
function checkEntries({ allowed_ips }: Pick<InboundAcl, 'allowed_ips'>): void {
  const problems = allowed_ips.flatMap((entry, index) =>
    isAddressOrBlock(entry) || isHostName(entry)
      ? []
      : [{ field: `allowed_ips.${index}`, messages: [`allowed_ips.${index} must be ${entryRule}`] }],
  )
  if (problems.length > 0) throw new ValidationError(problems)
  if (new Set(allowed_ips.map(entryKey)).size < allowed_ips.length)
    throw invalidField('allowed_ips', 'allowed_ips must not name an entry twice')
}

const entryRule = 'an IPv4 or IPv6 address, a CIDR block or a host name'

function entryKey(entry: string): string {
  if (!isAddressOrBlock(entry)) return entry.toLowerCase()
  const { first, last } = rangeOf(entry)
  return Buffer.concat([first, last]).toString('hex')
}
