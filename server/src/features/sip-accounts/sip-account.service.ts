/** SIP accounts. */
import { type EntityManager, IsNull } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type Page, none } from '../../infrastructure/http/lists.js'
import {
  type Afterwards,
  type ResourceRow,
  ResourceService,
} from '../../infrastructure/resources/resource-service.js'
import { digestHashes } from './digest.js'
import type { Registrations } from './registrations.js'
import { SipAccount } from './sip-account.entity.js'
import { notANumber, sipAccountResource } from './sip-account.resource.js'
import type { CreateSipAccount, SipAccountList, UpdateSipAccount } from './sip-account.schema.js'
import { accountsDomain } from '../workspaces/sip-domains.js'

/** A number of a workspace, in digits. */
interface CallerId {
  workspace_id: string
  number: string
}

interface Parts {
  database: Database
  phoneNumbers: {
    findByDigits(workspace: Owner, digits: string): Promise<CallerId | null>
    beforeDelete(work: (tx: EntityManager, number: CallerId) => Promise<void>): void
  }
  /** Whether an agent's softphone has the address. */
  isAgents(tx: EntityManager, address: Pick<SipAccount, 'username' | 'domain'>): Promise<boolean>
  registrations: Registrations
}

interface Settings {
  /** Domain of the platform that the workspaces' SIP domains are below. */
  sipDomain: string
  /** How many a workspace may hold. */
  limit: number
}

export class SipAccountService extends ResourceService<SipAccount, CreateSipAccount, UpdateSipAccount> {
  constructor(
    private readonly services: Parts,
    private readonly settings: Settings,
  ) {
    super(sipAccountResource, { database: services.database, max: settings.limit })
    services.phoneNumbers.beforeDelete(async (tx, number) => this.forgetCallerId(tx, number))
  }

  override async list(
    workspace: Owner,
    { outbound_caller_id: number, ...request }: SipAccountList,
  ): Promise<Page<SipAccount>> {
    const outbound_caller_id = number === none ? IsNull() : number?.replace('+', '')
    return super.list(workspace, request, outbound_caller_id === undefined ? {} : { outbound_caller_id })
  }

  /** Brings the caller id to its form. @throws 400 when it is no number of the workspace's */
  async normalize(workspace: Owner, account: Pick<CreateSipAccount, 'outbound_caller_id'>): Promise<void> {
    if (account.outbound_caller_id === undefined) return
    account.outbound_caller_id = await this.callerId(workspace, account.outbound_caller_id)
  }

  async findByUsername(workspace: Owner, username: string): Promise<SipAccount | null> {
    return this.table.findBy(workspace, { username })
  }

  /** @throws 400 a caller id that is no number of the workspace, 403 at the limit, 409 when an account has the username */
  override async create(workspace: Owner, input: CreateSipAccount): Promise<SipAccount> {
    const outbound_caller_id = await this.callerId(workspace, input.outbound_caller_id)
    return super.create(workspace, { ...input, outbound_caller_id })
  }

  /**
   * Changes an account. Phones that have registered with an old password are unreachable at once.
   * @throws 400 a caller id that is no number of the workspace, 404
   */
  override async update(workspace: Owner, id: string, input: UpdateSipAccount): Promise<SipAccount> {
    if (input.outbound_caller_id === undefined) return super.update(workspace, id, input)
    const outbound_caller_id = await this.callerId(workspace, input.outbound_caller_id)
    return super.update(workspace, id, { ...input, outbound_caller_id })
  }

  protected rowOf(base: ResourceRow, { password, ...input }: CreateSipAccount): SipAccount {
    const { username } = input
    const domain = accountsDomain(base.workspace_id, this.settings.sipDomain)
    const digests = digestHashes({ username, domain }, password)
    return { ...base, outbound_caller_id: null, max_concurrent_calls: null, ...input, domain, ...digests }
  }

  protected changesOf({ password, ...input }: UpdateSipAccount, account: SipAccount): Partial<SipAccount> {
    return { ...input, ...(password !== undefined && digestHashes(account, password)) }
  }

  protected override async written(
    tx: EntityManager,
    account: SipAccount,
    before: SipAccount | null,
  ): Promise<Afterwards> {
    if (before) return account.ha1 === before.ha1 ? undefined : this.unregister(tx, before)
    // An edge of a former version may have kept a phone of an agent of this name here.
    const wasAgents = await this.services.isAgents(tx, account)
    return wasAgents ? this.unregister(tx, account) : undefined
  }

  /** Its phones are unreachable at once and cannot register again. Extensions that lead to it lead nowhere. */
  protected override async deleting(tx: EntityManager, account: SipAccount): Promise<Afterwards> {
    return this.unregister(tx, account)
  }

  private async unregister(tx: EntityManager, account: SipAccount): Promise<Afterwards> {
    const { registrations } = this.services
    const removal = await registrations.remove(tx, account)
    return async () => registrations.removeNow(removal)
  }

  /** Deletes all accounts of a workspace that is being deleted. */
  override async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    const select = { id: true, username: true, domain: true }
    const addresses = await tx.find(SipAccount, { where: { workspace_id: workspace.id }, select })
    await this.services.registrations.removeSoon(tx, addresses)
    await this.table.in(tx).deleteAll(workspace)
  }

  /** The number as it is kept, or null for none. @throws 400 when it is none of the workspace's */
  private async callerId(workspace: Owner, given: string | null | undefined): Promise<string | null> {
    if (!given) return null
    const number = await this.services.phoneNumbers.findByDigits(workspace, given.replace('+', ''))
    if (!number) throw notANumber()
    return number.number
  }

  /** Accounts that called with a number that is being deleted call with none. */
  private async forgetCallerId(tx: EntityManager, { workspace_id, number }: CallerId): Promise<void> {
    await tx.update(SipAccount, { workspace_id, outbound_caller_id: number }, { outbound_caller_id: null })
  }
}
