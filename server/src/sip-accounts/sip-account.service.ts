/** SIP accounts. */
import type { EntityManager } from 'typeorm'
import { Agent } from '../agents/agent.entity.js'
import { type Database, isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { conflict, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../phone-numbers/phone-number.service.js'
import { checkLimit } from '../workspaces/limits.js'
import { digestHashes } from './digest.js'
import type { Registrations } from './registrations.js'
import { SipAccount } from './sip-account.entity.js'
import type { CreateSipAccount, UpdateSipAccount } from './sip-account.schema.js'
import { accountsDomain } from './sip-domains.js'

interface Parts {
  database: Database
  phoneNumbers: PhoneNumberService
  registrations: Registrations
}

interface Settings {
  /** Domain of the platform that the workspaces' SIP domains are below. */
  sipDomain: string
  /** How many a workspace may hold. */
  limit: number
}

const notANumber = () =>
  invalidField('outbound_caller_id', 'outbound_caller_id must be a phone number of this workspace, or empty')

export class SipAccountService {
  private readonly table: WorkspaceTable<SipAccount>

  constructor(
    private readonly parts: Parts,
    private readonly settings: Settings,
  ) {
    this.table = new WorkspaceTable(parts.database, SipAccount, {
      audited: 'sip_account',
      hidden: ['ha1', 'ha1b', 'ha1_sha256', 'ha1b_sha256'],
      fields: { ha1: 'password', ha1b: 'password', ha1_sha256: 'password', ha1b_sha256: 'password' },
    })
    parts.phoneNumbers.beforeDelete(async (tx, number) => this.forgetCallerId(tx, number))
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<SipAccount>> {
    return this.table.list(workspace, { ...request, searched: ['title', 'username'] })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<SipAccount> {
    const account = await this.table.find(workspace, id)
    if (!account) throw notFound(`SIP account ${id} not found`)
    return account
  }

  async find(workspace: Owner, id: string): Promise<SipAccount | null> {
    return this.table.find(workspace, id)
  }

  async findByUsername(workspace: Owner, username: string): Promise<SipAccount | null> {
    return this.table.findBy(workspace, { username })
  }

  /** Those of the ids that are SIP accounts of the workspace. */
  async findMany(workspace: Owner, ids: readonly string[]): Promise<SipAccount[]> {
    return this.table.findMany(workspace, ids)
  }

  /** @throws 400 a caller id that is no number of the workspace, 403 at the limit, 409 when an account has the username */
  async create(workspace: Owner, { password, ...input }: CreateSipAccount): Promise<SipAccount> {
    const { database, registrations } = this.parts
    const now = new Date()
    const address = {
      username: input.username,
      domain: accountsDomain(workspace.id, this.settings.sipDomain),
    }
    const row: SipAccount = {
      id: newId('si'),
      workspace_id: workspace.id,
      title: input.title,
      ...address,
      ...digestHashes(address, password),
      outbound_caller_id: await this.callerId(workspace, input.outbound_caller_id),
      max_concurrent_calls: input.max_concurrent_calls ?? null,
      created_at: now,
      updated_at: now,
    }
    const removal = await database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.settings.limit, what: 'SIP accounts' })
      try {
        await this.table.in(tx).insert(row)
      } catch (error) {
        if (isDuplicate(error)) throw conflict(`The username ${row.username} is taken in this workspace`)
        throw isMissingReference(error) ? notANumber() : error
      }
      // An edge of a former version may have kept a phone of an agent of this name here.
      const wasAgents = await tx.existsBy(Agent, { username: row.username, realm: row.domain })
      return wasAgents ? registrations.remove(tx, row) : null
    })
    if (removal) await registrations.removeNow(removal)
    return row
  }

  /**
   * Changes an account. Phones that have registered with an old password are unreachable at once.
   * @throws 400 a caller id that is no number of the workspace, 404
   */
  async update(
    workspace: Owner,
    id: string,
    { password, outbound_caller_id, ...input }: UpdateSipAccount,
  ): Promise<SipAccount> {
    const { database, registrations } = this.parts
    const callerId =
      outbound_caller_id === undefined
        ? {}
        : { outbound_caller_id: await this.callerId(workspace, outbound_caller_id) }
    const { changed, removal } = await database.transaction(async (tx) => {
      const accounts = this.table.in(tx)
      const account = await accounts.lock(workspace, id)
      if (!account) throw notFound(`SIP account ${id} not found`)
      const hashes = password === undefined ? {} : digestHashes(account, password)
      const changes = { ...input, ...callerId, ...hashes, updated_at: new Date() }
      const changed: SipAccount = { ...account, ...changes }
      try {
        await accounts.update(workspace, id, changes)
      } catch (error) {
        throw isMissingReference(error) ? notANumber() : error
      }
      return {
        changed,
        removal: changed.ha1 === account.ha1 ? null : await registrations.remove(tx, account),
      }
    })
    if (removal) await registrations.removeNow(removal)
    return changed
  }

  /**
   * Deletes an account; its phones are unreachable at once and cannot register again. Extensions that lead to it lead nowhere.
   * @throws 404
   */
  async delete(workspace: Owner, id: string): Promise<SipAccount> {
    const { database, registrations } = this.parts
    const account = await this.get(workspace, id)
    const removal = await database.transaction(async (tx) => {
      await this.table.in(tx).delete(workspace, id)
      return registrations.remove(tx, account)
    })
    await registrations.removeNow(removal)
    return account
  }

  /** Deletes all accounts of a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    const select = { id: true, username: true, domain: true }
    const addresses = await tx.find(SipAccount, { where: { workspace_id: workspace.id }, select })
    await this.parts.registrations.removeSoon(tx, addresses)
    await this.table.in(tx).deleteAll(workspace)
  }

  /** The number as it is kept, or null for none. @throws 400 when it is none of the workspace's */
  private async callerId(workspace: Owner, given: string | null | undefined): Promise<string | null> {
    if (!given) return null
    const number = await this.parts.phoneNumbers.findByDigits(workspace, given.replace('+', ''))
    if (!number) throw notANumber()
    return number.number
  }

  /** Accounts that called with a number that is being deleted call with none. */
  private async forgetCallerId(
    tx: EntityManager,
    { workspace_id, number }: Pick<PhoneNumber, 'workspace_id' | 'number'>,
  ): Promise<void> {
    await tx.update(SipAccount, { workspace_id, outbound_caller_id: number }, { outbound_caller_id: null })
  }
}
