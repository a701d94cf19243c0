/** Presents extensions with what they lead to: agents, teams, SIP accounts and voice agents, loaded by one query a kind. */
import type { Static } from 'typebox'
import type { AgentService } from '../agents/agent.service.js'
import type { Avatars } from '../agents/avatars.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { isEmergencyNumber, yieldsToExtensions } from '../../lib/numbering/emergency.js'
import { presentSipAccount } from '../sip-accounts/sip-account.presenter.js'
import type { SipAccountService } from '../sip-accounts/sip-account.service.js'
import type { MembershipService } from '../teams/membership.service.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { TeamService } from '../teams/team.service.js'
import { type DestinationId, type Extension, destinationIds } from './extension.entity.js'
import type { ExtensionShape } from './extension.schema.js'

interface Parts {
  agents: AgentService
  avatars: Avatars
  teams: TeamService
  memberships: MembershipService
  sipAccounts: SipAccountService
  voiceAgents: { findMany(workspace: Owner, ids: readonly string[]): Promise<{ id: string; name: string }[]> }
  /** Null when there is no such workspace. */
  countryOf(workspaceId: string): Promise<string | null>
}

type Presented = Static<typeof ExtensionShape>

/** The part of an extension's answer that shows its destination. */
type Shown = Pick<Presented, 'agent' | 'team' | 'sip_account' | 'voice_agent'>

export class ExtensionPresenter {
  constructor(private readonly parts: Parts) {}

  /** Presents extensions of one workspace with their destinations. */
  async presenting(
    extensions: readonly Extension[],
    { workspace }: { workspace: Owner },
  ): Promise<(extension: Extension) => Presented> {
    const loaded = await Promise.all(
      Object.values(destinationIds).map(async (field) => {
        const ids = new Set(extensions.flatMap((extension) => extension[field] ?? []))
        return ids.size > 0 ? this.load(workspace, field, [...ids]) : new Map<string, Shown>()
      }),
    )
    const country = (await this.parts.countryOf(workspace.id)) ?? ''
    const shown = new Map(loaded.flatMap((byId) => [...byId]))
    return (extension) => ({
      ...withTimes(extension),
      is_emergency_number: reachesEmergency(extension.extension_number, country),
      ...shown.get(extension[destinationIds[extension.destination]] ?? ''),
    })
  }

  private async load(
    workspace: Owner,
    field: DestinationId,
    ids: readonly string[],
  ): Promise<Map<string, Shown>> {
    switch (field) {
      case 'agent_id':
        return this.agents(workspace, ids)
      case 'team_id':
        return this.teams(workspace, ids)
      case 'sip_account_id': {
        const accounts = await this.parts.sipAccounts.findMany(workspace, ids)
        return new Map(accounts.map((account) => [account.id, { sip_account: presentSipAccount(account) }]))
      }
      case 'voice_agent_id': {
        const voiceAgents = await this.parts.voiceAgents.findMany(workspace, ids)
        return new Map(voiceAgents.map(({ id, name }) => [id, { voice_agent: { id, name } }]))
      }
    }
  }

  private async agents(workspace: Owner, ids: readonly string[]): Promise<Map<string, Shown>> {
    const agents = await this.parts.agents.findMany(workspace, ids)
    return new Map(
      agents.map((agent) => {
        const { id, username, display_name, email } = agent
        return [id, { agent: { id, username, display_name, email, avatar: this.parts.avatars.urlOf(agent) } }]
      }),
    )
  }

  private async teams(workspace: Owner, ids: readonly string[]): Promise<Map<string, Shown>> {
    const teams = await this.parts.teams.findMany(workspace, ids)
    const countOf = await this.parts.memberships.countsOf(workspace, teams)
    return new Map(
      teams.map((team) => [
        team.id,
        { team: { id: team.id, title: team.title, agent_count: countOf(team) } },
      ]),
    )
  }
}

/** Whether phones that dial an extension reach the emergency service. */
function reachesEmergency(number: string, country: string): boolean {
  return isEmergencyNumber(number, country) && !yieldsToExtensions(number, country)
}
