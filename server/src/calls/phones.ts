/** SIP accounts and extensions as calls see them: who may be dialled within a workspace. */
import type { Owner } from '../database/workspace-table.js'
import type { ExtensionService } from '../extensions/extension.service.js'
import type { SipAccount } from '../sip-accounts/sip-account.entity.js'
import type { SipAccountService } from '../sip-accounts/sip-account.service.js'

/** A SIP account: whatever is registered with it rings together. */
export interface Phone {
  /** `si_…` */
  id: string
  workspace_id: string
  title: string
  username: string
  domain: string
  /** Digits of the number that it shows in the telephone network; null when it may not call there. */
  outbound_caller_id: string | null
  /** What others dial to reach it; its oldest extension, or null. */
  extension: string | null
}

/** What an extension leads to. */
export interface ExtensionTarget {
  title: string
  destination: 'agent' | 'team' | 'sip-account' | 'voice-agent'
  /** Set when it leads to a SIP account. */
  phone: Phone | null
}

interface Services {
  sipAccounts: SipAccountService
  extensions: ExtensionService
}

export class Phones {
  constructor(private readonly services: Services) {}

  async find(workspace: Owner, accountId: string): Promise<Phone | null> {
    return this.phoneOf(workspace, await this.services.sipAccounts.find(workspace, accountId))
  }

  async withUsername(workspace: Owner, username: string): Promise<Phone | null> {
    return this.phoneOf(workspace, await this.services.sipAccounts.findByUsername(workspace, username))
  }

  /** The SIP account that `sip:username@domain` names, when it is one of the workspace. */
  async at(workspace: Owner, username: string, domain: string): Promise<Phone | null> {
    const phone = await this.withUsername(workspace, username)
    return phone?.domain === domain ? phone : null
  }

  async extension(workspace: Owner, number: string): Promise<ExtensionTarget | null> {
    const extension = await this.services.extensions.findByNumber(workspace, number)
    if (!extension) return null
    const { title, destination, sip_account_id } = extension
    return { title, destination, phone: sip_account_id ? await this.find(workspace, sip_account_id) : null }
  }

  private async phoneOf(workspace: Owner, account: SipAccount | null): Promise<Phone | null> {
    if (!account) return null
    const { id, workspace_id, title, username, domain, outbound_caller_id } = account
    const extension = await this.services.extensions.findOfSipAccount(workspace, id)
    const own = { id, workspace_id, title, username, domain, outbound_caller_id }
    return { ...own, extension: extension?.extension_number ?? null }
  }
}
