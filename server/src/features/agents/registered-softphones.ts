/** Agents that a registered softphone makes available: what the registrar holds in this moment. */
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { PresenceSource, AgentPresence } from './agent-state.js'
import type { SipAddress } from '../sip-accounts/registrations.js'
import { agentsDomain } from '../workspaces/sip-domains.js'

// Kamailio's table has a collation of its own: a comparison reads an index only in the collation of that index.
const rings = `agent.is_active = 1 AND agent.ha1 IS NOT NULL AND EXISTS (
  SELECT 1 FROM location
  WHERE location.username = agent.username COLLATE ascii_general_ci
    AND location.domain = agent.domain COLLATE ascii_general_ci AND location.expires > UNIX_TIMESTAMP())`

/** A member of a team with a reachable phone. */
export interface RingableMember {
  /** `mem_…`; members are ordered by it, which is the order in which they came into the team. */
  id: string
  agent_id: string
  username: string
  /** Null of an agent whose softphones cannot register. */
  domain: string | null
}

export class RegisteredSoftphones implements PresenceSource {
  constructor(
    private readonly database: Database,
    private readonly sipDomain: string,
  ) {}

  async onlineIn(workspace: Owner, ids?: readonly string[]): Promise<Map<string, AgentPresence>> {
    const rows: { id: string }[] = await this.database.source.query(
      `SELECT DISTINCT agent.id FROM location
       JOIN agents agent ON agent.workspace_id = ? AND agent.username = location.username COLLATE ascii_bin
       WHERE agent.is_active = 1 AND agent.ha1 IS NOT NULL AND location.domain = ? AND location.expires > UNIX_TIMESTAMP()
       ${ids ? 'AND agent.id IN (?)' : ''}`,
      [workspace.id, agentsDomain(workspace.id, this.sipDomain), ...(ids ? [ids] : [])],
    )
    return new Map(rows.map(({ id }) => [id, { state: 'available' }]))
  }

  /** Where an agent's softphones are registered; null when the agent is not active or has none that rings. */
  async addressOf(workspace: Owner, id: string): Promise<SipAddress | null> {
    const [row]: SipAddress[] = await this.database.source.query(
      `SELECT agent.username, agent.domain FROM agents agent WHERE agent.workspace_id = ? AND agent.id = ? AND ${rings}`,
      [workspace.id, id],
    )
    return row ?? null
  }

  /**
   * Members of a team that are active and have a softphone that rings, in the order in which they became members.
   * @param also ids of agents who are reached in other ways
   */
  async membersOf(workspace: Owner, teamId: string, also: readonly string[]): Promise<RingableMember[]> {
    const orReached = also.length > 0 ? 'OR agent.is_active = 1 AND agent.id IN (?)' : ''
    return this.database.source.query(
      `SELECT member.id, member.agent_id, agent.username, agent.domain FROM team_members member JOIN agents agent ON agent.id = member.agent_id
       WHERE member.workspace_id = ? AND member.team_id = ? AND (${rings} ${orReached}) ORDER BY member.id`,
      [workspace.id, teamId, ...(also.length > 0 ? [also] : [])],
    )
  }
}
