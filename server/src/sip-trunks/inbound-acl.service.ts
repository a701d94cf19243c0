/** Inbound ACLs. */
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { ValidationError, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { callingCode } from '../phone-numbers/e164.js'
import { checkLimit } from '../workspaces/limits.js'
import type { Stir } from '../stir/stir.js'
import { isAddressOrBlock, isHostName, rangeOf } from '../hosts.js'
import { type ResolvedHost, resolvedHosts, writeAddresses } from './inbound-acl-addresses.js'
import { InboundAcl } from './inbound-acl.entity.js'
import type { CreateInboundAcl, UpdateInboundAcl } from './sip-trunk.schema.js'

export class InboundAclService {
  private readonly table: WorkspaceTable<InboundAcl>

  /** @param resolveSoon called when an ACL may hold names that are new */
  constructor(
    private readonly database: Database,
    private readonly inUse: InUse,
    private readonly limit: number,
    private readonly resolveSoon: () => void,
    private readonly stir: Pick<Stir, 'verifies'>,
  ) {
    this.table = new WorkspaceTable(database, InboundAcl, {
      audited: 'inbound_acl',
      hidden: ['calling_code'],
    })
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<InboundAcl>> {
    return this.table.list(workspace, { ...request, searched: ['title'] })
  }

  async find(workspace: Owner, id: string): Promise<InboundAcl | null> {
    return this.table.find(workspace, id)
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<InboundAcl> {
    const acl = await this.table.find(workspace, id)
    if (!acl) throw notFound(`Inbound ACL ${id} not found`)
    return acl
  }

  /** What its names lead to; in mode `ip` names are not looked up. */
  async resolved(acl: InboundAcl): Promise<ResolvedHost[]> {
    return acl.mode === 'domain' ? resolvedHosts(this.database.source.manager, acl.id) : []
  }

  /** @throws 403 at the limit, 400 for `unverified_callers` where no server verifies callers */
  async create(workspace: Owner, input: CreateInboundAcl): Promise<InboundAcl> {
    checkEntries(input)
    this.checkVerification(input)
    const now = new Date()
    const calling_code = callingCodeOf(input.country)
    const row = {
      ...{ id: newId('acl'), workspace_id: workspace.id, ...input, calling_code },
      ...{ created_at: now, updated_at: now },
    }
    const acl = await this.database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'inbound ACLs' })
      await this.table.in(tx).insert(row)
      await writeAddresses(tx, row)
      return row
    })
    this.resolveSoon()
    return acl
  }

  /** @throws 404, 400 as {@link create} */
  async update(workspace: Owner, id: string, input: UpdateInboundAcl): Promise<InboundAcl> {
    if (input.allowed_ips) checkEntries({ allowed_ips: input.allowed_ips })
    this.checkVerification(input)
    const updated = await this.database.transaction(async (tx) => {
      const acls = this.table.in(tx)
      const acl = await acls.lock(workspace, id)
      if (!acl) throw notFound(`Inbound ACL ${id} not found`)
      const changes = {
        ...{ ...input, updated_at: new Date() },
        ...(input.country !== undefined && { calling_code: callingCodeOf(input.country) }),
      }
      const changed = { ...acl, ...changes }
      await acls.update(workspace, id, changes)
      if (input.mode || input.allowed_ips) await writeAddresses(tx, changed)
      return changed
    })
    this.resolveSoon()
    return updated
  }

  /** @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<InboundAcl> {
    const acl = await this.get(workspace, id)
    await this.inUse.delete('inbound_acl', workspace, id, `The inbound ACL ${acl.title}`, async () =>
      this.table.delete(workspace, id),
    )
    return acl
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
