/** SIP accounts, agents and extensions as calls see them: what can be dialled within a workspace. */
import type { Agent } from '../../agents/agent.entity.js'
import type { AgentService } from '../../agents/agent.service.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { Extension } from '../../extensions/extension.entity.js'
import type { ExtensionService } from '../../extensions/extension.service.js'
import type { SipAccount } from '../../sip-accounts/sip-account.entity.js'
import type { SipAccountService } from '../../sip-accounts/sip-account.service.js'

/** A SIP account or an agent; everything registered with it rings together. */
export interface Phone {
  kind: 'sip_account' | 'agent'
  /** `si_…` or `ag_…` */
  id: string
  workspace_id: string
  /** The display name for an agent. */
  title: string
  username: string
  domain: string
  /**
   * Digits of a SIP account's caller id in the telephone network; null if it may not call there. Agents have none of
   * their own.
   */
  outbound_caller_id: string | null
  /** Concurrent calls that it may make; null for the operator's default. */
  max_concurrent_calls: number | null
  /** Its oldest extension, or null. */
  extension: string | null
}

/** Destination of an extension. */
export interface ExtensionTarget {
  title: string
  destination: 'agent' | 'team' | 'sip-account' | 'voice-agent'
  /** Set for a SIP account or an agent. */
  phone: Phone | null
  /** Set for a team. */
  teamId: string | null
  /** Set for a voice agent. */
  voiceAgentId: string | null
}

interface Services {
  sipAccounts: SipAccountService
  agents: AgentService
  extensions: ExtensionService
}

export class Phones {
  constructor(private readonly services: Services) {}

  /** @param id of a SIP account or an agent */
  async find(workspace: Owner, id: string): Promise<Phone | null> {
    if (id.startsWith('ag_')) return this.ofAgent(workspace, await this.services.agents.find(workspace, id))
    return this.ofAccount(workspace, await this.services.sipAccounts.find(workspace, id))
  }

  /** If an agent and a SIP account share the name, the agent wins, as in the contract (POST /calls/make). */
  async withUsername(workspace: Owner, username: string): Promise<Phone | null> {
    const { agents, sipAccounts } = this.services
    const agent = await agents.findByUsername(workspace, username)
    if (agent) return this.ofAgent(workspace, agent)
    return this.ofAccount(workspace, await sipAccounts.findByUsername(workspace, username))
  }

  /**
   * The phone named by `sip:username@domain`, if the workspace has it. As on the SIP edge, an agent can also be named
   * with the domain of SIP accounts unless a SIP account has the same name.
   */
  async at(workspace: Owner, username: string, domain: string): Promise<Phone | null> {
    const { agents, sipAccounts } = this.services
    const account = await sipAccounts.findByUsername(workspace, username)
    if (account?.domain === domain) return this.ofAccount(workspace, account)
    const agent = await agents.findByUsername(workspace, username)
    if (!agent || (agents.domainOf(agent) !== domain && agent.realm !== domain)) return null
    return this.ofAgent(workspace, agent)
  }

  /** A unique name of a phone: the username, or the id of a SIP account whose username is also an agent's. */
  async nameOf({ kind, id, workspace_id, username }: Phone): Promise<string> {
    if (kind === 'agent') return username
    return (await this.services.agents.findByUsername({ id: workspace_id }, username)) ? id : username
  }

  async extension(workspace: Owner, number: string): Promise<ExtensionTarget | null> {
    return this.targetOf(workspace, await this.services.extensions.findByNumber(workspace, number))
  }

  /** @param id `ex_…` */
  async extensionWithId(workspace: Owner, id: string): Promise<ExtensionTarget | null> {
    return this.targetOf(workspace, await this.services.extensions.find(workspace, id))
  }

  private async targetOf(workspace: Owner, extension: Extension | null): Promise<ExtensionTarget | null> {
    if (!extension) return null
    const { title, destination, sip_account_id, agent_id } = extension
    const id = sip_account_id ?? agent_id
    return {
      ...{ title, destination, phone: id ? await this.find(workspace, id) : null },
      teamId: extension.team_id,
      voiceAgentId: extension.voice_agent_id,
    }
  }

  private async ofAccount(workspace: Owner, account: SipAccount | null): Promise<Phone | null> {
    if (!account) return null
    const { id, workspace_id, title, username, domain, outbound_caller_id, max_concurrent_calls } = account
    const extension = await this.services.extensions.findOf(workspace, { sip_account_id: id })
    const own = { id, workspace_id, title, username, domain, outbound_caller_id, max_concurrent_calls }
    return { kind: 'sip_account', ...own, extension: extension?.extension_number ?? null }
  }

  private async ofAgent(workspace: Owner, agent: Agent | null): Promise<Phone | null> {
    if (!agent) return null
    const { id, workspace_id, display_name, username } = agent
    const extension = await this.services.extensions.findOf(workspace, { agent_id: id })
    return {
      ...{ kind: 'agent', id, workspace_id, title: display_name, username },
      domain: this.services.agents.domainOf(agent),
      outbound_caller_id: null,
      max_concurrent_calls: null,
      extension: extension?.extension_number ?? null,
    }
  }
}

/** The columns that name a phone in calls and legs. */
export function phoneColumns({ kind, id }: Pick<Phone, 'kind' | 'id'>) {
  return {
    sip_account_id: kind === 'sip_account' ? id : null,
    agent_id: kind === 'agent' ? id : null,
  }
}
