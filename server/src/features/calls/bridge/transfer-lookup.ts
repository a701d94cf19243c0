/** Finds the target of a transfer, and checks that it is available. */
import type { AgentService } from '../../agents/agent.service.js'
import type { Agent } from '../../agents/agent.entity.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import type { AgentReachability } from '../dialling/agent-reachability.js'
import { subOf } from '../model/client-address.js'
import type { Presence } from '../../presence/presence.js'
import type { MembershipService } from '../../teams/membership.service.js'
import type { TeamService } from '../../teams/team.service.js'
import type { Phones } from '../routing/phones.js'
import type { TeamQueues } from '../queue/team-queues.js'
import type { TeamMembers } from '../dialling/team-members.js'
import type { TransferCall } from './transfer.schema.js'
import type { OutsideTargets } from './outside-targets.js'
import type { FoundTarget } from './transfer-target.js'

interface Services {
  agents: Pick<AgentService, 'find' | 'findByUsername'>
  teams: Pick<TeamService, 'findMany'>
  voiceAgents: {
    find(workspace: Owner, id: string): Promise<{ name: string; published_version: number | null } | null>
  }
  memberships: Pick<MembershipService, 'has'>
  presence: Pick<Presence, 'of'>
  reachability: Pick<AgentReachability, 'hasApps'>
  phones: Phones
  members: TeamMembers
  queues: TeamQueues
  outside: Pick<OutsideTargets, 'find'>
}

/** Who asks for a transfer, and how. */
interface Asked {
  /** Id of an agent, or null for one who may not transfer to telephone numbers. */
  by: string | null
  /** The workspace's number that the call came in on or goes out with. */
  phoneNumberId: string | null
}

export class TransferLookup {
  constructor(private readonly services: Services) {}

  /** @throws 400 naming the field: no such target, not in the team, or not available */
  async find(workspace: Owner, input: TransferCall, asked: Asked): Promise<FoundTarget> {
    const { target_username, team_id, target, consult } = input
    if ((target_username === undefined) === (target === undefined)) {
      throw target === undefined
        ? invalidField('target_username', 'target_username or target is required')
        : invalidField('target', 'target and target_username exclude each other')
    }
    if (target !== undefined) {
      if (team_id !== undefined) throw invalidField('team_id', 'team_id has no meaning with target')
      const found =
        (await this.anyone(workspace, target, 'target', consult !== true)) ??
        (asked.by === null
          ? null
          : await this.services.outside.find(workspace, target, { ...asked, by: asked.by }))
      if (!found) throw unknown('target')
      return found
    }
    const field = 'target_username'
    const agent = await this.services.agents.findByUsername(workspace, target_username ?? '')
    if (!agent?.is_active) throw unknown(field)
    if (team_id !== undefined && !(await this.services.memberships.has(workspace, team_id, agent.id))) {
      throw invalidField(field, `${field} is no agent of the team ${team_id}`)
    }
    return this.available(workspace, agent, field)
  }

  /**
   * Finds a target by any form of the API's `target`; null if there is none.
   * @param mayWait whether a team with no free member will do: the caller waits in its queue
   * @throws 400 naming `field` if it is not available
   */
  async anyone(workspace: Owner, text: string, field: string, mayWait = false): Promise<FoundTarget | null> {
    const { agents, phones } = this.services
    const sub = subOf(text)
    if (sub !== null) return this.client(workspace, sub, field)
    if (text.startsWith('te_')) return this.team(workspace, text, field, mayWait)
    if (text.startsWith('si_')) {
      const phone = await phones.find(workspace, text)
      return phone && { kind: 'sip_account', id: phone.id, name: phone.title, username: null }
    }
    const extension = /^\d{3,6}$/.test(text) ? await phones.extension(workspace, text) : null
    if (extension?.teamId) return this.team(workspace, extension.teamId, field, mayWait)
    if (extension?.phone?.kind === 'sip_account') {
      return { kind: 'sip_account', id: extension.phone.id, name: extension.title, username: null }
    }
    if (extension?.voiceAgentId) return this.voiceAgent(workspace, extension.voiceAgentId, field)
    const agent = extension?.phone
      ? await agents.find(workspace, extension.phone.id)
      : await agents.findByUsername(workspace, text)
    if (agent?.is_active) return this.available(workspace, agent, field)
    const phone = extension ? null : await phones.withUsername(workspace, text)
    if (phone?.kind !== 'sip_account') return null
    return { kind: 'sip_account', id: phone.id, name: phone.title, username: null }
  }

  private async client(workspace: Owner, sub: string, field: string): Promise<FoundTarget> {
    if (!(await this.services.reachability.hasApps(workspace, { kind: 'client', sub }))) {
      throw invalidField(field, `${field} is not available: the client ${sub} is offline`)
    }
    return { kind: 'client', id: sub, name: sub, username: null }
  }

  private async available(workspace: Owner, agent: Agent, field: string): Promise<FoundTarget> {
    const { id, username, display_name: name } = agent
    const { state } = (await this.services.presence.of(workspace, [id]))(id)
    if (state !== 'available') throw invalidField(field, `${field} is not available: ${username} is ${state}`)
    return { kind: 'agent', id, name, username }
  }

  private async voiceAgent(workspace: Owner, id: string, field: string): Promise<FoundTarget | null> {
    const agent = await this.services.voiceAgents.find(workspace, id)
    if (!agent) return null
    if (agent.published_version === null) {
      throw invalidField(field, `${field} is a voice agent without a published version`)
    }
    return { kind: 'voice_agent', id, name: agent.name, username: null }
  }

  private async team(
    workspace: Owner,
    id: string,
    field: string,
    mayWait: boolean,
  ): Promise<FoundTarget | null> {
    const { teams, members, queues } = this.services
    const [team] = await teams.findMany(workspace, [id])
    if (!team) return null
    const reachable = await members.reachable(workspace, id)
    if (reachable.length === 0)
      throw invalidField(field, `${field} is a team with no available member: all are offline or busy`)
    if (!mayWait && queues.free(reachable).length === 0) {
      throw invalidField(
        field,
        `${field} is a team with no available member: handed over without consult, the caller waits in its queue`,
      )
    }
    return { kind: 'team', id, name: team.title, username: null }
  }
}

function unknown(field: string) {
  return invalidField(field, `${field} is not a possible target of a transfer in this workspace`)
}
